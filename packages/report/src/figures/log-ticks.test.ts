import * as fc from "fast-check";
import { expect, test } from "vitest";
import { computeLogDomain, listLogTicks } from "./log-ticks.ts";

test.each([
  { name: "two decades", ends: [1, 100], ticks: [1, 2, 5, 10, 20, 50, 100] },
  { name: "less than one decade", ends: [11, 32], ticks: [15, 20, 30] },
  { name: "many decades", ends: [1, 1e6], ticks: [1, 10, 100, 1000, 10_000, 100_000, 1e6] },
])("an axis over $name has round values", ({ ends: [low = 0, high = 0], ticks }) => {
  expect(listLogTicks(low, high).map((tick) => Number(tick.toPrecision(6)))).toEqual(ticks);
});

test("a domain has all positive values, is never empty, and ignores other values", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.double({ min: 1e-3, max: 1e9 }), fc.constant(0), fc.constant(Number.NaN))),
      (values) => {
        const [low, high] = computeLogDomain(values, 4);
        expect(low > 0 && high >= low * 3.99).toBe(true);
        expect(values.every((value) => !(value > 0) || (value >= low && value <= high))).toBe(true);
      },
    ),
  );
});
