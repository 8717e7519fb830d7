import type { LoadPlan } from "@assay/results";
import { expect, test } from "vitest";
import { announceWarmUp, progressText } from "./load-progress-text.ts";

const plan: LoadPlan = {
  version: 1,
  scenario: "search-first-match",
  targets: { a: "http://127.0.0.1:3080" },
  shape: "steady",
  ratePerSecond: 2,
  durationMs: 15_000,
  warmupMs: 10_000,
  queries: [],
  timeoutMs: 60_000,
  maxEventBytes: 1024,
  maxVus: 10,
};

test.each([
  [4000, "search-first-match  warm-up 4 s of 10 s, 3 ok, 0 failed"],
  [10_000, "search-first-match  0 s of 15 s, 3 ok, 0 failed"],
  [24_000, "search-first-match  14 s of 15 s, 3 ok, 0 failed"],
  [27_000, "search-first-match  15 s of 15 s, 3 ok, 0 failed"],
])("after %d ms the time is that of the warm-up or of the measured part", (elapsedMs, says) => {
  expect(progressText(plan, { elapsedMs, ok: 3, failed: 0, notBegun: 0, violations: 0 })).toBe(says);
});

test.each([
  [10_000, ["warm-up of 10 s, then 15 s are measured"]],
  [0, []],
])("a warm-up of %d ms is announced where there is one", (warmupMs, says) => {
  const notes: string[] = [];
  announceWarmUp(
    { ...plan, warmupMs },
    { note: (text) => notes.push(text), state: () => undefined, end: () => undefined },
  );
  expect(notes).toEqual(says);
});
