import { expect, test } from "vitest";
import { counted, firstNames, listNames } from "./sentence-parts.ts";

test("a count has its noun in singular or plural", () => {
  expect([0, 1, 2].map((count) => counted(count, "rule"))).toEqual(["0 rules", "1 rule", "2 rules"]);
  expect([1, 2].map((count) => counted(count, "query", "queries"))).toEqual(["1 query", "2 queries"]);
});

test.each([
  [[], [], ""],
  [["a", "b"], ["a", "b"], "a, b"],
  [["a", "b", "c"], ["a", "b", "1 more"], "a, b and 1 more"],
  [["a", "b", "c", "d"], ["a", "b", "2 more"], "a, b and 2 more"],
])("at most two names of %j are listed, and the number of the others", (names, first, listed) => {
  expect([firstNames(names, 2), listNames(names, 2)]).toEqual([first, listed]);
});
