import { describe, expect, test } from "vitest";
import { intervalsOf } from "../../testing/figure-load.ts";
import { loadOf, sampleLoad } from "../../testing/sample-load.ts";
import { maxPeriods, createRatePeriods, mergeIntervals } from "./time-course.ts";
import { findWarmUpEndMs } from "./warm-up-end.ts";

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

describe("intervals", () => {
  test("that fit are unchanged", () => {
    expect(mergeIntervals(intervalsOf(40))).toEqual({ intervals: intervalsOf(40), groupSize: 1 });
  });

  test("that do not fit are merged without losing a request or a peak", () => {
    const many = intervalsOf(4000);
    const { intervals, groupSize } = mergeIntervals(many);
    expect(groupSize).toBe(12);
    expect(intervals.length).toBeLessThanOrEqual(maxPeriods);
    expect(total(intervals.map(({ failed }) => failed))).toBe(total(many.map(({ failed }) => failed)));
    expect(Math.max(...intervals.map(({ p95Ms }) => p95Ms ?? 0))).toBe(50);
    expect(intervals.at(-1)?.toMs).toBe(4_000_000);
  });
});

test("the rate of a period includes both sides and phases, per second", () => {
  const [first, second] = createRatePeriods([
    { fromMs: 0, toMs: 10_000, phase: "warmup", side: "base", planned: 30, ok: 30, failed: 0 },
    { fromMs: 0, toMs: 10_000, phase: "measure", side: "head", planned: 70, ok: 60, failed: 10 },
    { fromMs: 10_000, toMs: 15_000, phase: "measure", side: "base", planned: 50, ok: 0, failed: 50 },
  ]);
  expect(first).toMatchObject({ planned: 100, plannedPerSecond: 10, okPerSecond: 9, failedPerSecond: 1 });
  expect(second).toMatchObject({ plannedPerSecond: 10, okPerSecond: 0, failedPerSecond: 10 });
});

const blocks = { pairs: 30, warmupPairs: 2, requestsPerBlock: 1000, gapRequests: 20, seed: 1 };
test.each([
  { name: "is that of the plan", load: loadOf({ intervals: intervalsOf(5) }), endMs: 10_000 },
  { name: "is 0 without warm-up intervals", load: loadOf(), endMs: 0 },
  {
    name: "follows from the pairs before the measured ones",
    load: loadOf({ intervals: intervalsOf(5), plan: { ...sampleLoad.plan, ratePerSecond: 100, warmupMs: 0, blocks } }),
    endMs: 40_800,
  },
])("the end of the warm-up $name", ({ load, endMs }) => {
  expect(findWarmUpEndMs(load)).toBe(endMs);
});
