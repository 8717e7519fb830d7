import { readFileSync } from "node:fs";
import { currentOpenApi, legacyOpenApi } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ownDocuments } from "../description/describe-api.ts";
import type { JsonObject } from "../json-object.ts";
import { parseOpenApiDocument } from "../parse-open-api-document.ts";
import { compareApis, maxDifferences } from "./api-differences.ts";

const fixtures = new URL("../../fixtures/differences/", import.meta.url);

const read = new Map<string, JsonObject>();

/** Cached: most documents are compared with the same one. */
const documentAt = (file: string): JsonObject => {
  const known = read.get(file);
  if (known !== undefined) {
    return known;
  }
  const result = parseOpenApiDocument(readFileSync(new URL(file, fixtures)));
  const document = result.ok ? result.value : expect.fail(result.error.message);
  read.set(file, document);
  return document;
};

/** One line per expected difference of a fixture. */
const expected = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(file.replace(/\.\w+$/, ".expected.json"), fixtures), "utf8"));

const linesOf = (served: JsonObject, own: readonly JsonObject[]): readonly string[] =>
  compareApis(served, own).differences.map(({ kind, operation, place }) => `${kind} ${operation} ${place}`.trim());

/** A document with `text` replaced everywhere in its JSON. */
const changed = (document: unknown, text: string, by: string): JsonObject => {
  const json = JSON.stringify(document);
  expect(json).toContain(text);
  return JSON.parse(json.replaceAll(text, by));
};

describe("differences of a served document", () => {
  test.each(["same-in-other-words.yaml", "added.yaml", "removed.yaml", "retyped.json", "required-and-values.yaml"])(
    "are the ones listed for %s",
    (file) => {
      expect(linesOf(documentAt(file), [documentAt("own.yaml")])).toEqual(expected(file));
    },
  );

  test("of a generated document from our own are the listed ones", () => {
    expect(linesOf(documentAt("served-connect.yaml"), ownDocuments)).toEqual(expected("served-connect.yaml"));
  });

  test.each([
    [
      legacyOpenApi,
      '"page_first"',
      '"first"',
      ["parameter-added legacy/list parameter first", "parameter-removed legacy/list parameter page_first"],
    ],
    [legacyOpenApi, '"-updated_at"]', '"title"]', ["enum-changed legacy/list parameter sort"]],
    [currentOpenApi, '"ERROR_INTERNAL",', "", ["enum-changed current/create response 200/state/error/code"]],
    [
      currentOpenApi,
      "GetConversation",
      "FetchConversation",
      ["operation-added POST /api/deepsearch.v1.Service/FetchConversation", "operation-removed current/get"],
    ],
    [
      currentOpenApi,
      '"page_token":{"type":["string","null"]}',
      '"page_token":{"type":"integer"}',
      ["member-retyped current/list request/pageToken"],
    ],
    [
      currentOpenApi,
      '{"required":["canceled"],"properties":{"canceled":{"type":"object"}}}',
      '{"type":"null"}',
      ["member-removed current/create response 200/state/canceled"],
    ],
  ])("are found in the own document after a change (%#)", (...[own, text, by, lines]) => {
    expect(linesOf(changed(own, text, by), ownDocuments)).toEqual(expect.arrayContaining(lines));
  });

  test("describe in one sentence what differs, with both sides", () => {
    const { differences } = compareApis(documentAt("retyped.json"), [documentAt("own.yaml")]);
    expect(differences[0]?.message).toBe(
      "In the served document `request/question` is object; in Assay's copy string.",
    );
  });

  test("are notes for an interface that is not mentioned", () => {
    const { differences, notes } = compareApis({ openapi: "3.1.0", paths: {} }, ownDocuments);
    expect(differences).toEqual([]);
    expect(notes).toHaveLength(3);
  });

  test("do not depend on the order of members", () => {
    const reversed = (value: unknown): unknown => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        return value;
      }
      return Object.fromEntries(
        Object.entries(value)
          .map(([name, child]) => [name, reversed(child)] as const)
          .reverse(),
      );
    };
    const document = documentAt("added.yaml");
    const own = [documentAt("own.yaml")];
    expect(linesOf({ ...document, paths: reversed(document["paths"]) }, own)).toEqual(linesOf(document, own));
  });

  test("end at 500, with a note", () => {
    const document = documentAt("own.yaml");
    const members = Array.from({ length: 1_000 }, (_, index) => `"m${index}":{}`).join();
    const large = changed(document, '"title":{', `${members},"title":{`);
    const { differences, notes } = compareApis(large, [document]);
    expect(differences).toHaveLength(maxDifferences);
    expect(notes.join()).toMatch(/^Shows 500 of [34]\d{3} differences/);
  });
});

describe("comparing a hostile document", () => {
  const own = documentAt("own.yaml");
  const withSchemas = (schemas: JsonObject): JsonObject => ({ ...own, components: { schemas } });
  const to = (index: number): JsonObject => ({ $ref: `#/components/schemas/S${index}` });

  test.each(["allOf", "anyOf", "oneOf"])("whose schemas fan out by %s takes bounded time", (keyword) => {
    const schemas = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [
        `S${index}`,
        { [keyword]: [to((index + 1) % 2_000), to((index + 2) % 2_000)], properties: { [`m${index}`]: to(index) } },
      ]),
    );
    const { differences } = compareApis(withSchemas({ ...schemas, Conversation: to(0) }), [own]);
    expect(differences.length).toBeLessThanOrEqual(maxDifferences);
  });

  test("with very many members takes bounded time, and reports what was not compared", () => {
    const properties = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`m${index}`, to(0)]));
    const { notes } = compareApis(
      withSchemas({ Conversation: { properties, allOf: [to(0), to(1)] }, S0: { properties }, S1: { properties } }),
      [own],
    );
    expect(notes).toContain("The schemas of the served document are too large to compare all of them.");
  });

  test.each([
    ["itself", { Conversation: { allOf: [{ $ref: "#/components/schemas/Conversation" }] } }],
    [
      "a circle of references",
      { Conversation: { $ref: "#/components/schemas/B" }, B: { $ref: "#/components/schemas/Conversation" } },
    ],
    ["nowhere", { Conversation: { $ref: "#/components/schemas/Nowhere" } }],
    [
      "a tree of itself",
      { Conversation: { type: "object", properties: { parent: { $ref: "#/components/schemas/Conversation" } } } },
    ],
  ])("with a schema that refers to %s ends", (_, schemas) => {
    expect(linesOf(withSchemas(schemas), [own]).length).toBeLessThan(100);
  });

  test("keeps places short and distinguishes inherited names", () => {
    const properties: unknown = JSON.parse(`{"__proto__":{},"constructor":{},"${"x".repeat(1_000)}":{}}`);
    const { differences } = compareApis(withSchemas({ Conversation: { properties } }), [own]);
    const places = differences.filter(({ kind, operation }) => kind === "member-added" && operation === "legacy/get");
    expect(places.map(({ place }) => place.slice(-20))).toEqual([
      "x".repeat(20),
      "response 200/__proto".concat("__").slice(-20),
      "sponse 200/constructor".slice(-20),
    ]);
  });

  test("answers for any JSON as schemas", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("Conversation", "Question", "State"), fc.jsonValue()), (schemas) => {
        expect(() => compareApis(withSchemas(schemas), [own])).not.toThrow();
      }),
    );
  });
});
