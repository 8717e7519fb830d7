import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileValidators } from "./compile-validators.ts";
import type { CompileOptions } from "./compile-validators.ts";
import { ownDocuments } from "./description/describe-api.ts";
import { ownObject } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";
import type { Validator } from "./validator.ts";

const documentWith = (schemas: JsonObject): JsonObject => ({ openapi: "3.1.0", components: { schemas } });

const compile = (schemas: JsonObject, options: CompileOptions = {}): Validator => {
  const validator = compileValidators(documentWith(schemas), options).get("A");
  return validator ?? expect.fail("no schema A");
};

const toA = { $ref: "#/components/schemas/A" };
const codeIs = (code: string): unknown => expect.objectContaining({ name: "HarnessError", code });

describe("compiled validators", () => {
  test("exist for every schema, by name", () => {
    const names = ["A", "B.c-d_1", "toString", "__proto__"];
    const schemas = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    const validators = compileValidators(documentWith(schemas));
    expect([...validators.keys()]).toEqual(names);
    expect([...validators.values()].map((validator) => [validator.check("a"), validator.check(1)])).toEqual(
      names.map(() => [true, false]),
    );
  });

  // Trusted at run time and compiled one by one on demand.
  test.each(ownDocuments.map((document, index) => ({ index, document })))(
    "are there for every schema of our own document $index, which fit the meta-schema",
    ({ document }) => {
      const names = Object.keys(ownObject(ownObject(document, "components"), "schemas"));
      expect(names.length).toBeGreaterThan(5);
      expect([...compileValidators(document).keys()]).toEqual(names);
      const answers = [...compileValidators(document, { trust: "own" }).values()].map((one) => one.errors(null));
      expect(answers).toHaveLength(names.length);
      expect(answers.flat().length).toBeGreaterThan(0);
    },
  );

  test("of our own documents are compiled on first use, and throw then if they cannot be", () => {
    const validator = compile({ A: { type: "strin" } }, { trust: "own" });
    expect(() => validator.check("a")).toThrow(codeIs("cannot-compile"));
  });

  test("are none for a document without schemas", () => {
    expect(compileValidators({ openapi: "3.1.0" }).size).toBe(0);
  });

  test.each(["toString", "constructor", "hasOwnProperty", "__proto__", "valueOf"])(
    "demand an own member %s",
    (name) => {
      const validator = compile({ A: { type: "object", required: [name] } });
      expect(validator.check({})).toBe(false);
      expect(validator.check(JSON.parse(`{"${name}": 1}`))).toBe(true);
    },
  );

  test("do not check inherited members", () => {
    expect(compile({ A: { properties: { toString: { type: "string" } } } }).check({})).toBe(true);
  });

  test("follow references into components, into their parts and into the rest of the document", () => {
    const document = {
      ...documentWith({
        A: {
          properties: {
            whole: { $ref: "#/components/schemas/B" },
            part: { $ref: "#/components/schemas/B/properties/c" },
            away: { $ref: "#/paths/~1x~0y/schema" },
            anchor: { $ref: "#/$defs/local" },
          },
        },
        B: { properties: { c: { type: "integer" } } },
      }),
      paths: { "/x~y": { schema: { type: "boolean" } } },
      $defs: { local: { enum: [1] } },
    };
    const a = compileValidators(document).get("A");
    expect(a?.errors({ whole: { c: 1 }, part: 2, away: true, anchor: 1 })).toEqual([]);
    expect(a?.errors({ whole: { c: "1" }, part: "2", away: 0, anchor: 2 }).map(({ pointer }) => pointer)).toEqual([
      "/whole/c",
      "/part",
      "/away",
      "/anchor",
    ]);
  });

  test.each(["anyOf", "oneOf", "allOf"])("are fast for a reference to %s in %s, sixty deep", (keyword) => {
    let schema: JsonObject = { type: "string" };
    for (let depth = 0; depth < 60; depth += 1) {
      schema = { [keyword]: [schema, { minLength: 1 }] };
    }
    const validators = compileValidators(documentWith({ A: { items: { $ref: "#/components/schemas/B" } }, B: schema }));
    expect(validators.get("A")?.check([""])).toBe(keyword === "anyOf" || keyword === "oneOf");
  });

  test("judge trees by schemas that refer to themselves", () => {
    const tree = compile({ A: { type: "object", properties: { left: toA, right: toA } } });
    expect(tree.check({ left: { right: {} } })).toBe(true);
    expect(tree.check({ left: { right: 1 } })).toBe(false);
  });

  test.each([
    { name: "a reference to nowhere", schema: { $ref: "#/components/schemas/Nowhere" }, code: "unresolved-reference" },
    { name: "a pointer to nowhere", schema: { $ref: "#/paths/x" }, code: "unresolved-reference" },
    { name: "a reference out of the document", schema: { $ref: "file:///etc/passwd" }, code: "unresolved-reference" },
    { name: "an invalid type", schema: { type: "text" }, code: "cannot-compile" },
    { name: "required as a text", schema: { required: "abc" }, code: "cannot-compile" },
    { name: "a pattern with a look-ahead", schema: { pattern: "(?=a)" }, code: "unsafe-pattern" },
    { name: "an invalid pattern", schema: { pattern: "(" }, code: "cannot-compile" },
  ])("refuse $name", ({ schema, code }) => {
    expect(() => compile({ A: schema })).toThrow(codeIs(code));
  });

  test.each([
    { name: "format", schema: { type: "string", format: "our-own" }, note: "`our-own`" },
    { name: "keyword", schema: { type: "string", ourOwn: true }, note: "`ourOwn`" },
  ])("let an unknown $name pass and note it", ({ schema, note }) => {
    const notes: string[] = [];
    const validator = compile({ A: schema }, { onNote: (text) => notes.push(text) });
    expect([validator.check("a"), validator.check(1)]).toEqual([true, false]);
    expect(notes).toEqual([expect.stringContaining(note)]);
  });

  test("add no note for annotations, extensions and known formats", () => {
    const notes: string[] = [];
    const schema = {
      type: "string",
      example: 1,
      xml: {},
      "x-ours": 1,
      description: "d",
      format: "date-time",
      deprecated: true,
    };
    compile({ A: schema }, { onNote: (text) => notes.push(text) });
    expect(notes).toEqual([]);
  });

  test("never allow a schema to make a check asynchronous, or to read a limit from the value", () => {
    const validator = compile({ A: { $async: true, type: "object", properties: { a: { maximum: 1 } } } });
    expect(validator.check({ a: 2 })).toBe(false);
    expect(() => compile({ A: { maximum: { $data: "1/b" } } })).toThrow(codeIs("cannot-compile"));
  });

  test("keep data in enum and const unchanged, even if it looks like a reference", () => {
    const validator = compile({ A: { const: { $ref: "file:///etc/passwd" } } });
    expect([validator.check({ $ref: "file:///etc/passwd" }), validator.check({})]).toEqual([true, false]);
  });
});

describe("schemas of OpenAPI 3.0", () => {
  const compile30 = (schema: JsonObject): Validator | undefined =>
    compileValidators({ openapi: "3.0.3", components: { schemas: { A: schema, B: { type: "string" } } } }).get("A");

  test.each([
    { name: "nullable", schema: { type: "string", nullable: true }, fits: ["a", null], not: [1] },
    { name: "not nullable", schema: { type: "string", nullable: false }, fits: ["a"], not: [null] },
    { name: "nullable without a type", schema: { nullable: true, minLength: 1 }, fits: ["a", null], not: [""] },
    { name: "an exclusive minimum", schema: { minimum: 1, exclusiveMinimum: true }, fits: [2], not: [1] },
    { name: "a minimum that is not exclusive", schema: { minimum: 1, exclusiveMinimum: false }, fits: [1], not: [0] },
    { name: "an exclusive maximum", schema: { maximum: 1, exclusiveMaximum: true }, fits: [0], not: [1] },
    {
      name: "a reference with siblings",
      schema: { $ref: "#/components/schemas/B", minLength: 2 },
      fits: ["a"],
      not: [1],
    },
  ])("mean what they meant: $name", ({ schema, fits, not }) => {
    const validator = compile30(schema);
    expect(fits.map((value) => validator?.errors(value))).toEqual(fits.map(() => []));
    expect(not.map((value) => validator?.check(value))).toEqual(not.map(() => false));
  });

  test("are not read that way in 3.1, where nullable is unknown", () => {
    const notes: string[] = [];
    const validator = compile({ A: { type: "string", nullable: true } }, { onNote: (note) => notes.push(note) });
    expect([validator.check(null), notes]).toEqual([false, [expect.stringContaining("`nullable`")]]);
  });
});

describe("a foreign document cannot keep a check busy:", () => {
  test("with a pattern that backtracks", () => {
    const validator = compile({ A: { type: "string", pattern: "^(a+)+$" } });
    expect([validator.check(`${"a".repeat(20_000)}!`), validator.check("aaa")]).toEqual([false, true]);
  });

  test("with a second pattern, which is not taken for the first", () => {
    const validator = compile({ A: { properties: { a: { pattern: "^(a+)+$" }, b: { pattern: "^(b+)+$" } } } });
    expect(validator.errors({ a: "b", b: "b" }).map(({ pointer }) => pointer)).toEqual(["/a"]);
  });

  test("with a schema that is only a reference to itself", () => {
    expect(() => compile({ A: toA }).check({})).toThrow(codeIs("too-deep"));
  });

  test("with references that double at each of fifty steps", () => {
    const schemas = Array.from({ length: 50 }, (_, index) => {
      const next = { $ref: `#/components/schemas/S${index + 1}` };
      return [`S${index}`, { allOf: [next, next] }] as const;
    });
    const validator = compile({ A: { $ref: "#/components/schemas/S0" }, ...Object.fromEntries(schemas), S50: {} });
    expect(() => validator.check({})).toThrow(codeIs("too-expensive"));
  });

  test("with a value deeper than the stack", () => {
    const deep: unknown = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    expect(() => compile({ A: { type: "array", items: toA } }).check(deep)).toThrow(codeIs("too-deep"));
  });

  test("with a list of very many values", () => {
    const many = Array.from({ length: 300_000 }, (_, index) => index);
    expect(compile({ A: { enum: many } }).check(299_999)).toBe(true);
  });

  test("with elements that have to be unique", () => {
    const unique = compile({ A: { uniqueItems: true } });
    const many = Array.from({ length: 20_000 }, (_, index) => ({ a: { b: [index] } }));
    expect(unique.check(many)).toBe(true);
    expect(unique.check([...many, { a: { b: [0] } }])).toBe(false);
  });
});

describe("the errors of a value", () => {
  const list = compile({ A: { type: "array", items: { type: "object", required: ["a", "b"] } } });

  test("are at most 20", () => {
    expect(list.errors(Array.from({ length: 1000 }, () => ({})))).toHaveLength(20);
  });

  test("are one if the value is too large for all of them", () => {
    expect(list.errors(Array.from({ length: 30_000 }, () => ({})))).toHaveLength(1);
  });

  test.each([
    { schema: { type: ["string", "null"] }, value: 1, message: "must be string or null" },
    { schema: { required: ["a"] }, value: {}, message: "must have the member `a`" },
    { schema: { const: "x" }, value: 1, message: 'must be "x"' },
    { schema: { enum: ["x", "y"] }, value: 1, message: 'must be one of "x", "y"' },
    { schema: { maxProperties: 0 }, value: { a: 1 }, message: "must have no members" },
    { schema: { uniqueItems: true }, value: [1, 1], message: "must not have equal elements" },
    { schema: { anyOf: [{ type: "string" }, { type: "null" }] }, value: 1, message: "must be string" },
  ])("have a sentence: $message", ({ schema, value, message }) => {
    expect(
      compile({ A: schema })
        .errors(value)
        .map((error) => error.message),
    ).toEqual([message]);
  });

  test("exist exactly if the value is invalid", () => {
    const schemas = {
      A: { anyOf: [{ type: "array", items: toA }, { type: "object", required: ["a"] }, { const: 1 }] },
    };
    const validator = compile(schemas);
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(validator.errors(value).length === 0).toBe(validator.check(value));
      }),
    );
  });
});

describe("a discriminator", () => {
  const branch = (type: string, member: string): JsonObject => ({
    type: "object",
    required: ["type", member],
    properties: { type: { const: type } },
  });
  const oneOf = [{ $ref: "#/components/schemas/B" }, { $ref: "#/components/schemas/C" }];
  const branches = { B: branch("b", "x"), C: branch("c", "y") };
  const mapping = { b: "#/components/schemas/B", c: "#/components/schemas/C" };

  test("reports the errors of the intended branch", () => {
    const validator = compile({ A: { oneOf, discriminator: { propertyName: "type", mapping } }, ...branches });
    expect(validator.errors({ type: "c" })).toEqual([
      { pointer: "", message: "must have the member `y`", keyword: "required", missing: "y" },
    ]);
    expect(validator.errors({ type: "d" })).toMatchObject([{ keyword: "discriminator" }]);
  });

  test.each([
    { name: "maps values to other branches", discriminator: { propertyName: "type", mapping: { b: mapping.c } } },
    { name: "names a member without a list of values", discriminator: { propertyName: "x" } },
    { name: "names no member", discriminator: {} },
  ])("that $name is a mere hint", ({ discriminator }) => {
    const validator = compile({ A: { oneOf, discriminator }, ...branches });
    expect([validator.check({ type: "c", y: 1 }), validator.check({ type: "b", x: 1 })]).toEqual([true, true]);
    expect([validator.check({ type: "c", x: 1 }), validator.check({})]).toEqual([false, false]);
  });

  test("changes no verdict", () => {
    const plain = compile({ A: { oneOf }, ...branches });
    const tagged = compile({ A: { oneOf, discriminator: { propertyName: "type", mapping } }, ...branches });
    const object = fc.record(
      { type: fc.constantFrom("b", "c", "d", 1), x: fc.constant(1), y: fc.constant(1) },
      { requiredKeys: [], noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.oneof(object, fc.jsonValue({ maxDepth: 1 })), (value) => {
        expect(tagged.check(value)).toBe(plain.check(value));
      }),
    );
  });

  test("leaves values other than objects to the branches", () => {
    const forAnything = { B: { required: ["type"], properties: { type: { const: "b" } } } };
    const validator = compile({ A: { oneOf: [oneOf[0]], discriminator: { propertyName: "type" } }, ...forAnything });
    expect([validator.check(1), validator.check({ type: "b" }), validator.check({})]).toEqual([true, true, false]);
  });
});

test("beyond the maximum contain one of each kind before a second one of any", () => {
  const validator = compile({ A: { type: "array", items: { type: "object", properties: { a: { type: "string" } } } } });
  const errors = validator.errors([...Array.from({ length: 40 }, () => 5), { a: 5 }]);
  expect(errors).toHaveLength(20);
  expect(errors.at(-1)).toEqual({ pointer: "/40/a", message: "must be string", keyword: "type" });
});

test("mark a value with more errors than reported, and a large value, as partial", () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`m${index}`, { type: "string" }]));
  const validator = compile({ A: { type: "object", properties: { ...many, list: { type: "array" } } } });
  const isPartial = (value: unknown) => new Set(validator.errors(value).map((error) => error.isTruncated));
  const wrong = Object.fromEntries(Object.keys(many).map((key) => [key, 5]));
  expect(isPartial(wrong)).toEqual(new Set([true]));
  expect(isPartial({ m0: 5, list: Array.from({ length: 20_001 }, () => 1) })).toEqual(new Set([true]));
  expect(isPartial({ m0: 5 })).toEqual(new Set([undefined]));
});
