import { describe, expect, test } from "vitest";
import { fullRun, largeRun } from "../../testing/sample-report.ts";
import { commentFinding, resultOf, withVerdict } from "../../testing/sample-results.ts";
import { failurePlan } from "./failure-plan.ts";
import { pageRuns } from "./page-runs.ts";
import type { ReportedRun } from "../../document/report-input.ts";

const planOf = (run: ReportedRun) => {
  const [page] = pageRuns([run]);
  return page === undefined ? { full: [], listed: [], more: 0 } : failurePlan(page);
};

test("failures come first, then warnings, then known failures", () => {
  expect(planOf(fullRun).full.map(({ placed }) => placed.rule.rule)).toEqual([
    "stream/two-fields",
    "stream/data-is-json",
    "stream/lines-end-with-lf",
    "stream/one-blank-line-between-events",
  ]);
});

test("an exchange is shown with its first finding only", () => {
  const [first, , , second] = planOf(fullRun).full;
  expect([...(first?.shownAt ?? [])]).toEqual([]);
  expect([...(second?.shownAt ?? [])]).toEqual([[0, "stream/two-fields-0"]]);
});

test("a run that passed has nothing to show", () => {
  expect(planOf({ result: resultOf() })).toEqual({ full: [], listed: [], more: 0 });
});

describe("failures that do not fit", () => {
  test("are listed on one line each, and counted", () => {
    const { full, listed, more } = planOf(largeRun());
    expect(full.length).toBeGreaterThan(50);
    expect(listed.length).toBeGreaterThan(0);
    expect(full.length + listed.length + more).toBe(200);
  });

  test("never include the first failure, however long", () => {
    const long = { ...commentFinding, message: "x".repeat(1_000_000), curl: "y".repeat(10_000_000) };
    const verdicts = withVerdict("two-fields", { outcome: "failed", findings: [long], moreFindings: 0 });
    expect(planOf({ result: resultOf({ verdicts }) }).full).toHaveLength(1);
  });
});
