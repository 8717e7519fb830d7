import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { searchStreamOpenApi } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isJsonObject } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";
import { findStrayReference } from "./stray-reference.ts";

const documentWith = (schemas: JsonObject): JsonObject => ({
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  paths: {},
  components: { schemas },
});

describe("a document that contains everything it refers to", () => {
  const next = (index: number): JsonObject => ({ $ref: `#/components/schemas/S${(index + 1) % 100}` });
  const twice = Array.from(
    { length: 100 },
    (_, index) => [`S${index}`, { allOf: [next(index), next(index)] }] as const,
  );

  test.each<{ name: string; schemas: JsonObject }>([
    { name: "to itself", schemas: { A: { $ref: "#/components/schemas/A" } } },
    { name: "in a circle", schemas: { A: { $ref: "#/components/schemas/B" }, B: { $ref: "#/components/schemas/A" } } },
    {
      name: "to the parts of a tree",
      schemas: { Tree: { properties: { left: { $ref: "#/components/schemas/Tree" } } } },
    },
    { name: "to the next one twice, in a hundred schemas", schemas: Object.fromEntries(twice) },
    { name: "to the whole", schemas: { A: { $ref: "#" } } },
    { name: "by an anchor", schemas: { A: { $dynamicRef: "#meta" } } },
    { name: "past another reference", schemas: { A: { $ref: "#/components/schemas/B/type" }, B: { $ref: "#" } } },
    { name: "with escapes", schemas: { "a/b ~": { $ref: "#/components/schemas/a~1b%20~0" } } },
    { name: "to an element of a list", schemas: { A: { oneOf: [{}, { $ref: "#/components/schemas/A/oneOf/0" }] } } },
  ])("may refer $name", ({ schemas }) => {
    expect(findStrayReference(documentWith(schemas))).toBeUndefined();
  });

  test("is our own one", () => {
    expect(findStrayReference(searchStreamOpenApi)).toBeUndefined();
  });

  test("may have lists of very many values", () => {
    expect(
      findStrayReference(documentWith({ A: { examples: Array.from({ length: 150_000 }, () => ({})) } })),
    ).toBeUndefined();
  });
});

describe("a reference that does not resolve", () => {
  test.each([
    "#/components/schemas/Nowhere",
    "#/components/schemas/A/oneOf/1",
    "#/components/schemas/toString",
    "#/__proto__",
  ])("is reported with its position: %s", (target) => {
    const stray = findStrayReference(documentWith({ A: { oneOf: [{ $ref: target }] } }));
    expect(stray).toMatchObject({ code: "unresolved-reference" });
    expect(stray?.message).toContain("`/components/schemas/A/oneOf/0` refers to");
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
  ])("$name is refused, unread", ({ target }) => {
    expect(findStrayReference(documentWith({ A: { properties: { b: { $ref: target() } } } }))).toMatchObject({
      code: "external-reference",
      message: expect.stringContaining("/components/schemas/A/properties/b"),
    });
    expect(requests).toBe(0);
  });

  test("is refused next to an $id too, and as a dynamic reference", () => {
    const withId = documentWith({ A: { $id: `${origin}/`, $ref: "other.json" } });
    const dynamic = documentWith({ A: { $dynamicRef: `${origin}/x#meta` } });
    expect(findStrayReference(withId)).toMatchObject({ code: "external-reference" });
    expect(findStrayReference(dynamic)).toMatchObject({ code: "external-reference" });
    expect(requests).toBe(0);
  });
});
