import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseQuery } from "./parse-query.ts";
import type { PatternType, SearchQuery } from "./search-query.ts";

const queryOf = (text: string, type: PatternType = "standard"): SearchQuery | undefined => {
  const parsed = parseQuery(text, type);
  return parsed.ok ? parsed.query : undefined;
};

const literal = (text: string): object => ({ kind: "literal", text });
const regexp = (text: string): object => ({ kind: "regexp", text });

describe("terms", () => {
  test.each([
    { type: "standard", q: "a  b c", terms: [literal("a  b c")] },
    { type: "standard", q: "  a repo:x b  ", terms: [literal("a b")] },
    {
      type: "standard",
      q: "std::vector<int> https://x.org TODO: don't",
      terms: [literal("std::vector<int> https://x.org TODO: don't")],
    },
    { type: "standard", q: String.raw`"say \"hi\""`, terms: [literal('say "hi"')] },
    { type: "standard", q: "'a b' c", terms: [literal("a b c")] },
    { type: "standard", q: "/a b/ c", terms: [regexp("a b"), literal("c")] },
    { type: "standard", q: "/usr/lib", terms: [literal("/usr/lib")] },
    { type: "standard", q: '"and"', terms: [literal("and")] },
    { type: "standard", q: '""', terms: [] },
    { type: "standard", q: "repo:x", terms: [] },
    { type: "keyword", q: 'a "b c" /d/', terms: [literal("a"), literal("b c"), regexp("d")] },
    { type: "regexp", q: '(a|b)  "c', terms: [regexp('(a|b)  "c')] },
    { type: "regexp", q: String.raw`foo:\w+ x`, terms: [regexp(String.raw`foo:\w+ x`)] },
    { type: "standard", q: "a b patterntype:keyword", terms: [literal("a"), literal("b")] },
    { type: "keyword", q: "a b patternType:literal", terms: [literal("a b")] },
  ] as const)("of $q as $type", ({ q, terms, type }) => {
    expect(queryOf(q, type)?.terms).toEqual(terms);
  });
});

describe("filters", () => {
  test.each([
    { q: "r:a repo:b -r:c x", part: { repo: { include: ["a", "b"], exclude: ["c"] } } },
    { q: 'f:"a b" -file:c x', part: { file: { include: ["a b"], exclude: ["c"] } } },
    { q: "lang:ts -l:golang language:YAML", part: { lang: { include: ["TypeScript", "YAML"], exclude: ["Go"] } } },
    { q: 'lang:"jupyter notebook"', part: { lang: { include: ["Jupyter Notebook"], exclude: [] } } },
    { q: "x count:12", part: { count: 12 } },
    { q: "x count:all", part: { count: 1_000_000 } },
    { q: "x count:3 count:4", part: { count: 4 } },
    { q: "x CASE:yes", part: { caseSensitive: true } },
    { q: "x timeout:2m", part: { timeoutMs: 60_000 } },
    { q: "x timeout:1.5s", part: { timeoutMs: 1500 } },
    { q: "x type:file type:repo", part: { types: new Set(["file", "repo"]) } },
    { q: "x archived:yes fork:only", part: { caseSensitive: false } },
  ])("of $q", ({ part, q }) => {
    expect(queryOf(q)).toMatchObject(part);
  });
});

describe("an alert", () => {
  test.each([
    { q: "a or b", says: /operator or/u },
    { q: "NOT a", says: /operator NOT/u },
    { q: '"open', says: /quote is not closed/u },
    { q: 'repo:"open', says: /quote is not closed/u },
    { q: "fille:x", says: /nearest is file:/u },
    { q: "repo: x", says: /repo: needs a value/u },
    { q: "-count:3", says: /count: cannot be negated/u },
    { q: "count:-1", says: /positive number or all/u },
    { q: "case:maybe", says: /yes or no/u },
    { q: "timeout:soon", says: /a duration/u },
    { q: "lang:typescrip", says: /typescript/u },
    { q: "type:diff", says: /file, path or repo/u },
    { q: "patterntype:structural", says: /keyword on this server/u },
    { q: "repo:a@b", says: /no revision/u },
    { q: '"a\nb"', says: /several lines/u },
    { q: "a\u{0}b", says: /several lines/u },
  ])("says what is wrong with $q", ({ q, says }) => {
    expect(parseQuery(q, "standard")).toEqual({
      ok: false,
      alert: expect.objectContaining({ title: "Unable To Process Query", description: expect.stringMatching(says) }),
    });
  });

  test("proposes to search for the text of an unknown filter", () => {
    const parsed = parseQuery("key:value", "standard");
    expect(parsed).toMatchObject({ ok: false, alert: { proposedQueries: [{ query: '"key:value"' }] } });
    expect(queryOf('"key:value"')?.terms).toEqual([literal("key:value")]);
  });
});

test("every text is either understood or answered with an alert, and terms are never empty", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.constantFrom("standard", "keyword", "regexp"), (q, type) => {
      const parsed = parseQuery(q, type);
      const texts = parsed.ok ? parsed.query.terms.map(({ text }) => text) : [parsed.alert.title];
      expect(texts.every((text) => text !== "")).toBe(true);
    }),
  );
});
