import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { searchStreamOpenApi } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentTasks } from "../worker/document-tasks.js";
import { bundleOpenApi } from "./bundle-open-api.ts";
import { isJsonObject } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";

const documentWith = (schemas: JsonObject): JsonObject => ({
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  paths: {},
  components: { schemas },
});

/** In this thread; what a thread of its own adds is looked at where a document is left as it was, is wrong, large or too late. */
const { bundle } = documentTasks;

describe("bundling an OpenAPI document", () => {
  test("leaves the own document as it is, references in place", async () => {
    expect(await bundleOpenApi(searchStreamOpenApi)).toEqual({ ok: true, value: searchStreamOpenApi });
  });

  test("leaves the document that was given untouched", async () => {
    const document = documentWith({ A: { $ref: "#/components/schemas/B" }, B: { type: "string" } });
    const before = structuredClone(document);
    await bundleOpenApi(document);
    expect(document).toEqual(before);
  });

  test("takes a document of version 3.2 and keeps its version", async () => {
    expect(await bundle({ ...documentWith({}), openapi: "3.2.0" })).toMatchObject({ value: { openapi: "3.2.0" } });
  });

  test.each([
    { name: "to itself", schemas: { A: { $ref: "#/components/schemas/A" } } },
    { name: "in a circle", schemas: { A: { $ref: "#/components/schemas/B" }, B: { $ref: "#/components/schemas/A" } } },
    {
      name: "to the parts of a tree",
      schemas: { Tree: { properties: { left: { $ref: "#/components/schemas/Tree" } } } },
    },
  ])("takes references $name", async ({ schemas }) => {
    expect(await bundle(documentWith(schemas))).toMatchObject({ value: { openapi: "3.1.0" } });
  });

  test("takes a hundred schemas that each refer to the next one twice", async () => {
    const next = (index: number): JsonObject => ({ $ref: `#/components/schemas/S${(index + 1) % 100}` });
    const schemas = Array.from(
      { length: 100 },
      (_, index) => [`S${index}`, { allOf: [next(index), next(index)] }] as const,
    );
    expect(await bundle(documentWith(Object.fromEntries(schemas)))).toMatchObject({ value: { openapi: "3.1.0" } });
  });

  test("takes lists of very many values", async () => {
    const many = Array.from({ length: 150_000 }, () => ({}));
    expect(await bundleOpenApi(documentWith({ A: { examples: many } }))).toMatchObject({ ok: true });
  });

  test("refuses a reference that leads nowhere", async () => {
    const result = await bundleOpenApi(documentWith({ A: { $ref: "#/components/schemas/Nowhere" } }));
    expect(result).toMatchObject({ ok: false, error: { code: "unresolved-reference" } });
  });

  test("stops at the deadline", async () => {
    const result = await bundleOpenApi(documentWith({}), { deadlineMs: 0 });
    expect(result).toMatchObject({ ok: false, error: { code: "deadline-exceeded" } });
  });

  test("gives objects no members of a stranger", async () => {
    const document: unknown = JSON.parse(
      '{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{},"components":{"schemas":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}}',
    );
    expect(isJsonObject(document) && (await bundleOpenApi(document)).ok).toBe(true);
    expect(Reflect.has({}, "polluted")).toBe(false);
  });
});

describe("a reference out of the document", () => {
  let folder = "";
  let server: Server;
  let origin = "";
  let requests = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "assay-openapi-"));
    writeFileSync(join(folder, "secret.json"), '{"type":"string","description":"secret"}');
    server = createServer((_request, response) => {
      requests += 1;
      response.end('{"type":"string"}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    origin = isJsonObject(address) ? `http://127.0.0.1:${String(address["port"])}` : expect.fail("no port");
  });

  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });

  test.each([
    { name: "by file address", target: () => pathToFileURL(join(folder, "secret.json")).href },
    { name: "by path", target: () => join(folder, "secret.json") },
    { name: "by relative path", target: () => "../../../../../../../etc/passwd" },
    { name: "by name", target: () => "package.json" },
    { name: "with a fragment", target: () => "other.json#/components/schemas/A" },
    { name: "to a server", target: () => `${origin}/schema.json` },
    { name: "to a server, without a scheme", target: () => origin.replace("http:", "") },
    { name: "to an address for metadata", target: () => "http://169.254.169.254/latest/meta-data/" },
    { name: "by data address", target: () => "data:application/json,{}" },
    { name: "in capitals", target: () => "FILE:///etc/passwd" },
    { name: "after a space", target: () => ` ${origin}/schema.json` },
    { name: "to nothing", target: () => "" },
  ])("$name is refused, unread", async ({ target }) => {
    const result = await bundleOpenApi(documentWith({ A: { properties: { b: { $ref: target() } } } }));
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: "external-reference",
        message: expect.stringContaining("/components/schemas/A/properties/b"),
      },
    });
    expect(requests).toBe(0);
  });

  test("is refused beside an $id as well, and as a dynamic reference", async () => {
    const withId = documentWith({ A: { $id: `${origin}/`, $ref: "other.json" } });
    const dynamic = documentWith({ A: { $dynamicRef: `${origin}/x#meta` } });
    expect(await bundleOpenApi(withId)).toMatchObject({ error: { code: "external-reference" } });
    expect(await bundleOpenApi(dynamic)).toMatchObject({ error: { code: "external-reference" } });
    expect(requests).toBe(0);
  });
});
