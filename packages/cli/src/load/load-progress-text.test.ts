import type { LoadPlan } from "@assay/results";
import { expect, test } from "vitest";
import { announceWarmUp, describeProgress } from "./load-progress-text.ts";

const plan: LoadPlan = {
  version: 2,
  scenario: "search-first-match",
  targets: { base: "http://127.0.0.1:3080" },
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
  [4000, { text: "warm-up 4 s of 10 s", share: 0.16, remainingMs: 21_000 }],
  [10_000, { text: "0 s of 15 s", share: 0.4, remainingMs: 15_000 }],
  [24_000, { text: "14 s of 15 s", share: 0.96, remainingMs: 1000 }],
  [27_000, { text: "15 s of 15 s", share: 1 }],
])("after %d ms the time is that of the warm-up or of the measured part", (elapsedMs, state) => {
  expect(describeProgress(plan, { elapsedMs, ok: 3, failed: 0, notBegun: 0, violations: 0 })).toEqual({
    ...state,
    remark: "3 ok, 0 failed, search-first-match",
  });
});

test.each([
  [10_000, ["warm-up of 10 s, then 15 s are measured"]],
  [0, []],
])("a warm-up of %d ms is announced if there is one", (warmupMs, says) => {
  const notes: string[] = [];
  announceWarmUp({ ...plan, warmupMs }, { note: (text) => notes.push(text) });
  expect(notes).toEqual(says);
});
