import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { comparedOf } from "../../testing/sample-load.ts";
import { changePlot, createChangeScale, computeMarginEnds } from "./change-scale.ts";

describe("the scale of changes", () => {
  test("has no change in the middle, and a doubling as far from it as a halving", () => {
    const { x } = createChangeScale([comparedOf({ high: 1.5 })]);
    const middle = (changePlot.left + changePlot.right) / 2;
    expect(x(0)).toBeCloseTo(middle);
    expect(x(1) - middle).toBeCloseTo(middle - x(-0.5));
  });

  test("shows an interval inside the band if and only if it is within the margin", () => {
    const share = fc.double({ min: -0.6, max: 2, noNaN: true });
    fc.assert(
      fc.property(share, share, fc.double({ min: 0.01, max: 0.5, noNaN: true }), (one, other, margin) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const { x } = createChangeScale([comparedOf({ low, high, margin })]);
        const [from, to] = computeMarginEnds(margin);
        const isJudgedInside = Math.log1p(low) >= -Math.log1p(margin) && Math.log1p(high) <= Math.log1p(margin);
        // At the edge of the band rounding decides.
        fc.pre(Math.abs(low - from) > 1e-9 && Math.abs(high - to) > 1e-9);
        expect(x(low) >= x(from) && x(high) <= x(to)).toBe(isJudgedInside);
      }),
    );
  });

  test.each([
    {
      name: "nothing known",
      metrics: [{ metric: "poll p50", verdict: "inconclusive", confidence: 0.99, margin: 0.05, units: 0 }],
    },
    { name: "a change by a factor of a thousand", metrics: [comparedOf({ change: 1000, high: 2000 })] },
    {
      name: "NaN and infinity",
      metrics: [comparedOf({ change: Number.NaN, low: Number.NEGATIVE_INFINITY, high: -1 })],
    },
    { name: "no metric", metrics: [] },
  ] as const)("stays inside the plot with $name", ({ metrics }) => {
    const { x, ticks, isInside } = createChangeScale(metrics);
    expect(ticks).toContain(0);
    expect(ticks.every(isInside)).toBe(true);
    const ends = [x(-1), x(1e9), x(0.05)];
    expect(ends.every((at) => at >= changePlot.left && at <= changePlot.right)).toBe(true);
  });
});
