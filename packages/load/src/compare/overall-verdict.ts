import { type ComparisonVerdict, comparedMetrics, type FailureComparison, type MetricComparison } from "@assay/results";

/** The parts of a comparison that its verdict follows from. */
export interface ComparisonParts {
  readonly metrics: readonly MetricComparison[];
  readonly failures?: FailureComparison;
  readonly incomparable: readonly string[];
}

/** The metric that speaks for the whole: of those compared the one named first in `comparedMetrics`; undefined without any. */
export const primaryMetric = (metrics: readonly MetricComparison[]): MetricComparison | undefined =>
  metrics.toSorted((one, other) => comparedMetrics.indexOf(one.metric) - comparedMetrics.indexOf(other.metric))[0];

/**
 * The verdict of the whole. What cannot be compared is inconclusive; regressed if any metric or the failures are; else
 * inconclusive if the primary metric or the failures are; else the verdict of the primary metric.
 */
export const overallVerdict = ({ metrics, failures, incomparable }: ComparisonParts): ComparisonVerdict => {
  const primary = primaryMetric(metrics);
  if (incomparable.length > 0 || primary === undefined) {
    return "inconclusive";
  }
  if (failures?.verdict === "regressed" || metrics.some(({ verdict }) => verdict === "regressed")) {
    return "regressed";
  }
  return failures?.verdict === "inconclusive" ? "inconclusive" : primary.verdict;
};
