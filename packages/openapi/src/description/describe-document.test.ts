import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json-object.ts";
import type { ApiOperation, DescribedInterface } from "./api-description.ts";
import { describeDocument } from "./describe-document.ts";

const legacyPath = "/.api/deepsearch/v1";
const documentWith = (members: JsonObject): JsonObject => ({
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  ...members,
});

const describedAs = (document: JsonObject) => {
  const api = describeDocument(document, "foreign");
  const operation = (name: DescribedInterface, wanted: string): ApiOperation | undefined =>
    api.operations.find((found) => found.interface === name && found.operation === wanted);
  return { ...api, operation };
};

/** The operation `create` of the legacy interface, as described by `operation`. */
const created = (operation: JsonObject, more: JsonObject = {}): ApiOperation => {
  const responses = { default: { description: "d" } };
  const paths = { [legacyPath]: { post: { responses, ...operation } } };
  const api = describedAs(documentWith({ paths, ...more }));
  return api.operation("legacy", "create") ?? expect.fail("no operation");
};

const json = (schema: unknown): JsonObject => ({ "application/json": { schema } });

describe("answers", () => {
  const text = { type: "string" };
  const responses = {
    200: { description: "d", content: json(text) },
    "2xx": { description: "d", content: json({ type: "integer" }) },
    404: { $ref: "#/components/responses/Missing" },
    409: { description: "d" },
    410: { $ref: "#/components/responses/Circle" },
    default: {
      description: "d",
      content: { "Application/Problem+JSON; v=1": { schema: text }, "text/*": { schema: text } },
    },
  };
  const components = {
    responses: {
      Missing: { $ref: "#/components/responses/Real" },
      Real: {
        description: "d",
        content: { "application/*": { schema: { $ref: "#/components/schemas/E" } }, "*/*": {} },
      },
      Circle: { $ref: "#/components/responses/Circle" },
    },
    schemas: { E: { type: "object", required: ["message"], properties: { message: text } } },
  };

  test.each([
    ["fits its status", 200, "application/json", "a", []],
    ["fits its status, whatever the parameters", 200, "APPLICATION/JSON ; charset=utf-8", "a", []],
    ["departs from its status", 200, "application/json", 1, [""]],
    ["is missing", 200, "application/json", undefined, [""]],
    ["is judged by its range", 202, "application/json", "a", [""]],
    ["is judged through references", 404, "application/json", {}, [""]],
    ["is judged by a range of types", 404, "application/problem+json", { message: 1 }, ["/message"]],
    ["is of a type without a schema", 404, "text/html", undefined, []],
    ["is of no type where every type is described", 404, undefined, undefined, []],
    ["is empty as described", 409, undefined, undefined, []],
    ["is judged by the default", 500, "application/problem+json", 1, [""]],
    ["is not JSON", 500, "text/plain", undefined, []],
  ])("one that %s has the departures it has", (...[, status, contentType, value, pointers]) => {
    const operation = created({ responses }, { components });
    expect(operation.responseErrors(status, contentType, value)?.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  test.each([
    ["type", 200, "text/html"],
    ["missing type", 200, undefined],
    ["kind of JSON", 200, "application/problem+json"],
    ["type for the default", 503, "application/json"],
    ["body where none is described", 409, "application/json"],
  ])("one of a %s that is not described is not judged", (_, status, contentType) => {
    const operation = created({ responses }, { components });
    expect(operation.responseErrors(status, contentType, {})).toBeUndefined();
  });

  test("a response with an undescribed status is not validated", () => {
    const operation = created({ responses: { 200: { description: "d", content: json(text) } } });
    expect(operation.responseErrors(400, "application/json", 1)).toBeUndefined();
    expect(operation.statuses).toEqual(["200"]);
  });

  test("follow nullable of version 3.0", () => {
    const content = json({ type: "object", properties: { a: { type: "string", nullable: true } } });
    const operation = created({ responses: { 200: { description: "d", content } } }, { openapi: "3.0.3" });
    expect(operation.responseErrors(200, "application/json", { a: null })).toEqual([]);
  });
});

describe("the mark of a member for requests only", () => {
  const schemas = {
    Both: {
      type: "object",
      required: ["id", "secret", "text"],
      properties: { id: { $ref: "#/components/schemas/Id" }, secret: { type: "string", writeOnly: true }, text: {} },
    },
    Id: { type: "integer", readOnly: true },
  };
  const content = json({ $ref: "#/components/schemas/Both" });

  test("is not required in responses, and never allows another type", () => {
    const operation = created({ responses: { 200: { description: "d", content } } }, { components: { schemas } });
    const messages = (value: unknown) =>
      operation.responseErrors(200, "application/json", value)?.map(({ message }) => message);
    expect(messages({})).toEqual(["must have the member `id`", "must have the member `text`"]);
    expect(messages({ id: 1, secret: 2, text: 1 })).toHaveLength(1);
  });
});

describe("a described document", () => {
  const responses = { 200: { description: "d" } };

  test.each([
    [
      "the document",
      { servers: [{ url: "https://x.example/.api/deepsearch/" }], paths: { "/v1/{x}": { get: { responses } } } },
    ],
    [
      "a variable",
      {
        servers: [{ url: "{base}/deepsearch", variables: { base: { default: "/.api" } } }],
        paths: { "/v1/{x}": { get: { responses } } },
      },
    ],
    [
      "the path",
      {
        servers: [{ url: "/no" }],
        paths: { "/v1/{x}": { servers: [{ url: "/.api/deepsearch?a#b" }], get: { responses } } },
      },
    ],
    [
      "the operation",
      { paths: { "/v1/{x}": { get: { servers: [{ url: "/no" }, { url: "//x/.api/deepsearch" }], responses } } } },
    ],
    [
      "a path item",
      {
        paths: { "/.api/deepsearch/v1/{x}": { $ref: "#/components/pathItems/P" } },
        components: { pathItems: { P: { get: { responses } } } },
      },
    ],
  ])("may have part of a path in %s", (_, members) => {
    const api = describedAs(documentWith(members));
    expect(api.operation("legacy", "get")).toMatchObject({ method: "GET" });
  });

  test("names other operations, sorted, and those of the interfaces without a name", () => {
    const post = { responses };
    const api = describedAs(
      documentWith({
        paths: { "/z": { post }, "/.api/deepsearch/v1/{id}/rotate-read-token": { post }, "/a<script>": { get: post } },
      }),
    );
    expect(api.otherOperations).toEqual([
      "GET /a<script>",
      "POST /.api/deepsearch/v1/{id}/rotate-read-token",
      "POST /z",
    ]);
    expect(api.operations).toEqual([]);
  });

  test("uses the first of two descriptions of an operation, with a note", () => {
    const paths = {
      [legacyPath]: { post: { operationId: "one", responses } },
      [`/x${legacyPath}`]: { post: { operationId: "two", responses } },
    };
    const api = describedAs(documentWith({ paths }));
    expect(api.operation("legacy", "create")?.operationId).toBe("one");
    expect(api.notes).toContain(
      "The OpenAPI document describes legacy/create more than once; the first description counts.",
    );
  });

  test("loses only the schemas that cannot be compiled", () => {
    const operation = {
      responses: {
        200: { description: "d", content: json({ type: "integer" }) },
        400: { description: "d", content: json({ type: "string", pattern: "(a)\\1" }) },
      },
    };
    const api = describedAs(documentWith({ paths: { [legacyPath]: { post: operation } } }));
    const create = api.operation("legacy", "create");
    expect(create?.responseErrors(200, "application/json", "a")).toHaveLength(1);
    expect(create?.responseErrors(400, "application/json", "a")).toBeUndefined();
    expect(api.notes.filter((note) => note.includes("unsafe-pattern"))).toHaveLength(1);
  });

  test("is not compiled if no interface needs it", () => {
    const schemas = { Other: { type: "string", pattern: "(?=a)b" }, Own: { type: "integer" } };
    const operation = created(
      { responses: { 200: { description: "d", content: json({ $ref: "#/components/schemas/Own" }) } } },
      { components: { schemas } },
    );
    expect(operation.responseErrors(200, "application/json", "a")).toHaveLength(1);
  });
});

describe("a hostile document", () => {
  const responseOf = (schema: unknown): JsonObject => ({
    responses: { 200: { description: "d", content: json(schema) } },
  });
  // Two choices at each level: following all combinations never ends.
  const fanned = 40;
  const to = (index: number): JsonObject => ({ $ref: `#/components/schemas/S${index % fanned}` });
  const fanOut = (keyword: string): JsonObject =>
    Object.fromEntries(
      Array.from({ length: fanned }, (_, index) => [
        `S${index}`,
        { [keyword]: [to(index + 1), to(index + 1)], properties: { [`m${index}`]: to(index + 1), x: to(index + 5) } },
      ]),
    );

  test.each(["allOf", "anyOf", "oneOf"])(
    "whose schemas fan out by %s is described without following every way",
    (keyword) => {
      const operation = created(responseOf(to(0)), { components: { schemas: fanOut(keyword) } });
      operation.responseErrors(200, "application/json", { x: { x: {} } });
      expect(operation.statuses).toEqual(["200"]);
    },
  );

  test("whose lists of schemas nest is compiled in time", () => {
    let schema: JsonObject = { type: "string" };
    for (let depth = 0; depth < 60; depth += 1) {
      schema = { anyOf: [schema, { type: "null" }] };
    }
    const operation = created(responseOf({ $ref: "#/components/schemas/A" }), {
      components: { schemas: { A: schema } },
    });
    expect(operation.responseErrors(200, "application/json", "a")).toEqual([]);
  });

  test("with too many schemas is not compiled, with a note", () => {
    const properties = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`m${index}`, { type: "string" }]),
    );
    const paths = { [legacyPath]: { post: responseOf({ type: "object", properties }) } };
    const api = describedAs(documentWith({ paths }));
    expect(api.operation("legacy", "create")?.responseErrors(200, "application/json", {})).toBeUndefined();
    expect(api.notes.join()).toContain("too-expensive");
  });

  test.each([
    [
      "parameters",
      { parameters: Array.from({ length: 50_000 }, (_, index) => ({ name: `p${index}`, in: "query", schema: {} })) },
    ],
    [
      "types",
      {
        responses: {
          200: {
            content: Object.fromEntries(
              Array.from({ length: 50_000 }, (_, index) => [`a/${index}+json`, { schema: {} }]),
            ),
          },
        },
      },
    ],
    [
      "values",
      { responses: { 200: { content: json({ enum: Array.from({ length: 200_000 }, (_, index) => index) }) } } },
    ],
  ])("whose operation has very many %s is described in time", (_, operation) => {
    expect(created(operation)).toMatchObject({ method: "POST", path: legacyPath });
  });

  test("with cyclic schemas validates nothing, with a note", () => {
    const schemas = { S0: { allOf: [{ $ref: "#/components/schemas/S0" }] } };
    const paths = { [legacyPath]: { post: responseOf({ $ref: "#/components/schemas/S0" }) } };
    const api = describedAs(documentWith({ paths, components: { schemas } }));
    expect(api.operation("legacy", "create")?.responseErrors(200, "application/json", {})).toBeUndefined();
    expect(api.notes.join()).toContain("too-deep");
  });

  test("distinguishes inherited names, and keeps text as text", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const own = (value: unknown): string => `{${names.map((name) => `"${name}":${JSON.stringify(value)}`).join()}}`;
    const responses = { 200: { description: "d" } };
    const schema: unknown = JSON.parse(
      `{"type":"object","required":${JSON.stringify(names)},"properties":${own({ type: "integer" })}}`,
    );
    const paths: unknown = JSON.parse(own({ get: { responses } }));
    const operationId = `<img src=x onerror=alert(1)>\u001b[2J`;
    const document = documentWith({
      paths: {
        ...Object.fromEntries(Object.entries(paths ?? {})),
        [legacyPath]: { post: { operationId, ...responseOf(schema) } },
      },
    });
    const api = describedAs(document);
    const create = api.operation("legacy", "create");
    expect(create?.operationId).toBe(operationId);
    expect(create?.responseErrors(200, "application/json", {})).toHaveLength(names.length);
    expect(create?.responseErrors(200, "application/json", JSON.parse(own(1)))).toEqual([]);
    expect(Reflect.has({}, "get")).toBe(false);
  });

  test("whose members have the wrong types is described without them", () => {
    const wrong: readonly unknown[] = [null, 1, "a", [], [null], { a: null }, true];
    for (const value of wrong) {
      const operation = { parameters: value, requestBody: value, responses: value, servers: value };
      const api = describedAs(
        documentWith({
          servers: value,
          components: { schemas: value },
          paths: { [legacyPath]: { post: operation, get: value } },
        }),
      );
      const create = api.operation("legacy", "create");
      expect(create?.responseErrors(200, "application/json", 1)).toBeUndefined();
    }
  });
});
