import { describe, expect, test } from "vitest";
import { fullRun, largeRun } from "../../testing/sample-report.ts";
import { commentFinding, resultOf, withVerdict } from "../../testing/sample-results.ts";
import { planRunFailures } from "./failure-plan.ts";
import { createPageRuns } from "./page-runs.ts";
import type { ReportedRun } from "../../document/report-input.ts";

const planOf = (run: ReportedRun) => {
  const [page] = createPageRuns([run]);
  return page === undefined ? { fullFailures: [], listedFailures: [], omittedCount: 0 } : planRunFailures(page);
};

test("failures come first, then warnings, then known failures", () => {
  expect(planOf(fullRun).fullFailures.map(({ placed }) => placed.rule.rule)).toEqual([
    "stream/two-fields",
    "stream/data-is-json",
    "stream/lines-end-with-lf",
    "stream/one-blank-line-between-events",
  ]);
});

test("an exchange is shown with its first finding only", () => {
  const [first, , , second] = planOf(fullRun).fullFailures;
  expect([...(first?.earlierFindingIds ?? [])]).toEqual([]);
  expect([...(second?.earlierFindingIds ?? [])]).toEqual([[0, "stream/two-fields-0"]]);
});

test("a run that passed has nothing to show", () => {
  expect(planOf({ result: resultOf() })).toEqual({ fullFailures: [], listedFailures: [], omittedCount: 0 });
});

describe("failures that do not fit", () => {
  test("are listed on one line each, and counted", () => {
    const { fullFailures, listedFailures, omittedCount } = planOf(largeRun());
    expect(fullFailures.length).toBeGreaterThan(50);
    expect(listedFailures.length).toBeGreaterThan(0);
    expect(fullFailures.length + listedFailures.length + omittedCount).toBe(200);
  });

  test("never include the first failure, however long", () => {
    const long = { ...commentFinding, message: "x".repeat(1_000_000), curl: "y".repeat(10_000_000) };
    const verdicts = withVerdict("two-fields", { outcome: "failed", findings: [long], moreFindings: 0 });
    expect(planOf({ result: resultOf({ verdicts }) }).fullFailures).toHaveLength(1);
  });
});
