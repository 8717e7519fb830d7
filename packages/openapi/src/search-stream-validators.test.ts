import { repetitions } from "@assay/tools/proving";
import { compileFunction } from "node:vm";
import { searchStreamOpenApi } from "@assay/contract";
import type { SearchStreamSchemaName } from "@assay/contract";
import type { ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import { assert, describe, expect, test } from "vitest";
import { checkedSchemas } from "./compile-search-stream.ts";
import { compileValidators } from "./compile-validators.ts";
import type { JsonObject } from "./json-object.ts";
import { generateSearchStreamChecks } from "./generate-validators.ts";
import { compileNamedValidators } from "./named-validators.ts";
import { searchStreamValidators } from "./search-stream-validators.ts";
import { createValidator } from "./validator.ts";
import type { Validator } from "./validator.ts";

const validators = compileNamedValidators(searchStreamOpenApi);
const schemas: Readonly<Record<string, JsonObject>> = searchStreamOpenApi.components.schemas;

const text = fc.string({ maxLength: 8 });
const integer = fc.integer();
const count = fc.nat();
const filled = text.filter((value) => /\S/u.test(value));
const object = <T>(members: { [Name in keyof T]: fc.Arbitrary<T[Name]> }): fc.Arbitrary<T> =>
  fc.record<T>(members, { noNullPrototype: true });
const optionally = <T>(members: { [Name in keyof T]: fc.Arbitrary<T[Name]> }): fc.Arbitrary<object> =>
  fc.record(members, { noNullPrototype: true, requiredKeys: [] }).map((value) => ({ ...value }));
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value);
const few = <T>(element: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(element, { maxLength: 3 });
const both = <A extends object, B extends object>(left: fc.Arbitrary<A>, right: fc.Arbitrary<B>): fc.Arbitrary<A & B> =>
  fc.tuple(left, right).map(([a, b]) => ({ ...a, ...b }));

const position = object({ offset: count, line: count, column: count });
const range = object({ start: position, end: position });
const lineMatch = object({ line: text, lineNumber: count, offsetAndLengths: few(fc.tuple(integer, integer)) });
const suggestedQuery = object({ title: text, queryExpression: text });
const openMatch = (type: string): fc.Arbitrary<object> => object({ type: fc.constant(type) });
const contentMatch = both(
  object({
    type: fc.constant("content"),
    path: text,
    repositoryID: integer,
    repository: text,
    hunks: orNull(few(fc.jsonValue({ maxDepth: 1 }))),
  }),
  optionally({
    pathMatches: few(range),
    repoStars: integer,
    repoLastFetched: fc.constantFrom("2024-05-17T08:30:00Z", "2024-05-17T08:30:00.123456789+02:00"),
    branches: few(text),
    commit: fc.constantFrom("0123abc", "0".repeat(40), "A1".repeat(32)),
    lineMatches: few(lineMatch),
    language: text,
  }),
);
const match = fc.oneof(contentMatch, openMatch("path"), openMatch("commit"), openMatch("diff"), openMatch("repo"));
const skipped = both(
  object({ reason: text, title: text, message: text, severity: text }),
  optionally({ suggested: suggestedQuery }),
);
const progress = both(
  object({ done: fc.boolean(), matchCount: count, durationMs: count }),
  optionally({
    repositoriesCount: count,
    skipped: few(skipped),
    trace: fc.constantFrom("https://traces.example/1?a=b", "/-/traces/1"),
  }),
);
const filterSuggestion = object({ value: filled, label: text, count, exhaustive: fc.boolean(), kind: text });

/** Valid values for every schema of the document. */
const fitting: Readonly<Record<SearchStreamSchemaName, fc.Arbitrary<unknown>>> = {
  AlertEvent: fc.dictionary(text, fc.jsonValue({ maxDepth: 1 }), { noNullPrototype: true }),
  CommitMatch: openMatch("commit"),
  ContentMatch: contentMatch,
  DiffMatch: openMatch("diff"),
  DoneEvent: fc.constant({}),
  FilterSuggestion: filterSuggestion,
  FiltersEvent: few(filterSuggestion),
  LineMatch: lineMatch,
  Match: match,
  MatchesEvent: few(match),
  PathMatch: openMatch("path"),
  Position: position,
  Progress: progress,
  ProgressEvent: progress,
  Range: range,
  RepoMatch: openMatch("repo"),
  Skipped: skipped,
  SuggestedQuery: suggestedQuery,
  SymbolMatch: openMatch("symbol"),
};
const names = Object.keys(validators).filter((name): name is SearchStreamSchemaName => name in fitting);

const sampleOf = (name: SearchStreamSchemaName): JsonObject => ({
  ...Object(fc.sample(fitting[name], { numRuns: 1, seed: 7 })[0]),
});
const membersOf = (name: string): readonly string[] => Object.keys(schemas[name]?.["properties"] ?? {});
const requiredOf = (name: string): readonly string[] =>
  membersOf(name).filter((member) => JSON.stringify(schemas[name]?.["required"] ?? []).includes(`"${member}"`));
const memberCases = (select: (name: string) => readonly string[]): { name: SearchStreamSchemaName; member: string }[] =>
  names.filter((name) => name !== "Match").flatMap((name) => select(name).map((member) => ({ name, member })));
const optionalOf = (name: string): readonly string[] => {
  const required = new Set(requiredOf(name));
  return membersOf(name).filter((member) => !required.has(member));
};

/** A copy in which every object has additional, unknown members. */
const withUnknownMembers = (value: unknown, extra: unknown): unknown => {
  if (Array.isArray(value)) {
    return value.map((element: unknown) => withUnknownMembers(element, extra));
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries([
        ...Object.entries(value).map(([name, member]) => [name, withUnknownMembers(member, extra)] as const),
        ...["addedLater", "toString", "__proto__", ""].map((name) => [name, extra] as const),
      ])
    : value;
};

const runGenerated = (allErrors: boolean): Readonly<Record<string, ValidateFunction>> => {
  const functions: Record<string, ValidateFunction> = {};
  compileFunction(generateSearchStreamChecks(allErrors), ["exports"])(functions);
  return functions;
};

const generatedValidator = (name: (typeof checkedSchemas)[number]): Validator => {
  const [first, all] = [runGenerated(false)[name], runGenerated(true)[name]];
  assert(first !== undefined && all !== undefined);
  return createValidator({ firstError: () => first, allErrors: () => all });
};

/** Replaces one member at random, also inside of members. */
const withWrongMember = (value: unknown, wrong: unknown, places: readonly number[]): unknown => {
  const [place, ...others] = places;
  if (place === undefined || typeof value !== "object" || value === null) {
    return wrong;
  }
  const entries = Object.entries(value);
  const changed = entries.map(([name, member], index) =>
    index === place % entries.length ? [name, withWrongMember(member, wrong, others)] : [name, member],
  );
  return Array.isArray(value) ? changed.map(([, member]) => member) : Object.fromEntries(changed);
};

describe("generated checks", () => {
  test.each(checkedSchemas)("report the same errors of %s as compiled ones", (name) => {
    const generated = generatedValidator(name);
    fc.assert(
      fc.property(fitting[name], fc.jsonValue({ maxDepth: 2 }), fc.array(fc.nat(), { maxLength: 5 }), (...given) => {
        for (const value of [given[0], withWrongMember(...given)]) {
          expect([generated.check(value), generated.errors(value), generated.doubts(value)]).toEqual([
            validators[name].check(value),
            validators[name].errors(value),
            [],
          ]);
        }
      }),
      { numRuns: repetitions(200, 2000) },
    );
  });
});

describe("validators of the own document", () => {
  test("exist for every schema", () => {
    expect(names.toSorted()).toEqual(Object.keys(schemas).toSorted());
  });

  test("are compiled once", () => {
    expect(searchStreamValidators()).toBe(searchStreamValidators());
  });

  test.each(names)("accept every %s", (name) => {
    fc.assert(
      fc.property(fitting[name], (value) => {
        expect(validators[name].errors(value)).toEqual([]);
      }),
      { numRuns: repetitions(12, 50) },
    );
  });

  test.each(names.filter((name) => name !== "DoneEvent"))("accept a %s with unknown members", (name) => {
    fc.assert(
      fc.property(fitting[name], fc.jsonValue({ maxDepth: 1 }), (value, extra) => {
        expect(validators[name].errors(withUnknownMembers(value, extra))).toEqual([]);
      }),
      { numRuns: repetitions(12, 50) },
    );
  });

  test.each(memberCases(requiredOf))("do not take a $name without $member", ({ name, member }) => {
    const { [member]: removed, ...rest } = sampleOf(name);
    expect(removed).toBeDefined();
    expect(validators[name].check(rest)).toBe(false);
    expect(validators[name].errors(rest)).toMatchObject([
      { pointer: "", message: `must have the member \`${member}\``, keyword: "required" },
    ]);
  });

  test.each(memberCases(optionalOf))("take a $name without $member, and not with null for it", ({ name, member }) => {
    const { [member]: _removed, ...rest } = sampleOf(name);
    expect(validators[name].errors(rest)).toEqual([]);
    expect(validators[name].errors({ ...rest, [member]: null })).toHaveLength(1);
  });

  test.each(memberCases(membersOf))("do not take a $name whose $member has another type", ({ name, member }) => {
    // No member of the document has this type: neither an object nor a list of listed values.
    const wrong = { ...sampleOf(name), [member]: 1.5 };
    expect(validators[name].check(wrong)).toBe(false);
    expect(validators[name].errors(wrong)[0]).toMatchObject({ pointer: `/${member}` });
  });

  test.each(names)("agree for %s whether they stop at the first error or not, and trust or not", (name) => {
    const foreign = compileValidators(searchStreamOpenApi).get(name);
    fc.assert(
      fc.property(fc.oneof(fitting[name], fc.jsonValue({ maxDepth: 2 })), (value) => {
        const fits = validators[name].check(value);
        expect([validators[name].errors(value).length === 0, foreign?.check(value)]).toEqual([fits, fits]);
      }),
      { numRuns: repetitions(12, 50) },
    );
  });

  test.each([
    { name: "MatchesEvent", value: {}, because: "an object instead of an array" },
    { name: "MatchesEvent", value: [{}], because: "a match without a type" },
    { name: "MatchesEvent", value: [null], because: "null as a match" },
    { name: "MatchesEvent", value: [{ type: 1 }], because: "a type that is not a string" },
    { name: "MatchesEvent", value: [{ type: "person" }], because: "an unlisted type" },
    { name: "MatchesEvent", value: [{ type: "toString" }], because: "an inherited member as a type" },
    { name: "MatchesEvent", value: [{ type: "content" }], because: "an empty content match" },
    { name: "AlertEvent", value: "text", because: "a text as an alert" },
    { name: "AlertEvent", value: [], because: "an array as an alert" },
    { name: "AlertEvent", value: null, because: "null as an alert" },
    { name: "DoneEvent", value: { x: 1 }, because: "a done with content" },
    { name: "DoneEvent", value: [], because: "an array as done" },
    { name: "DoneEvent", value: null, because: "null as done" },
    { name: "FiltersEvent", value: {}, because: "an object as filters" },
    { name: "LineMatch", value: { line: "", lineNumber: 1, offsetAndLengths: [[1]] }, because: "half a pair" },
    { name: "LineMatch", value: { line: "", lineNumber: 1, offsetAndLengths: [[1, 2.5]] }, because: "a fraction" },
    {
      name: "LineMatch",
      value: { line: "", lineNumber: 1, offsetAndLengths: [[1, 2, 3]] },
      because: "three of a pair",
    },
    { name: "Position", value: { offset: JSON.parse("1e999"), line: 0, column: 0 }, because: "an infinite offset" },
  ] as const)("do not take $because as $name", ({ name, value }) => {
    expect(validators[name].check(value)).toBe(false);
    expect(validators[name].errors(value).length).toBeGreaterThan(0);
  });

  test.each([
    ["2024-05-17T08:30:00Z", true],
    ["2024-05-17T08:30:00.123456Z", true],
    ["2024-05-17T08:30:00.123456789+02:00", true],
    ["0001-01-01T00:00:00Z", true],
    ["2024-05-17T08:30", true],
    ["20240517T083000Z", true],
    ["2016-12-31T23:59:60Z", true],
    ["2024-02-29T08:30:00Z", true],
    ["2023-02-29T08:30:00Z", false],
    ["2023-03-29T08:30:00Z", true],
    ["2024-13-17T08:30:00Z", false],
    ["2024-05-17", false],
    ["yesterday", false],
    ["1715934600", false],
    ["", false],
  ])("of a time of fetching %j say %s", (repoLastFetched, fits) => {
    expect(validators.ContentMatch.check({ ...sampleOf("ContentMatch"), repoLastFetched })).toBe(fits);
  });

  test.each([
    ["0123abc", true],
    ["A1".repeat(32), true],
    ["", false],
    [" ", false],
    ["HEAD", false],
    ["0123ab", false],
    ["a".repeat(65), false],
    [null, false],
  ])("of a commit %j say %s: it is a hash where it is there", (commit, fits) => {
    expect(validators.ContentMatch.check({ ...sampleOf("ContentMatch"), commit })).toBe(fits);
  });

  test.each([
    ["https://traces.example/1", true],
    ["/-/traces/1", true],
    ["", false],
    ["trace 17", false],
    [null, false],
  ])("of a trace %j say %s: it is an address where it is there", (trace, fits) => {
    expect(validators.ProgressEvent.check({ ...sampleOf("ProgressEvent"), trace })).toBe(fits);
  });

  test.each([
    ["hunks", true],
    ["pathMatches", false],
    ["branches", false],
    ["lineMatches", false],
  ])("of null for the list `%s` of a content match say %s", (name, fits) => {
    expect(validators.ContentMatch.check({ ...sampleOf("ContentMatch"), [name]: null })).toBe(fits);
  });

  test("do not accept null for any other list", () => {
    const line = { line: "", lineNumber: 1, offsetAndLengths: null };
    expect([
      validators.MatchesEvent.check(null),
      validators.FiltersEvent.check(null),
      validators.LineMatch.check(line),
      validators.ProgressEvent.check({ ...sampleOf("ProgressEvent"), skipped: null }),
    ]).toEqual([false, false, false, false]);
  });
});
