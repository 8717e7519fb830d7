import fc from "fast-check";
import { anyCharacter } from "@assay/tools/any-character";
import { describe, expect, test } from "vitest";
import { listTerms, listShownTerms } from "./expression.ts";
import type { Expression } from "./expression.ts";
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

/** Writes an expression with all parentheses. */
const written = (expression: Expression): string => {
  switch (expression.kind) {
    case "term":
      return expression.term.kind === "regexp" ? `/${expression.term.text}/` : expression.term.text;
    case "not":
      return `!${written(expression.part)}`;
    case "and":
    case "or":
      return expression.parts.length === 1
        ? expression.parts.map(written).join("")
        : `(${expression.parts.map(written).join(expression.kind === "and" ? " & " : " | ")})`;
  }
};

describe("operators", () => {
  test.each([
    { q: "a or b", gives: "(a | b)" },
    { q: "a AND b OR c", gives: "((a & b) | c)" },
    { q: "a or b and c", gives: "(a | (b & c))" },
    { q: "(a or b) and c", gives: "((a | b) & c)" },
    { q: "((a or b) and c) or d", gives: "(((a | b) & c) | d)" },
    { q: "not a", gives: "!a" },
    { q: "a not b", gives: "(a & !b)" },
    { q: "a and not (b or c)", gives: "(a & !(b | c))" },
    { q: "not not a", gives: "!!a" },
    { q: "some words and more words", gives: "(some words & more words)" },
    { q: 'not "a b" c', gives: "(!a b & c)" },
    { q: "not a b c", gives: "(!a & b c)" },
    { q: "x (a or b) y", gives: "(x & (a | b) & y)" },
    { q: "a repo:x or b file:y", gives: "(a | b)" },
    { q: "f(x) or (a|b)", gives: "(f(x) | (a|b))" },
    { q: "(f(x) or b) and g()", gives: "((f(x) | b) & g())" },
    { q: String.raw`\(a or b\)`, gives: String.raw`(\(a | b\))` },
    { q: "(/a b/ or c)", gives: "(/a b/ | c)" },
    { q: "(c or /a b/)", gives: "(c | /a b/)" },
    { q: '("a or b" and c)', gives: "(a or b & c)" },
    { q: "a And b", gives: "a And b" },
    { q: "call(a, b) (c)", gives: "call(a, b) (c)" },
    { q: "android or order", gives: "(android | order)" },
    { q: "a b or c", type: "keyword", gives: "((a & b) | c)" },
    { q: "not a b", type: "keyword", gives: "(!a & b)" },
    { q: "a+ b or (c|d)", type: "regexp", gives: "(/a+ b/ | /(c|d)/)" },
  ] as const)("of $q", ({ gives, q, ...rest }) => {
    const expression = queryOf(q, "type" in rest ? rest.type : "standard")?.expression;
    expect(written(expression ?? { kind: "and", parts: [] })).toBe(gives);
  });

  test("show only terms under an even number of not", () => {
    const expression = queryOf("a and not (b or not c) and d")?.expression;
    expect(listShownTerms(expression ?? { kind: "and", parts: [] }).map(({ text }) => text)).toEqual(["a", "c", "d"]);
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
    { q: "x type:commit type:diff type:symbol", part: { types: new Set(["commit", "diff", "symbol"]) } },
    { q: "x select:repo", part: { select: { kind: "repo" } } },
    { q: "x select:symbol", part: { select: { kind: "symbol" } } },
    { q: "x select:symbol.type-parameter", part: { select: { kind: "symbol", symbolKind: "typeparameter" } } },
    { q: "x select:Commit.Diff", part: { select: { kind: "diff" } } },
    { q: "x archived:yes fork:only", part: { caseSensitive: false } },
  ])("of $q", ({ part, q }) => {
    expect(queryOf(q)).toMatchObject(part);
  });
});

describe("an alert", () => {
  test.each([
    { q: "a or", says: /operator `or` needs/u },
    { q: "and a", says: /operator `and` needs/u },
    { q: "a and or b", says: /operator `and` needs/u },
    { q: "a NOT", says: /operator `not` must be followed/u },
    { q: "not not", says: /operator `not` must be followed/u },
    { q: 'a or ""', says: /operator `or` needs/u },
    { q: "(a or b", says: /not closed/u },
    { q: "a or b)", says: /unmatched closing/u },
    { q: "( ) or a", says: /parentheses are empty/u },
    { q: '( "" ) or a', says: /parentheses are empty/u },
    { q: "(repo:x a) or b", says: /filter inside parentheses/u },
    { q: `${"not ".repeat(60)}a`, says: /nested at most 50 levels deep/u },
    { q: `${"(".repeat(60)}a or b${")".repeat(60)}`, says: /nested at most 50 levels deep/u },
    { q: `a${" or b".repeat(100)}`, says: /100 terms/u },
    { q: "type:commit lang:go x", says: /not supported with type:commit/u },
    { q: "select:file.owners x", says: /one of: repo, .*, commit, commit\.diff/u },
    { q: '"open', says: /quote is not closed/u },
    { q: 'repo:"open', says: /quote is not closed/u },
    { q: "fille:x", says: /Did you mean file:\?/u },
    { q: "repo: x", says: /repo: needs a single-line value/u },
    { q: "-count:3", says: /count: cannot be negated/u },
    { q: "count:-1", says: /positive number or all/u },
    { q: "case:maybe", says: /yes or no/u },
    { q: "timeout:soon", says: /a duration/u },
    { q: "lang:typescrip", says: /typescript/u },
    { q: "type:person", says: /one of: .*symbol, commit, diff/u },
    { q: "patterntype:structural", says: /one of: .*keyword/u },
    { q: "repo:a@b", says: /Remove @b\./u },
    { q: '"a\nb"', says: /several lines/u },
    { q: "a\u{0}b", says: /several lines/u },
  ])("explains the error in $q", ({ q, says }) => {
    expect(parseQuery(q, "standard")).toEqual({
      ok: false,
      alert: expect.objectContaining({ title: "Unable To Process Query", description: expect.stringMatching(says) }),
    });
  });

  test("suggests a search for the text of an unknown filter", () => {
    const parsed = parseQuery("key:value", "standard");
    expect(parsed).toMatchObject({ ok: false, alert: { proposedQueries: [{ query: '"key:value"' }] } });
    expect(queryOf('"key:value"')?.terms).toEqual([literal("key:value")]);
  });
});

test("every text is parsed or gives an alert, and terms are never empty", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.constantFrom("standard", "keyword", "regexp"), (q, type) => {
      const parsed = parseQuery(q, type);
      const texts = parsed.ok ? parsed.query.terms.map(({ text }) => text) : [parsed.alert.title];
      expect(texts.every((text) => text !== "")).toBe(true);
    }),
  );
});

test("operators and parentheses in any order are parsed or give an alert", () => {
  const pieces = ["and", "or", "not", "(", ")", "a", '"b c"', "/d/", "f(x)", "x)", "(y", "repo:x", " ", " ", " "];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...pieces)),
      fc.constantFrom("standard", "keyword", "regexp"),
      (parts, type) => {
        const parsed = parseQuery(parts.join(""), type);
        const texts = parsed.ok ? listTerms(parsed.query.expression).map(({ text }) => text) : [parsed.alert.title];
        expect(texts.every((text) => text !== "")).toBe(true);
      },
    ),
  );
});
