import { searchStreamOpenApi } from "@assay/contract";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { compileForm } from "../worker/compile-form.js";
import { generateFormCheck } from "../worker/generate-form.js";
import { validateForm } from "../worker/validate-form.js";
import { validateOpenApiDocument } from "./validate-open-api-document.ts";

const own = searchStreamOpenApi;
const { info } = own;

const invalidDocuments = [
  { name: "no title", document: { ...own, info: { version: "1" } }, pointer: "/info" },
  {
    name: "an operation that is a number",
    document: { ...own, paths: { "/s": { get: 1 } } },
    pointer: "/paths/~1s/get",
  },
  {
    name: "a schema that is a number",
    document: { ...own, components: { schemas: { A: 7 } } },
    pointer: "/components/schemas/A",
  },
  {
    name: "an unknown security type",
    document: { ...own, components: { securitySchemes: { a: { type: "magic" } } } },
    pointer: "/components",
  },
  { name: "nothing to describe", document: { openapi: "3.1.0", info }, pointer: "/" },
] as const;

describe("validating an OpenAPI document", () => {
  test("finds nothing in the own document", async () => {
    expect(await validateOpenApiDocument(own)).toEqual({ ok: true, value: { notes: [] } });
  });

  test.each(invalidDocuments)("refuses $name and says where", ({ document, pointer }) => {
    // In this thread. The separate thread is tested with a valid document, an invalid one and a timeout.
    expect(validateForm(document)).toMatchObject({ code: "not-valid", reason: expect.stringContaining(pointer) });
  });

  test("reports the result of the thread", async () => {
    expect(await validateOpenApiDocument({ openapi: "3.1.0", info })).toMatchObject({
      ok: false,
      error: { code: "not-valid", message: expect.stringContaining("not OpenAPI 3.1 at `/`") },
    });
  });

  test.each([{ name: "the own document", document: own }, ...invalidDocuments])(
    "has the same errors in the package, which contains generated code: $name",
    ({ document }) => {
      const module: { exports?: ValidateFunction } = {};
      // oxlint-disable-next-line typescript/no-implied-eval -- the code is generated here
      new Function("module", generateFormCheck())(module);
      const { check } = compileForm();
      expect(module.exports?.(document)).toBe(check(document));
      expect(module.exports?.errors).toEqual(check.errors);
    },
  );

  test("allows members that the meta-schema does not know", async () => {
    const document = { ...own, info: { ...info, later: true }, unknown: {}, "x-ours": 1 };
    expect(validateForm(document)).toEqual({ value: null });
  });

  test.each(["3.0.3", "3.2.0"])("reports that version %s was not checked", async (openapi) => {
    const result = await validateOpenApiDocument({ openapi });
    expect(result).toMatchObject({ ok: true, value: { notes: [expect.stringContaining("not version 3.1")] } });
  });

  test("ends for schemas that refer to each other twice, thirty in a row", async () => {
    const schemas = Array.from({ length: 30 }, (_, index) => {
      const next = { $ref: `#/components/schemas/S${(index + 1) % 30}` };
      return [`S${index}`, { properties: { a: next, b: next } }] as const;
    });
    const document = { ...own, components: { schemas: Object.fromEntries(schemas) } };
    expect(validateForm(document)).toEqual({ value: null });
  });

  test("stops at the deadline", async () => {
    expect(await validateOpenApiDocument(own, { deadlineMs: 0 })).toMatchObject({
      error: { code: "deadline-exceeded" },
    });
  });
});
