import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { documentErrorCodes } from "./document-error.ts";
import { maxDocumentBytes, maxDocumentDepth, parseOpenApiDocument } from "./parse-open-api-document.ts";
import { maxYamlBytes } from "./read-yaml.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const nested = (depth: number): string => `{"openapi":"3.1.0","x":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;

describe("reading the bytes of an OpenAPI document", () => {
  test.each(["3.0.3", "3.1.0", "3.1.1", "3.2.0"])("accepts version %s", (openapi) => {
    expect(parseOpenApiDocument(bytesOf(JSON.stringify({ openapi })))).toEqual({ ok: true, value: { openapi } });
  });

  test.each([
    { name: "nothing", text: "", code: "not-json" },
    { name: "half a document", text: '{"openapi": "3.1.0"', code: "not-json" },
    { name: "a login page", text: "<!DOCTYPE html><html><body>Sign in</body></html>", code: "html" },
    { name: "a page without a doctype", text: "\n <html></html>", code: "html" },
    { name: "XML", text: '<?xml version="1.0"?><a/>', code: "html" },
    { name: "half a document of YAML", text: "openapi: 3.1.0\ninfo: {", code: "not-yaml" },
    { name: "YAML without a version", text: "---\ninfo: 1\n", code: "not-open-api" },
    { name: "a version of YAML that is a number", text: "openapi: 3.1\n", code: "not-open-api" },
    { name: "Swagger 2 as YAML", text: 'swagger: "2.0"\n', code: "unsupported-version" },
    { name: "a page that shows YAML", text: "<html><pre>\nopenapi: 3.1.0\n</pre></html>", code: "html" },
    { name: "too much YAML", text: `openapi: 3.1.0\n# ${"x".repeat(maxYamlBytes)}`, code: "too-large" },
    { name: "some text", text: "upstream connect error", code: "not-json" },
    { name: "an array", text: "[]", code: "not-open-api" },
    { name: "an object without a version", text: "{}", code: "not-open-api" },
    { name: "a version that is a number", text: '{"openapi": 3.1}', code: "not-open-api" },
    { name: "Swagger 2", text: '{"swagger": "2.0"}', code: "unsupported-version" },
    { name: "a future version", text: '{"openapi": "4.0.0"}', code: "unsupported-version" },
    { name: "20,000 nested brackets", text: nested(20_000), code: "too-deep" },
    { name: "20,000 brackets that never close", text: "[".repeat(20_000), code: "too-deep" },
    { name: "a level too many", text: nested(maxDocumentDepth + 1), code: "too-deep" },
  ])("refuses $name as $code, in one line", ({ text, code }) => {
    const result = parseOpenApiDocument(bytesOf(text));
    expect(result).toMatchObject({ ok: false, error: { code } });
    expect(result).not.toMatchObject({ error: { message: expect.stringContaining("\n") } });
  });

  test.each([
    { name: "YAML", text: "openapi: 3.1.0\ninfo:\n  title: x\n", value: { openapi: "3.1.0", info: { title: "x" } } },
    { name: "YAML after a comment", text: "# ours\n---\nopenapi: 3.1.0\n", value: { openapi: "3.1.0" } },
    {
      name: "YAML whose version comes last",
      text: "info: 1\r\n'openapi': 3.0.3\r\n",
      value: { info: 1, openapi: "3.0.3" },
    },
  ])("takes $name", ({ text, value }) => {
    expect(parseOpenApiDocument(bytesOf(text))).toEqual({ ok: true, value });
  });

  test("accepts the maximum nesting, and brackets in strings", () => {
    expect(parseOpenApiDocument(bytesOf(nested(maxDocumentDepth))).ok).toBe(true);
    expect(
      parseOpenApiDocument(bytesOf(JSON.stringify({ openapi: "3.1.0", x: '\\"'.concat("[".repeat(500)) }))).ok,
    ).toBe(true);
  });

  test("refuses a document one byte too large without reading it", () => {
    expect(parseOpenApiDocument(new Uint8Array(maxDocumentBytes + 1))).toMatchObject({ error: { code: "too-large" } });
  });

  test("refuses bytes that are not UTF-8", () => {
    expect(parseOpenApiDocument(Uint8Array.of(0x7b, 0xff, 0x7d))).toMatchObject({ error: { code: "not-utf-8" } });
  });

  test("keeps a member called __proto__ a member", () => {
    const result = parseOpenApiDocument(bytesOf('{"openapi":"3.1.0","__proto__":{"polluted":true}}'));
    expect(result).not.toHaveProperty("value.polluted");
    expect(Reflect.has({}, "polluted")).toBe(false);
  });

  test("answers for any bytes, with a code of the closed set", () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), fc.json().map(bytesOf), fc.string().map(bytesOf)), (bytes) => {
        const result = parseOpenApiDocument(bytes);
        const code = result.ok ? "not-json" : result.error.code;
        expect(documentErrorCodes).toContain(code);
      }),
    );
  });
});
