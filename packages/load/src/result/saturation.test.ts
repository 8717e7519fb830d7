import type { LoadSample } from "@assay/results";
import { expect, test } from "vitest";
import { failedAt, planWith, streamAt } from "../testing/load-fixtures.ts";
import { saturationOf, saturationOfSummary } from "./saturation.ts";
import { parseThreshold } from "./threshold.ts";

const plan = planWith({ maxVus: 20, warmupMs: 0 });
const found = (samples: readonly LoadSample[], ...thresholds: readonly string[]) =>
  saturationOf(
    plan,
    [{ epochMs: 1000, samples }],
    thresholds.map((text) => parseThreshold(text)),
  );
const notBegun = (planMs: number): LoadSample => failedAt(planMs, "not-begun", { sendMs: planMs, endMs: planMs });
/** Ten a second for ten seconds at ease; then none ends any more, twenty wait, and the others cannot begin. */
const stalling = [
  ...Array.from({ length: 100 }, (_none, at) => streamAt(at * 100)),
  ...Array.from({ length: 20 }, (_none, at) => failedAt(10_000 + at * 100, "timeout", { endMs: 40_000 })),
  ...Array.from({ length: 80 }, (_none, at) => notBegun(12_000 + at * 100)),
];

test("a target that takes everything is not saturated, however slow", () => {
  const slow = Array.from({ length: 50 }, (_none, at) => failedAt(at * 100, "timeout", { endMs: 60_000 }));
  expect(found(slow)).toBeUndefined();
});

test("a target that stalls is saturated from when nobody was free, and its queue grew before", () => {
  expect(found(stalling)).toMatchObject({ notBegun: 80, heldBack: 0, maxVus: 20, fromMs: 12_000 });
  expect(found(stalling)?.servedPerSecond).toBeCloseTo(10, 0);
  expect(Math.abs((found(stalling)?.growingFromMs ?? 0) - 10_000)).toBeLessThanOrEqual(300);
  expect(found(stalling)?.sentence).toBe(
    "the target is saturated: 80 of 200 arrivals could not begin, because all 20 virtual users were waiting for it from second 12.0 on; its queue grew from second 10.0 on; it served at most 10.05 a second; to let more wait at a time, raise --max-vus",
  );
});

test("what was served is what kept the limits of latency", () => {
  expect(found(stalling, "first-match p95 < 19")).toMatchObject({ servedPerSecond: 0 });
  expect(found(stalling, "first-match p95 < 19")?.sentence).toContain("none was served within `first-match p95 < 19`");
  expect(found(stalling, "first-match p95 < 21", "ok-rate > 0.5")?.servedPerSecond).toBeCloseTo(10, 0);
});

test("a target that asks for fewer is saturated as well, and no limit of virtual users is to be raised for it", () => {
  const held = [...stalling.slice(0, 100), failedAt(10_000, "held-back", { sendMs: 10_000, endMs: 10_000 })];
  expect(found(held)).toMatchObject({ notBegun: 0, heldBack: 1 });
  expect(found(held)?.sentence).toContain("1 of 101 arrivals were held back, because it asked for fewer");
  expect(found(held)?.sentence).not.toContain("--max-vus");
});

test("the warm-up does not count, but the clock of the run begins with it", () => {
  const warm = [streamAt(0, { phase: "warmup" }), { ...notBegun(10), phase: "warmup" as const }];
  expect(found(warm)).toBeUndefined();
  expect(found([...warm, streamAt(1000), notBegun(5000)])).toMatchObject({ notBegun: 1, fromMs: 5000 });
});

test("without samples it is told from what k6 counted, and not since when", () => {
  const outcomes = { "stream ok": 30, "stream held-back": 2 };
  expect(saturationOfSummary(plan, { outcomes: { "stream ok": 30 } })).toBeUndefined();
  expect(saturationOfSummary(plan, { outcomes, notBegun: 8 })).toEqual({
    notBegun: 8,
    heldBack: 2,
    maxVus: 20,
    servedPerSecond: 0.5,
    sentence:
      "the target is saturated: 8 of 40 arrivals could not begin, because all 20 virtual users were waiting for it; it served at most 0.5 a second; to let more wait at a time, raise --max-vus",
  });
});
