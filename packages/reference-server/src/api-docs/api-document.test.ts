import { currentOpenApi, eventNames, legacyOpenApi, searchPath, searchStreamOpenApi } from "@assay/contract";
import { expect, test } from "vitest";
import { apiDocument } from "./api-document.ts";

const at = (path: readonly string[], value: unknown = apiDocument): unknown =>
  path.reduce<unknown>((part, name) => Reflect.get(Object(part), name), value);

const stated: Readonly<Record<string, unknown>> = {
  ...searchStreamOpenApi.components.schemas,
  ...legacyOpenApi.components.schemas,
  ...currentOpenApi.components.schemas,
};
const served = Object(at(["components", "schemas"]));

/** Names of the schemas that a value refers to, in the documents of the interfaces. */
const reachable = (value: unknown, known = new Set<string>()): ReadonlySet<string> => {
  for (const [, name = ""] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/gu)) {
    if (!known.has(name)) {
      reachable(stated[name], known.add(name));
    }
  }
  return known;
};

const operations = Object.values(Object(at(["paths"]))).flatMap((item) => Object.values(Object(item)));

const stream = at(["paths", searchPath, "get", "responses", "200", "content", "text/event-stream"]);

test("a stream is described by its events, objects whose data is JSON in a string", () => {
  expect(at(["schema"], stream)).toMatchObject({
    type: "object",
    required: ["event", "data"],
    properties: { event: { type: "string" }, data: { type: "string", contentMediaType: "application/json" } },
  });
});

test.each(eventNames)("the data of the event %s has its own schema", (name) => {
  const chosen = { if: { properties: { event: { const: name } } } };
  const contentSchema = at(["x-event-data", name], stream);
  expect(stated).toHaveProperty(String(at(["$ref"], contentSchema)).replace("#/components/schemas/", ""));
  expect(at(["schema", "allOf"], stream)).toContainEqual(
    expect.objectContaining({
      ...chosen,
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { properties: { data: { type: "string", contentMediaType: "application/json", contentSchema } } },
    }),
  );
});

test("responses are described as in the documents of the interfaces", () => {
  const names = [...reachable(operations.map((operation) => at(["responses"], operation)))];
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => JSON.stringify(served[name]) !== JSON.stringify(stated[name]))).toEqual([]);
});

test("constraints on requests refer to existing schemas and members", () => {
  const members = (schemas: object) =>
    Object.entries(schemas).map(([name, schema]) => [name, Object.keys(Object(at(["properties"], schema)))]);
  expect(members(served)).toEqual(members(stated));
});

test.each([
  { schema: "LegacyCreateRequest", member: "question", fits: ["a", " 日本 "], refused: ["", " \n", "\uFEFF"] },
  {
    schema: "CurrentNameRequest",
    member: "name",
    fits: ["users/~self/conversations/7", "users/1/conversations/x"],
    refused: ["", "users/1", "users//conversations/7", "users/1/conversations/7/"],
  },
  { schema: "CurrentListRequest", member: "pageToken", fits: ["", "MDo3"], refused: ["=", "a b"] },
])("$member of $schema has the form that the server requires", ({ fits, member, refused, schema }) => {
  const pattern = new RegExp(String(at(["properties", member, "pattern"], served[schema])), "u");
  expect([...fits, ...refused].filter((text) => pattern.test(text))).toEqual(fits);
});

test("the example query finds something in most repositories", () => {
  expect(at(["paths", searchPath, "get", "parameters", "0"])).toMatchObject({
    name: "q",
    schema: { examples: ["test"] },
  });
});

test("numbers in lists of the legacy interface start at 1", () => {
  const parameters: readonly { readonly schema: { readonly type: string; readonly minimum?: number } }[] =
    Object.values(Object(at(["paths", "/.api/deepsearch/v1", "get", "parameters"])));
  const numbers = parameters.filter(({ schema }) => schema.type === "integer");
  expect(numbers.map(({ schema }) => schema.minimum)).toEqual([1, 1, 1]);
});
