import type { ComparisonVerdict, FailureComparison, MetricComparison } from "@assay/results";
import { type ComparisonParts, findPrimaryMetric } from "./overall-verdict.ts";

export interface SummaryParts extends ComparisonParts {
  /** The unit of the comparison, in the plural, such as `pairs of blocks`. */
  readonly unit: string;
  /** A clause that qualifies the verdict. */
  readonly caveat?: string;
}

/** Formats a fraction, such as `12.3 %`. */
export const formatPercent = (fraction: number): string =>
  `${(fraction * 100).toFixed(1).replace(/^-(0\.0)$/u, "$1")} %`;

const describeChange = ({ change = 0, headIsCensored }: MetricComparison): string =>
  `${headIsCensored === true ? "at least " : ""}${formatPercent(Math.abs(change))} ${change < 0 ? "lower" : "higher"}`;

const describeRange = ({ low, high }: MetricComparison): string =>
  low === undefined || high === undefined ? "" : ` (between ${formatPercent(low)} and ${formatPercent(high)})`;

const describeRemedy = ({ unitsNeeded }: MetricComparison, unit: string): string =>
  unitsNeeded === undefined
    ? ""
    : `; about ${unitsNeeded} more ${unitsNeeded === 1 ? unit.replace("s ", " ") : unit} may decide it`;

const describeMetric = (metric: MetricComparison, unit: string): string => {
  switch (metric.verdict) {
    case "regressed":
    case "improved":
      return `${metric.metric} is ${describeChange(metric)}${describeRange(metric)}, beyond the margin of ${formatPercent(metric.margin)}`;
    case "unchanged":
      return `${metric.metric} stays within ${formatPercent(metric.margin)}${describeRange(metric)}; a change of ${formatPercent(metric.detectable ?? metric.margin)} would have shown`;
    case "inconclusive":
      return `${metric.metric} is undecided${describeRange(metric)}${metric.note === undefined ? "" : `: ${metric.note}`}${describeRemedy(metric, unit)}`;
  }
};

const describeFailures = ({ baseFailed, baseTotal, headFailed, headTotal, verdict }: FailureComparison): string =>
  `${headFailed} of ${headTotal} requests failed, ${baseFailed} of ${baseTotal} in the base${
    verdict === "inconclusive" ? ", which one outage may have caused" : ""
  }`;

/** An undecided metric that leans worse must be visible next to a good verdict. */
const describeUndecided = ({ metric, note }: MetricComparison): string =>
  note?.startsWith("leaning worse") === true ? `${metric}, which leans worse` : metric;

const listClauses = (verdict: ComparisonVerdict, { metrics, failures, unit }: SummaryParts): readonly string[] => {
  const primaryMetric = findPrimaryMetric(metrics);
  const decisiveMetrics =
    verdict === "regressed"
      ? metrics.filter((metric) => metric.verdict === "regressed")
      : metrics.filter((metric) => metric === primaryMetric);
  const undecidedMetrics = metrics.filter(
    (metric) => !decisiveMetrics.includes(metric) && metric.verdict === "inconclusive",
  );
  return [
    ...(failures !== undefined && failures.verdict !== "unchanged" ? [describeFailures(failures)] : []),
    ...decisiveMetrics.map((metric) => describeMetric(metric, unit)),
    ...(undecidedMetrics.length > 0 && verdict !== "inconclusive"
      ? [`undecided: ${undecidedMetrics.map(describeUndecided).join(", ")}`]
      : []),
  ];
};

/** Summarizes a comparison in one sentence: the verdict, its reasons and the undecided metrics. */
export const summarizeComparison = (verdict: ComparisonVerdict, parts: SummaryParts): string => {
  const [reason, ...otherReasons] = parts.incomparable;
  if (reason !== undefined) {
    return `inconclusive: the two cannot be compared: ${reason}${otherReasons.length > 0 ? ` (and ${otherReasons.length} more)` : ""}`;
  }
  const clauses = [...listClauses(verdict, parts), ...(parts.caveat === undefined ? [] : [parts.caveat])];
  return `${verdict}: ${clauses.length > 0 ? clauses.join("; ") : "nothing was measured that could be compared"}.`;
};
