import { expect, test } from "vitest";
import { sequencePairs } from "../converse/generate-sequences.ts";
import { describePlanCoverage } from "./plan-coverage.ts";

const { partPairCount, neverTogether, neverWithout, differenceCount, neverVaried, commandPairCount } =
  describePlanCoverage();

test("nearly all parameters, filters, connections and tokens are combined in one search", () => {
  expect(partPairCount).toBe((10 * 9) / 2);
  expect(neverTogether).toEqual(["patternType: with no token", "a kept connection with no token"]);
});

test("each part is set without each other one, except that most searches have a number of matches", () => {
  expect(neverWithout.filter((pair) => !pair.endsWith(" without count:"))).toEqual([]);
});

test("each parameter and filter is varied while each other one is set, and on a kept connection", () => {
  expect(differenceCount).toBe(8 * 8);
  expect(neverVaried).toEqual([]);
});

test("all pairs of commands are counted", () => {
  expect(commandPairCount).toBe(sequencePairs.length);
});
