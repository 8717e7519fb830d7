import { describe, expect, test } from "vitest";
import { comparedOf, comparisonOf } from "../testing/sample-load.ts";
import { renderComparison, renderComparisonJson } from "./render-comparison.ts";

const plain = { colour: false, width: 100 } as const;

test.each([
  { verdict: "improved", outcome: "passed", exitCode: 0, last: "✓ IMPROVED  exit code 0" },
  { verdict: "unchanged", outcome: "passed", exitCode: 0, last: "✓ UNCHANGED  exit code 0" },
  { verdict: "regressed", outcome: "performance-failed", exitCode: 4, last: "✗ REGRESSED  exit code 4" },
  { verdict: "inconclusive", outcome: "passed", exitCode: 0, last: "? INCONCLUSIVE  exit code 0" },
  { verdict: "inconclusive", outcome: "performance-inconclusive", exitCode: 5, last: "? INCONCLUSIVE  exit code 5" },
] as const)("a comparison that is $verdict ends with $last", ({ verdict, outcome, exitCode, last }) => {
  const comparison = comparisonOf({ verdict, summary: "so it is", design: "stored" });
  const lines = renderComparison({ comparison, outcome, exitCode }, plain).trimEnd().split("\n");
  expect(lines.slice(-2)).toEqual([last, "so it is"]);
});

describe("what cannot be compared", () => {
  test("is said, without a table", () => {
    const comparison = comparisonOf({ verdict: "inconclusive", metrics: [], incomparable: ["the rates differ"] });
    const text = renderComparison({ comparison, outcome: "incomplete", exitCode: 3 }, plain);
    expect(text).toContain("? cannot be compared: the rates differ");
    expect(text).not.toContain("margin");
  });

  test("shows a dash where a figure is missing", () => {
    const { change: _change, low: _low, high: _high, base: _base, head: _head, ...bare } = comparedOf();
    const comparison = comparisonOf({ metrics: [bare] });
    const text = renderComparison({ comparison, outcome: "passed", exitCode: 0 }, plain);
    expect(text).toMatch(/first-match p50 +✓ unchanged +- +- +- +- +5 %/u);
  });
});

test("programs are given the comparison with the outcome of the command", () => {
  const comparison = comparisonOf();
  const json: unknown = JSON.parse(renderComparisonJson({ comparison, outcome: "performance-failed", exitCode: 4 }));
  expect(json).toEqual({ schemaVersion: 1, outcome: "performance-failed", exitCode: 4, ...comparison });
});
