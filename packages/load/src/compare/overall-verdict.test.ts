import type { ComparedMetric, ComparisonVerdict, FailureComparison, MetricComparison } from "@assay/results";
import { expect, test } from "vitest";
import { summarizeComparison, formatPercent } from "./comparison-summary.ts";
import { combineVerdicts, findPrimaryMetric } from "./overall-verdict.ts";

const metric = (name: ComparedMetric, verdict: ComparisonVerdict): MetricComparison => ({
  metric: name,
  verdict,
  change: 0.12,
  low: 0.08,
  high: 0.16,
  confidence: 0.998,
  margin: 0.05,
  detectable: 0.07,
  units: 30,
});

const failures = (verdict: ComparisonVerdict): FailureComparison => ({
  baseFailed: 1,
  baseTotal: 100,
  headFailed: 9,
  headTotal: 100,
  pValue: 0.01,
  verdict,
});

const query = "first-match by query";
const p95 = "first-match p95";

test.each([
  { name: "nothing measured is inconclusive", metrics: [], verdict: "inconclusive" },
  {
    name: "the primary metric decides",
    metrics: [metric(p95, "inconclusive"), metric(query, "improved")],
    verdict: "improved",
  },
  {
    name: "an undecided tail does not change an unchanged primary metric",
    metrics: [metric(query, "unchanged"), metric(p95, "inconclusive")],
    verdict: "unchanged",
  },
  {
    name: "a better tail alone improves nothing",
    metrics: [metric(query, "unchanged"), metric(p95, "improved")],
    verdict: "unchanged",
  },
  {
    name: "an undecided primary metric is inconclusive",
    metrics: [metric(query, "inconclusive"), metric(p95, "improved")],
    verdict: "inconclusive",
  },
  {
    name: "any regressed metric regresses the whole",
    metrics: [metric(query, "improved"), metric(p95, "regressed")],
    verdict: "regressed",
  },
  {
    name: "regressed failures regress the whole",
    metrics: [metric(query, "improved")],
    failures: failures("regressed"),
    verdict: "regressed",
  },
  {
    name: "undecided failures make the verdict inconclusive",
    metrics: [metric(query, "improved")],
    failures: failures("inconclusive"),
    verdict: "inconclusive",
  },
  {
    name: "undecided failures hide no regressed metric",
    metrics: [metric(query, "regressed")],
    failures: failures("inconclusive"),
    verdict: "regressed",
  },
  {
    name: "fewer failures alone improve nothing",
    metrics: [metric(query, "unchanged")],
    failures: failures("improved"),
    verdict: "unchanged",
  },
  {
    name: "runs that cannot be compared are inconclusive",
    metrics: [metric(query, "regressed")],
    incomparable: ["the rate differs."],
    verdict: "inconclusive",
  },
])("$name", ({ metrics, failures: comparedFailures, incomparable = [], verdict }) => {
  const comparison = { metrics, incomparable, ...(comparedFailures ? { failures: comparedFailures } : {}) };
  expect(combineVerdicts(comparison)).toBe(verdict);
});

test("without queries the median of first match is primary, without streams that of the terminal state", () => {
  expect(findPrimaryMetric([metric("throughput", "unchanged"), metric("first-match p50", "unchanged")])?.metric).toBe(
    "first-match p50",
  );
  expect(findPrimaryMetric([metric("poll p50", "unchanged"), metric("terminal p50", "unchanged")])?.metric).toBe(
    "terminal p50",
  );
});

test.each([
  {
    verdict: "regressed",
    metrics: [metric(query, "unchanged"), metric(p95, "regressed")],
    says: "regressed: first-match p95 is 12.0 % higher (between 8.0 % and 16.0 %), beyond the margin of 5.0 %.",
  },
  {
    verdict: "unchanged",
    metrics: [metric(query, "unchanged"), { ...metric(p95, "inconclusive"), note: "leaning worse" }],
    says: "unchanged: first-match by query stays within 5.0 % (between 8.0 % and 16.0 %); a change of 7.0 % would have shown; undecided: first-match p95, which leans worse.",
  },
  {
    verdict: "inconclusive",
    metrics: [{ ...metric(query, "inconclusive"), note: "leaning worse", unitsNeeded: 42 }],
    says: "inconclusive: first-match by query is undecided (between 8.0 % and 16.0 %): leaning worse; about 42 more pairs of blocks may decide it.",
  },
  { verdict: "inconclusive", metrics: [], says: "inconclusive: nothing was measured that could be compared." },
] as const)("the summary of a comparison that is $verdict says why", ({ verdict, metrics, says }) => {
  expect(summarizeComparison(verdict, { metrics, incomparable: [], unit: "pairs of blocks" })).toBe(says);
});

test("a summary names the first reason and counts the rest", () => {
  expect(
    summarizeComparison("inconclusive", { metrics: [], incomparable: ["the rate differs.", "x", "y"], unit: "runs" }),
  ).toBe("inconclusive: the two cannot be compared: the rate differs. (and 2 more)");
});

test.each([
  { fraction: 0.0512, text: "5.1 %" },
  { fraction: -0.2, text: "-20.0 %" },
  { fraction: -0.0001, text: "0.0 %" },
])("$fraction reads as $text", ({ fraction, text }) => {
  expect(formatPercent(fraction)).toBe(text);
});
