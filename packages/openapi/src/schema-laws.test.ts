import { repetitions } from "@assay/tools/proving";
import { defined } from "@assay/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileValidators } from "./compile-validators.ts";
import { isJsonObject } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";

/** A schema with marked parts: `x-apart` is moved elsewhere and referenced, `x-open` gets an unsupported keyword. */
type MarkedSchema = JsonObject | boolean;

const names = ["a", "b", "c"] as const;
const small = fc.integer({ min: 0, max: 3 });
const name = fc.constantFrom(...names);

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: "value" },
    fc.oneof(small, fc.constantFrom(null, true, false, "", "a", "ab", 1.5, -1)),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

const withKeyword = (keyword: string, arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<JsonObject> =>
  arbitrary.map((content) => ({ [keyword]: content }));

const byName = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<JsonObject> =>
  fc.dictionary(name, arbitrary, { minKeys: 1, maxKeys: 2, noNullPrototype: true });

/** A keyword that restricts a value directly. */
const plain = fc.oneof(
  withKeyword(
    "type",
    fc.constantFrom("string", "integer", "number", "object", "array", "null", "boolean", ["string", "null"]),
  ),
  withKeyword("enum", fc.uniqueArray(value, { minLength: 1, maxLength: 3, selector: (one) => JSON.stringify(one) })),
  withKeyword("const", value),
  withKeyword("minimum", small),
  withKeyword("exclusiveMaximum", small),
  withKeyword("multipleOf", fc.constantFrom(1, 2)),
  withKeyword("minLength", small),
  withKeyword("pattern", fc.constantFrom("^a", "b$", "^(a|ab)*$")),
  withKeyword("maxItems", small),
  withKeyword("uniqueItems", fc.boolean()),
  withKeyword("minProperties", small),
  withKeyword("required", fc.uniqueArray(name, { maxLength: 2 })),
  withKeyword("dependentRequired", byName(fc.uniqueArray(name, { maxLength: 2 }))),
);

/** Keywords that contain schemas. */
const parts = (part: fc.Arbitrary<unknown>): fc.Arbitrary<JsonObject> => {
  const list = fc.array(part, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    withKeyword("properties", byName(part)),
    withKeyword(
      "patternProperties",
      part.map((one) => ({ "^a": one })),
    ),
    withKeyword("additionalProperties", part),
    withKeyword("propertyNames", part),
    withKeyword("dependentSchemas", byName(part)),
    withKeyword("items", part),
    withKeyword("prefixItems", list),
    withKeyword("allOf", list),
    withKeyword("anyOf", list),
    withKeyword("oneOf", list),
    withKeyword("not", part),
    fc.record(
      { contains: part, minContains: small, maxContains: small },
      { requiredKeys: ["contains"], noNullPrototype: true },
    ),
    // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema has a keyword of this name.
    fc.record({ if: part, then: part, else: part }, { requiredKeys: ["if"], noNullPrototype: true }),
  );
};

const { schema } = fc.letrec<{ schema: MarkedSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthIdentifier: "schema" },
    { weight: 1, arbitrary: fc.boolean() },
    { weight: 3, arbitrary: plain },
    {
      weight: 8,
      arbitrary: fc
        .tuple(plain, parts(tie("schema")), parts(tie("schema")), fc.integer({ min: 0, max: 7 }))
        .map(([own, one, other, bits]) => ({
          ...(bits < 4 ? own : {}),
          ...one,
          ...(bits < 6 ? other : {}),
          "x-apart": bits % 2 === 0,
          "x-open": bits === 3 || bits === 6,
        })),
    },
  ),
}));

/**
 * A copy in which `change` replaces every marked object. Does not distinguish keywords and names, because no name is a mark.
 */
const changed = (marked: unknown, change: (marked: JsonObject, rest: JsonObject) => unknown): unknown => {
  if (Array.isArray(marked)) {
    return marked.map((element: unknown) => changed(element, change));
  }
  if (!isJsonObject(marked)) {
    return marked;
  }
  const entries = Object.entries(marked).filter(([key]) => !key.startsWith("x-"));
  const rest = Object.fromEntries(entries.map(([key, child]) => [key, changed(child, change)]));
  return Object.hasOwn(marked, "x-apart") ? change(marked, rest) : rest;
};

/** A document whose schema `A` references every separate part by pointer, anchor or relative URL. */
const documentOf = (marked: MarkedSchema, isOpen: (marks: JsonObject) => boolean): JsonObject => {
  const apart: Record<string, unknown> = {};
  const A = changed(marked, (marks, rest) => {
    const own = isOpen(marks) ? { ...rest, $recursiveRef: "#" } : rest;
    if (marks["x-apart"] !== true) {
      return own;
    }
    const index = Object.keys(apart).length;
    const place = `P${index}`;
    const [reference, more] = [
      [`#/components/schemas/${place}`, {}],
      [`https://x.example/api#${place}`, { $anchor: place }],
      [`/schemas/${place}`, { $id: `/schemas/${place}` }],
      [
        `https://x.example/${place}#in`,
        { $id: `https://x.example/${place}`, $defs: { in: { $anchor: "in", ...own } } },
      ],
    ][index % 4] ?? ["", {}];
    apart[place] = Object.hasOwn(Object(more), "$defs") ? more : { ...Object(more), ...own };
    return { $ref: reference };
  });
  const document: JsonObject = JSON.parse(
    JSON.stringify({ openapi: "3.2.0", $self: "https://x.example/api", components: { schemas: { A, ...apart } } }),
  );
  return document;
};

const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false });
// No schema here needs evaluated members, and tracking them makes some checks throw.
ajv.opts.unevaluated = false;

/** ajv ignores `contains` if a list is shorter than an adjacent `prefixItems`. A separate part means the same. */
const withContainsApart = ({ contains, minContains, maxContains, ...rest }: JsonObject): JsonObject =>
  contains === undefined
    ? rest
    : {
        ...rest,
        allOf: [
          { ...defined({ contains, minContains, maxContains }) },
          ...(Array.isArray(rest["allOf"]) ? rest["allOf"] : []),
        ],
      };

const oracle = (plainSchema: unknown): ((value: unknown) => boolean) => {
  const check = ajv.compile(isJsonObject(plainSchema) ? plainSchema : plainSchema === true);
  return (one) => check(one);
};

describe("a schema of a document", () => {
  test("gives the result of Ajv with inlined references", () => {
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 5, maxLength: 10 }), (marked, values) => {
        const validator = compileValidators(documentOf(marked, () => false)).get("A");
        const isFit = oracle(changed(marked, (_, rest) => withContainsApart(rest)));
        for (const one of values) {
          expect([one, validator?.errors(one).length === 0, validator?.doubts(one)]).toEqual([one, isFit(one), []]);
        }
      }),
      { numRuns: repetitions(200, 1000) },
    );
  });

  test("gives the same result for any meaning of an unsupported keyword", () => {
    const seen = { fits: 0, departs: 0, unclear: 0 };
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 5, maxLength: 10 }), (marked, values) => {
        const isOpen = (marks: JsonObject): boolean => marks["x-open"] === true;
        const validator = compileValidators(documentOf(marked, isOpen)).get("A");
        // The keyword may allow everything, nothing, or some values.
        const meanings = [true, false, { type: "object" }, { not: { type: "object" } }];
        const oracles = meanings.map((meaning) =>
          oracle(
            changed(marked, (marks, rest) =>
              isOpen(marks) ? { allOf: [withContainsApart(rest), meaning] } : withContainsApart(rest),
            ),
          ),
        );
        for (const one of values) {
          const departs = validator?.errors(one).length !== 0;
          const verdict = departs ? "departs" : validator?.doubts(one).length === 0 ? "fits" : "unclear";
          seen[verdict] += 1;
          const answers = new Set(oracles.map((isFit) => (isFit(one) ? "fits" : "departs")));
          expect([one, ...(verdict === "unclear" ? [] : answers)]).toEqual([
            one,
            ...(verdict === "unclear" ? [] : [verdict]),
          ]);
        }
      }),
      { numRuns: repetitions(200, 1000) },
    );
    expect(seen.fits + seen.departs).toBeGreaterThan(seen.unclear);
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });
});
