import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { orderStatisticRanks } from "./order-statistic-ranks.ts";

/** The probability that a binomial is at most `hits`, by plain recursion. */
const atMost = (count: number, fraction: number, hits: number): number => {
  let chance = (1 - fraction) ** count;
  let sum = 0;
  for (let at = 0; at <= hits; at += 1) {
    sum += chance;
    chance *= ((count - at) / (at + 1)) * (fraction / (1 - fraction));
  }
  return sum;
};

describe("ranks that enclose a quantile", () => {
  // Conover, Practical Nonparametric Statistics: the median of 16 with 95 % confidence lies between the 4th and the 13th.
  test.each([
    [16, 0.5, 0.95, { low: 4, high: 13 }],
    [6, 0.5, 0.95, { low: 1, high: 6 }],
    [5, 0.5, 0.95, undefined],
    [71, 0.95, 0.95, undefined],
    [527, 0.99, 0.99, undefined],
    [103, 0.95, 0.99, undefined],
    [0, 0.5, 0.95, undefined],
  ])("of %d samples, quantile %d, confidence %d", (...[count, fraction, confidence, ranks]) => {
    expect(orderStatisticRanks(count, fraction, confidence)).toEqual(ranks);
  });

  test.each([
    [528, 0.99, 0.99],
    [104, 0.95, 0.99],
    [72, 0.95, 0.95],
  ])("%d is the minimum number of samples for quantile %d with confidence %d", (count, fraction, confidence) => {
    expect(orderStatisticRanks(count, fraction, confidence)?.high).toBe(count);
  });

  test("they have the required confidence, and narrower ones do not", () => {
    fc.assert(
      fc.property(fc.integer({ min: 6, max: 200 }), fc.constantFrom(0.5, 0.9, 0.95), (count, fraction) => {
        const ranks = orderStatisticRanks(count, fraction, 0.95);
        const below = atMost(count, fraction, (ranks?.low ?? 1) - 1);
        const notAbove = atMost(count, fraction, (ranks?.high ?? count + 1) - 1);
        expect(below).toBeLessThanOrEqual(ranks === undefined ? 1 : 0.025 + 1e-9);
        expect(notAbove).toBeGreaterThanOrEqual(ranks === undefined ? 0 : 0.975 - 1e-9);
        expect(atMost(count, fraction, ranks?.low ?? 0)).toBeGreaterThan(ranks === undefined ? 0 : 0.025 - 1e-9);
      }),
    );
  });

  test("a million samples work", () => {
    const { low = 0, high = 0 } = orderStatisticRanks(1_000_000, 0.95, 0.95) ?? {};
    expect([Math.abs(low - 950_000 + 427) < 3, Math.abs(high - 950_000 - 428) < 3]).toEqual([true, true]);
  });
});
