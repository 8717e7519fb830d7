import { describe, expect, test } from "vitest";
import { comparedOf, comparisonOf } from "../../testing/sample-load.ts";
import { renderComparison, renderComparisonJson, renderComparisonMarkdown } from "./render-comparison.ts";

const plain = { colour: false, width: 100 } as const;

test.each([
  { verdict: "improved", outcome: "passed", exitCode: 0, last: "✓ FASTER  exit code 0" },
  { verdict: "unchanged", outcome: "passed", exitCode: 0, last: "✓ UNCHANGED  exit code 0" },
  { verdict: "regressed", outcome: "performance-failed", exitCode: 4, last: "✗ SLOWER  exit code 4" },
  { verdict: "inconclusive", outcome: "passed", exitCode: 0, last: "? INCONCLUSIVE  exit code 0" },
  { verdict: "inconclusive", outcome: "performance-inconclusive", exitCode: 5, last: "? INCONCLUSIVE  exit code 5" },
] as const)("a comparison that is $verdict ends with $last", ({ verdict, outcome, exitCode, last }) => {
  const comparison = comparisonOf({
    verdict,
    summary: "so it is",
    design: "stored",
    metrics: [comparedOf({ verdict })],
  });
  const lines = renderComparison({ comparison, outcome, exitCode }, plain).trimEnd().split("\n");
  const figures = "first match p50 12.4 → 12.5 ms (+0.8 %, interval -1.2 % to +2.8 %, margin 5 %)";
  expect(lines.slice(-2)).toEqual([last, verdict === "inconclusive" ? "so it is" : figures]);
});

test("a comparison decided by failures names them", () => {
  const failures = {
    baseFailed: 1,
    baseTotal: 100,
    headFailed: 9,
    headTotal: 100,
    pValue: 0.01,
    verdict: "regressed",
  } as const;
  const comparison = comparisonOf({ verdict: "regressed", metrics: [comparedOf()], failures });
  const text = renderComparison({ comparison, outcome: "performance-failed", exitCode: 4 }, plain).trimEnd();
  expect(text.split("\n").slice(-2)).toEqual([
    "✗ REGRESSED  exit code 4",
    "9 of 100 requests failed, 1 of 100 in the base",
  ]);
});

describe("a comparison that is not possible", () => {
  test("has its reason and no table", () => {
    const comparison = comparisonOf({ verdict: "inconclusive", metrics: [], incomparable: ["the rates differ"] });
    const text = renderComparison({ comparison, outcome: "incomplete", exitCode: 3 }, plain);
    expect(text).toContain("? cannot be compared: the rates differ");
    expect(text).not.toContain("margin");
    expect(text).not.toContain("medians");
  });

  test("names unfinished requests once for all percentiles of a metric, for both sides", () => {
    const { high: _high, ...open } = comparedOf();
    const censored = { base: { censored: 3, of: 600 }, head: { censored: 400, of: 600 } };
    const metrics = (["first-match p50", "first-match p95"] as const).map((metric) => ({
      ...open,
      metric,
      head: 60_000,
      headIsCensored: true as const,
      censored,
    }));
    const comparison = comparisonOf({ metrics });
    const text = renderComparison({ comparison, outcome: "passed", exitCode: 0 }, plain).replaceAll(/\s+/gu, " ");
    expect(text.match(/3 of 600 first matches in the base/gu)).toHaveLength(1);
    expect(text).toContain("400 of 600 in the head had not arrived when measuring stopped: they count as slower");
    expect(text).toMatch(/first-match p50 ✓ unchanged [\d.]+ > 60,000 /u);
    expect(renderComparisonMarkdown(comparison)).toContain("3 of 600 first matches");
  });

  test("shows a dash for a missing value", () => {
    const { change: _change, low: _low, high: _high, base: _base, head: _head, ...bare } = comparedOf();
    const comparison = comparisonOf({ metrics: [bare] });
    const text = renderComparison({ comparison, outcome: "passed", exitCode: 0 }, plain);
    expect(text).toMatch(/first-match p50 +✓ unchanged +- +- +- +- +5 %/u);
  });
});

test.each([
  {
    design: "stored",
    says: /^ {2}base and head are the medians of the runs; the change is the median over all pairs/mu,
  },
  {
    design: "paired",
    says: /^ {2}base and head are the medians of the blocks; the change is the Hodges-Lehmann estimate/mu,
  },
] as const)("a $design comparison says under its table what a change is", ({ design, says }) => {
  const end = { comparison: comparisonOf({ design }), outcome: "passed", exitCode: 0 } as const;
  const text = renderComparison(end, plain);
  expect(text).toMatch(says);
  expect(text.search(says)).toBeGreaterThan(text.indexOf("first-match p50"));
  expect(renderComparisonMarkdown(end.comparison)).toMatch(/\n\n> base and head are the medians of the /u);
});

test("the JSON has the comparison and the outcome of the command", () => {
  const comparison = comparisonOf();
  const json: unknown = JSON.parse(renderComparisonJson({ comparison, outcome: "performance-failed", exitCode: 4 }));
  expect(json).toEqual({ schemaVersion: 1, outcome: "performance-failed", exitCode: 4, ...comparison });
});
