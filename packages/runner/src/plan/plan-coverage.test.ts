import { expect, test } from "vitest";
import { sequencePairs } from "../converse/generate-sequences.ts";
import { describePlanCoverage } from "./plan-coverage.ts";

const { partPairCount, neverTogether, neverWithout, commandPairCount } = describePlanCoverage();

test("nearly all parameters, filters, connections and tokens are combined in one search", () => {
  expect(partPairCount).toBe((10 * 9) / 2);
  expect(neverTogether).toEqual([
    "max-line-len with patternType:",
    "patternType: with no token",
    "a kept connection with no token",
  ]);
});

test("each part is set without each other one, except that most searches have a number of matches", () => {
  expect(neverWithout.filter((pair) => !pair.endsWith(" without count:"))).toEqual([]);
});

test("all pairs of commands are counted", () => {
  expect(commandPairCount).toBe(sequencePairs.length);
});
