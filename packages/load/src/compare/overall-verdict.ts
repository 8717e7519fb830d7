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
 * Returns the overall verdict: inconclusive if the sides are incomparable; regressed if any metric or the failures
 * regressed; inconclusive if the primary metric or the failures are; otherwise the verdict of the primary metric.
 */
export const combineVerdicts = ({ metrics, failures, incomparable }: ComparisonParts): ComparisonVerdict => {
  const primaryMetric = findPrimaryMetric(metrics);
  if (incomparable.length > 0 || primaryMetric === undefined) {
    return "inconclusive";
  }
  if (failures?.verdict === "regressed" || metrics.some(({ verdict }) => verdict === "regressed")) {
    return "regressed";
  }
  return failures?.verdict === "inconclusive" ? "inconclusive" : primaryMetric.verdict;
};
