import { describe, expect, test } from "vitest";
import { mentionsFilter, extractFilter } from "./query-filter.ts";

describe("a filter", () => {
  test.each<{ query: string; remainingQuery: string; value: string | undefined }>([
    { query: "a b count:5", remainingQuery: "a b", value: "5" },
    { query: "count:5 a b", remainingQuery: "a b", value: "5" },
    { query: "a  count:all b", remainingQuery: "a b", value: "all" },
    { query: "COUNT:5 a", remainingQuery: "a", value: "5" },
    { query: "count:5", remainingQuery: "", value: "5" },
    { query: "count: a", remainingQuery: "a", value: "" },
    { query: " a  b ", remainingQuery: "a  b", value: undefined },
    { query: "discount:5", remainingQuery: "discount:5", value: undefined },
    { query: 'say "hello" (or not)', remainingQuery: 'say "hello" (or not)', value: undefined },
    { query: "file:a/b count:5", remainingQuery: "file:a/b", value: "5" },
    { query: "a patternType:regexp count:5", remainingQuery: "a patternType:regexp", value: "5" },
  ])("is taken out of `$query`", ({ query, remainingQuery, value }) => {
    expect(extractFilter(query, "count")).toEqual({ remainingQuery, value });
  });

  test.each([
    "a count:5 count:6",
    "a -count:5",
    "a (count:5)",
    'a "count:5"',
    'a "b count:5 c"',
    "a 'b count:5 c'",
    "a `b count:5 c`",
    "(a or b) count:5",
    "/a count:5 b/",
    "a /b count:5 c/",
    "not:count:5",
  ])("is not removed from `%s`, where it is ambiguous", (query) => {
    expect(extractFilter(query, "count")).toBeUndefined();
  });

  test("for a pattern type is known by its name", () => {
    expect(extractFilter("a te.t patternType:regexp", "patterntype")).toEqual({
      remainingQuery: "a te.t",
      value: "regexp",
    });
    expect(extractFilter("a count:5", "patterntype")).toEqual({ remainingQuery: "a count:5", value: undefined });
  });
});

describe("a query mentions a filter", () => {
  test.each([
    { query: "a patternType:regexp", mentions: true },
    { query: '"patterntype:"', mentions: true },
    { query: "a pattern Type:regexp", mentions: false },
    { query: "a count:5", mentions: false },
  ])("`$query`: $mentions", ({ query, mentions }) => {
    expect(mentionsFilter(query, "patterntype")).toBe(mentions);
  });
});
