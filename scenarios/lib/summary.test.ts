import type { LoadPlan } from "@assay/results";
import { describe, expect, test } from "vitest";
import { createDefaultPlan } from "../src/default-plan.ts";
import { type Counted, k6Summary, type SummaryData, summaryText } from "./summary.ts";

const { conversation: _, ...usual } = createDefaultPlan("search-first-match");
const plan: LoadPlan = { ...usual, targets: { base: "http://a" } };

const data: SummaryData = {
  state: { testRunDurationMs: 5000 },
  metrics: {
    iterations: { values: { count: 12 } },
    dropped_iterations: { values: { count: 2 }, thresholds: { "count==0": { ok: false } } },
    script_errors: { values: { count: 0 }, thresholds: { "count==0": { ok: true } } },
    vus: { values: { max: 3 } },
    stream_first_match: { values: { count: 10, med: 12.34, "p(95)": 20, "p(99)": 30 } },
    conversation_poll: { values: { count: 0 } },
  },
};

const counted: Counted = {
  k6Version: "2.2.0",
  outcomes: { "stream ok": 9, "stream violation": 1 },
  violations: { "no-done": 1 },
  observations: {},
  generator: {
    cpuSeconds: 1,
    wallSeconds: 5,
    cores: 2,
    maxRssBytes: 60_000_000,
    timerLagP99Ms: 1,
    timerLagMaxMs: 3,
  },
};

describe("the summary of a run", () => {
  const summary = k6Summary(plan, { data, counted, scenarioSha256: "ab", segment: "0:1/3", notBegun: 1 });

  test("has the counts of k6 and k6/x/assay, and which thresholds passed", () => {
    expect(summary).toEqual({
      assay: "k6-summary",
      version: 1,
      plan,
      segment: "0:1/3",
      scenarioSha256: "ab",
      testDurationMs: 5000,
      droppedIterations: 2,
      notBegun: 1,
      iterations: 12,
      maxVus: 3,
      thresholds: { "dropped_iterations count==0": false, "script_errors count==0": true },
      ...counted,
    });
  });

  test("is short for people: counts, times and missed thresholds", () => {
    expect(summaryText(data, summary).split("\n")).toEqual([
      "search-first-match: 12 iterations; times include the warm-up",
      "  stream ok: 9",
      "  stream violation: 1",
      "  no-done: 1",
      "  stream_first_match: p50 12.3 ms, p95 20 ms, p99 30 ms of 10",
      "  missed: dropped_iterations count==0",
      "",
    ]);
  });

  test("of a run in which nothing happened has zeros", () => {
    const nothing = { state: { testRunDurationMs: 0 }, metrics: {} };
    expect(k6Summary(plan, { data: nothing, counted, segment: "0:1", scenarioSha256: "", notBegun: 0 })).toMatchObject({
      droppedIterations: 0,
      iterations: 0,
      maxVus: 0,
      thresholds: {},
    });
  });
});
