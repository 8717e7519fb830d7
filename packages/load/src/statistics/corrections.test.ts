import fc from "fast-check";
import { expect, test } from "vitest";
import { benjaminiHochberg, bonferroniConfidence } from "./corrections.ts";

test.each([
  { intervals: 1, expected: 0.99 },
  { intervals: 3, expected: 0.99667 },
  { intervals: 5, expected: 0.998 },
  { intervals: 0, expected: 0.99 },
])("$intervals intervals share 1 % of error: each has $expected", ({ intervals, expected }) => {
  expect(bonferroniConfidence(0.01, intervals)).toBeCloseTo(expected, 5);
});

test.each([
  { name: "none", pValues: [], found: [] },
  { name: "one clear among noise", pValues: [0.9, 0.001, 0.4], found: [false, true, false] },
  { name: "a step that carries those before it", pValues: [0.03, 0.04, 0.05], found: [true, true, true] },
  { name: "nothing", pValues: [0.03, 0.2, 0.9], found: [false, false, false] },
  {
    name: "the example of 1995",
    pValues: [
      0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1,
    ],
    found: [true, true, true, true, ...Array.from({ length: 11 }, () => false)],
  },
])("Benjamini and Hochberg find $name", ({ pValues, found }) => {
  expect(benjaminiHochberg(pValues, 0.05)).toEqual(found);
});

test("findings have smaller p-values than the others, in any order", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (pValues) => {
      const found = benjaminiHochberg(pValues, 0.2);
      const yes = pValues.filter((_, index) => found[index] === true);
      const no = pValues.filter((_, index) => found[index] !== true);
      expect(Math.max(0, ...yes)).toBeLessThanOrEqual(Math.min(1, ...no));
    }),
  );
});
