import { type ComparisonVerdict, comparedMetrics, type FailureComparison, type MetricComparison } from "@assay/results";

/** The parts of a comparison that decide its verdict. */
export interface ComparisonParts {
  readonly metrics: readonly MetricComparison[];
  readonly failures?: FailureComparison;
  readonly incomparable: readonly string[];
}

/** Returns the first metric in the order of `comparedMetrics`, or undefined if there is none. */
export const findPrimaryMetric = (metrics: readonly MetricComparison[]): MetricComparison | undefined =>
  metrics.toSorted((a, b) => comparedMetrics.indexOf(a.metric) - comparedMetrics.indexOf(b.metric))[0];

/**
 * The overall verdict: inconclusive if incomparable; regressed if any metric or the failures regressed; inconclusive if
 * the primary metric or the failures are; otherwise the verdict of the primary metric.
 */
export const combineVerdicts = ({ metrics, failures, incomparable }: ComparisonParts): ComparisonVerdict => {
  const primary = findPrimaryMetric(metrics);
  if (incomparable.length > 0 || primary === undefined) {
    return "inconclusive";
  }
  if (failures?.verdict === "regressed" || metrics.some(({ verdict }) => verdict === "regressed")) {
    return "regressed";
  }
  return failures?.verdict === "inconclusive" ? "inconclusive" : primary.verdict;
};
