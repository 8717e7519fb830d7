/* oxlint-disable unicorn/no-thenable -- JSON Schema has a keyword of this name. */
import { describe, expect, test } from "vitest";
import { compileValidators } from "./compile-validators.ts";
import type { Validator } from "./validator.ts";
import type { JsonObject } from "./json-object.ts";
import { findStrayReference } from "./stray-reference.ts";

/** Schemas of a document, where `A` validates values: valid ones, invalid ones, and those without a result. */
interface Row {
  readonly name: string;
  readonly schemas: JsonObject;
  readonly more?: JsonObject;
  readonly fits?: readonly unknown[];
  readonly departs?: readonly unknown[];
  /** Values by the keyword that leaves them open. */
  readonly unclear?: Readonly<Record<string, readonly unknown[]>>;
}

const documentOf = ({ schemas, more }: Pick<Row, "schemas" | "more">): JsonObject => {
  // Serialized and parsed: schemas are compared by identity, and a parsed document shares none.
  const parsed: JsonObject = JSON.parse(JSON.stringify({ openapi: "3.1.0", components: { schemas }, ...more }));
  return parsed;
};

const verdictOf = (validator: Validator | undefined, value: unknown): string => {
  const errors = validator?.errors(value) ?? expect.fail("no schema A");
  const doubts = validator?.doubts(value) ?? [];
  return errors.length > 0 ? "departs" : doubts.length > 0 ? doubts.join() : "fits";
};

/** Actual and expected results for the values of a row. */
const judged = (row: Row) => {
  const document = documentOf(row);
  const a = compileValidators(document).get("A");
  const of = (verdict: string, values: readonly unknown[] = []) => values.map((value) => ({ value, verdict }));
  const wanted = [
    ...of("fits", row.fits),
    ...of("departs", row.departs),
    ...Object.entries(row.unclear ?? {}).flatMap(([keyword, values]) => of(keyword, values)),
  ];
  const verdicts = wanted.map(({ value }) => ({ value, verdict: verdictOf(a, value) }));
  return { stray: findStrayReference(document), verdicts, wanted };
};

const refTo = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const text = { type: "string" };
const integer = { type: "integer" };

describe("references are followed by `$id`, anchors and pointers:", () => {
  const address = {
    $id: "https://schemas.example/address",
    type: "object",
    properties: { street: { $ref: "street" }, zip: { $ref: "#zip" }, place: { $ref: "#/$defs/place" } },
    $defs: {
      street: { $id: "street", ...text },
      zip: { $anchor: "zip", ...integer },
      place: { type: "boolean" },
    },
  };
  const fits = [{ street: "a", zip: 1, place: true }];
  const departs = [{ street: 1 }, { zip: "1" }, { place: 1 }];

  test.each<Row>([
    { name: "relative to an `$id`", schemas: { A: address }, fits, departs },
    { name: "an absolute one", schemas: { A: { $ref: "https://schemas.example/address" }, B: address }, fits, departs },
    {
      name: "one relative to the document",
      schemas: { A: { $ref: "schemas/address" }, B: { ...address, $id: "./schemas/address" } },
      fits,
      departs,
    },
    { name: "a URN", schemas: { A: { $ref: "urn:x:a" }, B: { ...text, $id: "urn:x:a" } }, fits: ["a"], departs: [1] },
    {
      name: "a pointer and an anchor inside another resource",
      schemas: {
        A: {
          prefixItems: [
            { $ref: "https://schemas.example/address#/$defs/place" },
            { $ref: "https://schemas.example/address#zip" },
            { $ref: "https://schemas.example/street" },
          ],
        },
        B: address,
      },
      fits: [[true, 1, "a"]],
      departs: [[1], [true, "a"], [true, 1, 1]],
    },
    {
      name: "the resource itself, again and again",
      schemas: { A: { $id: "tree", type: "object", properties: { next: { $ref: "#" }, other: { $ref: "tree" } } } },
      fits: [{ next: { other: {} } }],
      departs: [{ next: { other: 1 } }],
    },
    {
      name: "a pointer of the document from inside a resource without that pointer",
      schemas: { A: { $id: "a", items: refTo("B") }, B: text },
      fits: [["a"]],
      departs: [[1]],
    },
    {
      name: "a pointer in a resource before the same pointer in the document",
      schemas: { A: { $id: "a", items: { $ref: "#/info" }, info: text } },
      more: { info: { type: "integer" } },
      fits: [["a"]],
      departs: [[1]],
    },
    {
      name: "a schema in an extension, with an `$id` inside",
      schemas: { A: { prefixItems: [{ $ref: "#/x-schemas/B" }] } },
      more: { "x-schemas": { B: { $id: "b", items: { $ref: "c" }, $defs: { C: { $id: "c", ...text } } } } },
      fits: [[["a"]]],
      departs: [[[1]]],
    },
    {
      name: "siblings, which count in 3.1",
      schemas: { A: { ...refTo("B"), minLength: 2 }, B: text },
      fits: ["ab"],
      departs: ["a", 1],
    },
    {
      name: "data that only looks like a resource",
      schemas: { A: { enum: [{ $id: "b" }] }, B: { $id: "b", ...text }, C: { $ref: "b" } },
      fits: [{ $id: "b" }],
      departs: ["a"],
    },
  ])("$name", (row) => {
    const { stray, verdicts, wanted } = judged(row);
    expect(stray).toBeUndefined();
    expect(verdicts).toEqual(wanted);
  });

  test.each([
    { name: "an `$id` that two schemas have", schemas: { A: { $ref: "b" }, B: { $id: "b" }, C: { $id: "b" } } },
    { name: "another document", schemas: { A: { $id: "https://x.example/a", items: { $ref: "b" } } } },
    { name: "another document, although there is a member of this name", schemas: { A: { $ref: "B" }, B: text } },
  ])("$name is not found, and nothing is fetched", ({ schemas }) => {
    expect(findStrayReference(documentOf({ schemas }))).toMatchObject({ code: "external-reference" });
  });

  test.each([
    {
      name: "an anchor that two schemas have",
      schemas: { A: { $ref: "#b" }, B: { $anchor: "b" }, C: { $anchor: "b" } },
    },
    { name: "an anchor of another resource", schemas: { A: { $ref: "#b" }, B: { $id: "b", $anchor: "b" } } },
    { name: "a dead pointer", schemas: { A: { $ref: "b#/$defs/c" }, B: { $id: "b" } } },
    { name: "the document, which is not a schema", schemas: { A: { $ref: "#" } } },
  ])("$name leads nowhere", ({ schemas }) => {
    const unresolved = expect.objectContaining({ code: "unresolved-reference" });
    expect(() => compileValidators(documentOf({ schemas }))).toThrow(unresolved);
  });

  test("among at most 10,000 schemas with an `$id`", () => {
    const allOf = Array.from({ length: 10_001 }, (_, index) => ({ $id: `a${index}` }));
    expect(findStrayReference(documentOf({ schemas: { A: { allOf: allOf.slice(1) } } }))).toBeUndefined();
    expect(findStrayReference(documentOf({ schemas: { A: { allOf } } }))).toMatchObject({ code: "too-expensive" });
  });

  test("in 3.0, which has no `$id`, from the document", () => {
    const schemas = { A: { $id: "a", items: { $ref: "a" } } };
    expect(findStrayReference(documentOf({ schemas, more: { openapi: "3.0.3" } }))).toMatchObject({
      code: "external-reference",
    });
  });
});

describe("dynamic references lead to the outermost anchor:", () => {
  const list = {
    $id: "list",
    type: "array",
    items: { $dynamicRef: "#item" },
    $defs: { any: { $dynamicAnchor: "item" } },
  };
  const listOf = (id: string, item: JsonObject): JsonObject => ({
    $id: id,
    $ref: "list",
    $defs: { own: { $dynamicAnchor: "item", ...item } },
  });

  test.each<Row>([
    {
      name: "one for each list",
      schemas: {
        A: { properties: { texts: { $ref: "texts" }, numbers: { $ref: "numbers" }, any: { $ref: "list" } } },
        list,
        texts: listOf("texts", text),
        numbers: listOf("numbers", integer),
      },
      fits: [{ texts: ["a"], numbers: [1], any: ["a", 1] }],
      departs: [{ texts: [1] }, { numbers: ["a"] }],
    },
    {
      name: "a tree that is extended",
      schemas: {
        A: { $id: "strict", $dynamicAnchor: "node", $ref: "tree", unevaluatedProperties: false },
        tree: {
          $id: "tree",
          $dynamicAnchor: "node",
          type: "object",
          properties: { data: true, children: { type: "array", items: { $dynamicRef: "#node" } } },
        },
      },
      fits: [{ children: [{ data: 1 }] }],
      departs: [{ daat: 1 }, { children: [{ daat: 1 }] }],
    },
    {
      name: "the only one",
      schemas: { A: { items: { $dynamicRef: "#b" } }, B: { $dynamicAnchor: "b", ...text } },
      fits: [["a"]],
      departs: [[1]],
    },
    {
      name: "as a plain reference without a dynamic anchor",
      schemas: { A: { items: { $dynamicRef: "#b" } }, B: { $anchor: "b", ...text } },
      fits: [["a"]],
      departs: [[1]],
    },
    {
      name: "an ambiguous one is not followed",
      schemas: {
        A: { type: "array", items: { $dynamicRef: "#b" } },
        B: { $dynamicAnchor: "b", ...text },
        C: { $dynamicAnchor: "b", ...integer },
      },
      fits: [[]],
      departs: [1],
      unclear: { $dynamicRef: [["a"], [1]] },
    },
  ])("$name", (row) => {
    const { stray, verdicts, wanted } = judged(row);
    expect(stray).toBeUndefined();
    expect(verdicts).toEqual(wanted);
  });
});

describe("an unsupported keyword leaves open what depends on it, and nothing else:", () => {
  const open = { $recursiveRef: "#" };

  test.each<Row>([
    {
      name: "a member",
      schemas: { A: { type: "object", required: ["b"], properties: { a: open, b: text } } },
      fits: [{ b: "" }],
      departs: [{}, { a: 1 }, { a: 1, b: 1 }],
      unclear: { $recursiveRef: [{ a: 1, b: "" }] },
    },
    {
      name: "by a reference",
      schemas: { A: { items: refTo("B") }, B: { allOf: [refTo("C"), text] }, C: open },
      fits: [[], 1],
      departs: [[1]],
      unclear: { $recursiveRef: [["a"]] },
    },
    {
      name: "invalid schemas",
      schemas: { A: { not: { allOf: [open, text] } } },
      fits: [1],
      unclear: { $recursiveRef: ["a"] },
    },
    {
      name: "twice not",
      schemas: { A: { not: { not: { allOf: [open, text] } } } },
      departs: [1],
      unclear: { $recursiveRef: ["a"] },
    },
    {
      name: "one of several",
      schemas: { A: { oneOf: [{ allOf: [open, { maximum: 5 }] }, { minimum: 3 }, { minimum: 8 }] } },
      fits: [6],
      departs: [9],
      unclear: { $recursiveRef: [1, 4] },
    },
    {
      name: "any of several",
      schemas: { A: { anyOf: [{ allOf: [open, { maximum: 5 }] }, { minimum: 3 }] } },
      fits: [4, 6],
      unclear: { $recursiveRef: [1] },
    },
    {
      name: "a condition",
      schemas: { A: { if: { ...open, maximum: 5 }, then: { multipleOf: 2 }, else: { multipleOf: 3 } } },
      fits: [6, 12, 9],
      departs: [1, 7, 8],
      unclear: { $recursiveRef: [2, 3] },
    },
    {
      name: "what follows from a condition",
      schemas: { A: { if: { maximum: 5 }, then: { allOf: [open, { multipleOf: 2 }] } } },
      fits: [7],
      departs: [1],
      unclear: { $recursiveRef: [2] },
    },
    {
      name: "a number of elements",
      schemas: { A: { type: "array", contains: { ...open, type: "integer" }, maxContains: 1, minContains: 1 } },
      departs: [["a"], []],
      unclear: { $recursiveRef: [[1], [1, 2]] },
    },
    {
      name: "unevaluated members",
      schemas: { A: { allOf: [{ properties: { a: open } }], required: ["b"], unevaluatedProperties: false } },
      departs: [{ a: 1 }],
      unclear: { $recursiveRef: [{ b: 1 }, { a: 1, b: 1 }] },
    },
    {
      name: "keywords of other drafts",
      schemas: { A: { properties: { a: { dependencies: { b: ["c"] } }, d: { additionalItems: false } } } },
      fits: [{}],
      unclear: { "additionalItems,dependencies": [{ a: {} }, { d: [] }] },
    },
    {
      name: "schemas of another draft",
      schemas: {
        A: { properties: { b: { $ref: "b" }, c: text } },
        B: {
          $id: "b",
          $schema: "http://json-schema.org/draft-07/schema#",
          $ref: "#/definitions/c",
          minLength: 2,
          definitions: { c: text },
        },
      },
      fits: [{ c: "" }],
      departs: [{ b: 1, c: 1 }],
      unclear: { $schema: [{ b: "a" }] },
    },
    {
      name: "a document of another draft",
      schemas: { A: text },
      more: { jsonSchemaDialect: "https://json-schema.org/draft/2019-09/schema" },
      unclear: { jsonSchemaDialect: ["a", 1] },
    },
    {
      name: "unevaluated elements next to a keyword that evaluates some",
      schemas: { A: { type: "array", contains: text, unevaluatedItems: false } },
      departs: [[1], 1],
      unclear: { unevaluatedItems: [["a"], ["a", 1]] },
    },
  ])("$name", (row) => {
    const { stray, verdicts, wanted } = judged(row);
    expect(stray).toBeUndefined();
    expect(verdicts).toEqual(wanted);
  });

  test("with a note", () => {
    const notes: string[] = [];
    compileValidators(documentOf({ schemas: { A: open } }), { onNote: (note) => notes.push(note) });
    expect(notes).toEqual([
      "The keyword `$recursiveRef` is not supported in this use; schemas that depend on it are not tested.",
    ]);
  });

  test("and is copied once, however many references it has", () => {
    const next = (index: number): readonly JsonObject[] => [refTo(`S${index + 1}`), refTo(`S${index + 1}`)];
    const schemas = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`S${index}`, { oneOf: next(index), not: { anyOf: next(index) } }]),
    );
    const budget = { valuesLeft: 15_000 };
    compileValidators(documentOf({ schemas: { A: refTo("S0"), ...schemas, S40: open } }), { budget });
    expect(budget.valuesLeft).toBeGreaterThan(13_000);
  });

  test("and nested choices are compiled in time", () => {
    let schema: JsonObject = open;
    for (let depth = 0; depth < 60; depth += 1) {
      schema = depth % 2 === 0 ? { oneOf: [schema, text] } : { if: schema, then: { not: text } };
    }
    expect(() =>
      compileValidators(documentOf({ schemas: { A: { items: schema } } }), { budget: { valuesLeft: 15_000 } }),
    ).not.toThrow();
  });
});

describe("a discriminator", () => {
  const kind = { properties: { kind: text }, required: ["kind"] };
  const Cat = { ...kind, type: "object", properties: { ...kind.properties, lives: integer } };
  const Dog = { ...kind, type: "object", properties: { ...kind.properties, lives: text } };
  const branches = [refTo("Cat"), refTo("Dog")];
  const mapping = { cat: "#/components/schemas/Cat", dog: "Dog" };
  const choice = (keyword: string, more: JsonObject = {}): JsonObject => ({
    A: { [keyword]: branches, discriminator: { propertyName: "kind", ...more } },
    Cat,
    Dog,
  });

  test.each<Row>([
    {
      name: "picks one of several, by the names of the schemas",
      schemas: choice("oneOf"),
      fits: [{ kind: "Cat", lives: 9 }],
      departs: [{ lives: 9 }, { kind: "Dog", lives: true }],
      unclear: { discriminator: [{ kind: "Cat" }, { kind: "Dog", lives: 9 }, { kind: "Cow", lives: 9 }] },
    },
    {
      name: "picks any of several",
      schemas: choice("anyOf"),
      fits: [{ kind: "Cat", lives: 9 }, { kind: "Dog" }],
      departs: [{ kind: "Dog", lives: true }, {}],
      unclear: { discriminator: [{ kind: "Dog", lives: 9 }, { kind: "Cow" }] },
    },
    {
      name: "picks by a mapping, to references and to names",
      schemas: choice("anyOf", { mapping }),
      fits: [{ kind: "cat", lives: 9 }, { kind: "dog" }],
      departs: [{ kind: "cat", lives: true }],
      unclear: { discriminator: [{ kind: "dog", lives: 9 }, { kind: "Cat" }] },
    },
    {
      name: "never picks a schema that has no name",
      schemas: { ...choice("anyOf"), A: { anyOf: [...branches, Cat], discriminator: { propertyName: "kind" } } },
      fits: [{ kind: "Cat", lives: 9 }],
      unclear: { discriminator: [{ kind: "Cow", lives: 9 }] },
    },
    {
      name: "of schemas without names is ignored",
      schemas: { A: { anyOf: [Cat, Dog], discriminator: { propertyName: "kind" } } },
      fits: [{ kind: "Cow", lives: 9 }],
      departs: [{ kind: "Cow", lives: true }],
    },
    {
      name: "of a parent is ignored",
      schemas: {
        A: { ...Cat, discriminator: { propertyName: "kind" } },
        B: { allOf: [refTo("A"), { required: ["b"] }] },
      },
      fits: [{ kind: "B" }],
      departs: [{}],
    },
    {
      name: "is not needed if the tags exclude each other",
      schemas: {
        ...choice("anyOf", { mapping }),
        Cat: { ...Cat, properties: { kind: { const: "cat" }, lives: integer } },
        Dog: { ...Dog, properties: { kind: { enum: ["dog", "puppy"] } } },
      },
      fits: [{ kind: "cat" }, { kind: "puppy" }],
      departs: [{ kind: "cow" }, { kind: "cat", lives: "" }, 1],
    },
    {
      name: "leaves open what depends on something else",
      schemas: {
        ...choice("oneOf", { mapping }),
        Cat: { ...Cat, properties: { kind: { const: "cat" }, lives: { $recursiveRef: "#" } } },
        Dog: { ...Dog, properties: { kind: { const: "dog" } } },
      },
      fits: [{ kind: "cat" }, { kind: "dog", lives: 1 }],
      departs: [{ kind: "cow" }],
      unclear: { $recursiveRef: [{ kind: "cat", lives: 1 }] },
    },
  ])("$name", (row) => {
    const { stray, verdicts, wanted } = judged(row);
    expect(stray).toBeUndefined();
    expect(verdicts).toEqual(wanted);
  });
});

describe("a schema of OpenAPI 3.0", () => {
  const more = { openapi: "3.0.3" };

  test.each<Row>([
    {
      name: "permits null by `nullable`",
      schemas: { A: { ...text, nullable: true } },
      fits: ["a", null],
      departs: [1],
    },
    {
      name: "leaves open if a list of values without null forbids it",
      schemas: { A: { ...text, nullable: true, enum: ["a"] } },
      fits: ["a"],
      departs: ["b", 1],
      unclear: { nullable: [null] },
    },
    {
      name: "permits null in a list of values",
      schemas: { A: { ...text, nullable: true, enum: ["a", null] } },
      fits: ["a", null],
      departs: ["b"],
    },
    {
      name: "leaves open if parts forbid null",
      schemas: { A: { nullable: true, allOf: [refTo("B")] }, B: { type: "object" } },
      fits: [{}],
      departs: [1],
      unclear: { nullable: [null] },
    },
    {
      name: "leaves open if a reference forbids null",
      schemas: { A: { items: { nullable: true, ...refTo("B") } }, B: { type: "object" } },
      fits: [[{}]],
      departs: [[1]],
      unclear: { nullable: [[null]] },
    },
    {
      name: "ignores siblings of a reference",
      schemas: { A: { ...refTo("B"), minLength: 2, discriminator: { propertyName: "a" }, required: ["a"] }, B: text },
      fits: ["a"],
      departs: [1],
    },
    {
      name: "has exclusive bounds by flags and by numbers",
      schemas: { A: { prefixItems: [{ minimum: 1, exclusiveMinimum: true }, { exclusiveMaximum: 5 }] } },
      fits: [[2, 4]],
      departs: [[1], [2, 5]],
    },
  ])("$name", (row) => {
    const { stray, verdicts, wanted } = judged({ ...row, more });
    expect(stray).toBeUndefined();
    expect(verdicts).toEqual(wanted);
  });
});

describe("members only for requests", () => {
  const secret = { properties: { secret: { ...text, writeOnly: true } } };

  test.each<Row>([
    {
      name: "are not required",
      schemas: { A: { ...secret, required: ["secret", "b"] } },
      fits: [{ b: 1 }],
      departs: [{}],
    },
    { name: "have their type", schemas: { A: secret }, departs: [{ secret: 1 }] },
    {
      name: "for answers are",
      schemas: { A: { properties: { a: { readOnly: true } }, required: ["a"] } },
      departs: [{}],
    },
    {
      name: "are marked in the target of a reference",
      schemas: { A: { properties: { b: refTo("B") }, required: ["b"] }, B: { ...text, writeOnly: true } },
      fits: [{}],
    },
    {
      name: "may be marked in one part and required in another",
      schemas: { A: { allOf: [secret, { required: ["secret", "b"] }] } },
      fits: [{ secret: "", b: 1 }],
      departs: [{}],
      unclear: { writeOnly: [{ b: 1 }] },
    },
    {
      name: "of one schema differ from those of another",
      schemas: { A: { properties: { a: secret, secret: integer }, required: ["secret"] } },
      departs: [{}],
    },
  ])("$name", (row) => {
    const { stray, verdicts, wanted } = judged(row);
    expect(stray).toBeUndefined();
    expect(verdicts).toEqual(wanted);
  });
});

describe("a supported keyword", () => {
  const base = { type: "object", properties: { a: text } };

  test.each<Row>([
    {
      name: "unevaluatedProperties",
      schemas: { A: { allOf: [refTo("B")], properties: { b: true }, unevaluatedProperties: false }, B: base },
      fits: [{ a: "", b: 1 }],
      departs: [{ c: 1 }],
    },
    {
      name: "unevaluatedProperties after a condition without a consequence",
      schemas: { A: { if: { properties: { a: text }, required: ["a"] }, unevaluatedProperties: false } },
      fits: [{ a: "" }, {}],
      departs: [{ a: 1 }, { a: "", b: 1 }],
    },
    {
      name: "additionalProperties next to allOf, whose members it does not see",
      schemas: { A: { allOf: [refTo("B")], properties: { b: true }, additionalProperties: false }, B: base },
      fits: [{ b: 1 }],
      departs: [{ a: "" }],
    },
    {
      name: "dependentSchemas and dependentRequired",
      schemas: { A: { dependentSchemas: { a: { required: ["b"] } }, dependentRequired: { b: ["c"] } } },
      fits: [{}, { a: 1, b: 1, c: 1 }],
      departs: [{ a: 1 }, { b: 1 }],
    },
    {
      name: "if, then and else",
      schemas: { A: { if: { type: "string" }, then: { minLength: 1 }, else: { minimum: 1 } } },
      fits: ["a", 1],
      departs: ["", 0],
    },
    {
      name: "contentMediaType, which never decides",
      schemas: {
        A: { ...text, contentMediaType: "application/json", contentEncoding: "base64", contentSchema: integer },
      },
      fits: ["{"],
      departs: [1],
    },
    {
      name: "format, unknown, which never decides",
      schemas: { A: { ...text, format: "ours" } },
      fits: ["a"],
      departs: [1],
    },
    { name: "a boolean", schemas: { A: { properties: { a: true, b: false } } }, fits: [{ a: 1 }], departs: [{ b: 1 }] },
    {
      name: "circles",
      schemas: { A: { properties: { a: refTo("B") } }, B: { items: refTo("A"), type: "array" } },
      fits: [{ a: [{ a: [] }] }],
      departs: [{ a: [{ a: 1 }] }],
    },
    {
      name: "contains, in a list that is shorter than prefixItems",
      schemas: { A: { prefixItems: [text, text, text], contains: { minLength: 2 }, uniqueItems: true } },
      fits: [["a", "ab"]],
      departs: [[], ["a"], ["ab", "ab"]],
    },
    {
      name: "unevaluatedItems, which sees adjacent items",
      schemas: { A: { prefixItems: [text], unevaluatedItems: integer } },
      fits: [["a", 1]],
      departs: [["a", "b"]],
    },
  ])("$name", (row) => {
    const { stray, verdicts, wanted } = judged(row);
    expect(stray).toBeUndefined();
    expect(verdicts).toEqual(wanted);
  });
});
