import type { LoadSide } from "@assay/contract";
import { isUnsent, getLoadValidity, validityWords } from "./load-facts.ts";
import { percentileMinimum } from "@assay/results";
import type { Comparison, LoadMetric, LoadResult, MetricComparison, Percentile } from "@assay/results";
import { counted, formatGrouped } from "./counted.ts";
import { comparisonWords } from "./load-words.ts";
import type { Sign } from "./outcome-words.ts";
import { formatChange, formatTime, formatMs, formatNumber, formatShare } from "./shown-number.ts";

/** The metrics of the headline, most important first. */
const headlineMetrics = [
  { metric: "first-match", name: "first match" },
  { metric: "terminal-upper", name: "end of a conversation" },
  { metric: "first-event", name: "first event" },
  { metric: "stream", name: "end of the stream" },
] as const;

export interface HeadlineMetric {
  readonly name: string;
  readonly metric: LoadMetric;
}

/** Returns the main metric of a load, such as the time to the first match. Returns undefined if nothing was measured. */
export const findHeadlineMetric = ({ metrics }: LoadResult, side: LoadSide = "base"): HeadlineMetric | undefined => {
  for (const { metric: wantedMetric, name } of headlineMetrics) {
    const metric = metrics.find(
      (candidate) => candidate.metric === wantedMetric && candidate.side === side && candidate.count > 0,
    );
    if (metric !== undefined) {
      return { name, metric };
    }
  }
  return undefined;
};

/** Formats a percentile with its interval, or the number of samples if there are too few. */
export const formatPercentile = (
  metric: LoadMetric,
  name: "p50" | "p95",
): { readonly value: string; readonly interval: string } => {
  const percentile: Percentile | undefined = metric[name];
  if (percentile === undefined) {
    return { value: "n/a", interval: `${metric.count} of ${percentileMinimum[name]} samples` };
  }
  const { value, isCensored, low, high } = percentile;
  return {
    value: `${formatTime(value, isCensored)} ms`,
    interval: low === undefined || high === undefined ? "" : `[${formatMs(low)}, ${formatMs(high)}]`,
  };
};

/** Counts the measured requests, and those that did not end with the outcome `ok`. */
export const countRequests = ({ outcomes }: LoadResult): { readonly total: number; readonly failed: number } => {
  const counts = Object.values(outcomes).flatMap((countsOfKind) => Object.entries(countsOfKind));
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  return { total, failed: total - counts.reduce((sum, [outcome, count]) => sum + (outcome === "ok" ? count : 0), 0) };
};

/** Kinds of requests that are searches. If a load consists only of these, requests are called searches. */
const searchKinds: ReadonlySet<string> = new Set(["stream"]);

const selectRequestNoun = ({ outcomes }: LoadResult): readonly [singular: string, plural: string] =>
  Object.keys(outcomes).every((kind) => searchKinds.has(kind)) ? ["search", "searches"] : ["request", "requests"];

const describePercentiles = ({ name, metric }: HeadlineMetric): string => {
  const p50 = formatPercentile(metric, "p50");
  const p95 = formatPercentile(metric, "p95");
  const median = `${name} p50 ${p50.value}${p50.interval === "" ? "" : ` ${p50.interval}`}`;
  // The table shows the p95 interval. If there is no p95, the interval text holds the reason.
  return `${median}, p95 ${p95.value}${metric.p95 === undefined ? ` (${p95.interval})` : ""}`;
};

/** Describes the speed of a load in one line, such as `first match p50 57.7 ms [57.5, 58.1], p95 66.0 ms, 960 searches, 0 failed, generator ok`. */
export const describeSpeed = (load: LoadResult): string => {
  const headline = findHeadlineMetric(load);
  const { total, failed } = countRequests(load);
  return [
    headline === undefined ? "nothing was measured" : describePercentiles(headline),
    counted(total, ...selectRequestNoun(load)),
    `${formatGrouped(failed)} failed`,
    validityWords[getLoadValidity(load)].words,
  ].join(", ");
};

const formatValue = (row: MetricComparison, value: number | undefined, isCensored: true | undefined): string => {
  if (value === undefined) {
    return "-";
  }
  return row.metric === "throughput" ? `${formatNumber(value)}/s` : formatTime(value, isCensored);
};

/**
 * Returns the metric that decided a comparison: the first with the overall verdict. It returns undefined if only the
 * failure rate decided it.
 */
const findDecidingMetric = ({ metrics, verdict }: Comparison): MetricComparison | undefined =>
  metrics.find((row) => row.verdict === verdict && row.change !== undefined);

/** Formats the name of a metric, such as `first match by query`. */
const getMetricName = (metric: MetricComparison["metric"]): string => metric.replace("first-match", "first match");

const describeChanged = (row: MetricComparison): string => {
  const { metric, base, baseIsCensored, head, headIsCensored, change, low, high, margin } = row;
  const unit = metric === "throughput" ? "" : " ms";
  const interval =
    low === undefined && high === undefined
      ? ""
      : `, interval ${low === undefined ? "…" : formatChange(low)} to ${high === undefined ? "…" : formatChange(high)}`;
  return `${getMetricName(metric)} ${formatValue(row, base, baseIsCensored)} → ${formatValue(row, head, headIsCensored)}${unit} (${formatChange(change)}${interval}, margin ${formatShare(margin)})`;
};

const describeFailures = ({ failures }: Comparison): readonly string[] =>
  failures === undefined || failures.verdict === "unchanged"
    ? []
    : [
        `${formatGrouped(failures.headFailed)} of ${counted(failures.headTotal, "request")} failed, ${formatGrouped(failures.baseFailed)} of ${formatGrouped(failures.baseTotal)} in the base`,
      ];

/** Lists inconclusive metrics of a conclusive comparison, because a good verdict must not hide a possible regression in the tail. */
const describeInconclusive = ({ metrics, verdict }: Comparison): readonly string[] => {
  const inconclusiveMetrics = verdict === "inconclusive" ? [] : metrics.filter((row) => row.verdict === "inconclusive");
  const names = inconclusiveMetrics.map(({ metric, note }) =>
    note?.startsWith("leaning worse") === true ? `${getMetricName(metric)} (leans worse)` : getMetricName(metric),
  );
  return names.length === 0 ? [] : [`no verdict on ${names.join(", ")}`];
};

/** Returns `slower` or `faster` for times, otherwise the verdict's usual word. */
const getComparisonWord = (comparison: Comparison, row: MetricComparison | undefined): string => {
  const { verdict } = comparison;
  const isTimed = row !== undefined && row.metric !== "throughput";
  if (isTimed && verdict === "regressed") {
    return "slower";
  }
  return isTimed && verdict === "improved" ? "faster" : comparisonWords[verdict].word;
};

export interface ComparisonHeadline {
  readonly sign: Sign;
  readonly word: string;
  /** The change, or the reason there is no verdict, in one line. */
  readonly text: string;
}

/** Describes a comparison in one line, such as `slower` and `first match by query 57.4 → 86.0 ms (+50.2 %, interval +49.3 % to +50.8 %, margin 15 %)`. */
export const createComparisonHeadline = (comparison: Comparison): ComparisonHeadline => {
  const { verdict, summary } = comparison;
  const { sign, word } = comparisonWords[verdict];
  const row = findDecidingMetric(comparison);
  const parts = [
    ...(row === undefined ? [] : [describeChanged(row)]),
    ...describeFailures(comparison),
    ...describeInconclusive(comparison),
  ];
  // The reason for an inconclusive verdict is in the summary, which begins with the verdict.
  const sentence = summary.replace(`${word}: `, "").replace(/\.$/u, "");
  return {
    sign,
    word: getComparisonWord(comparison, row),
    text: verdict === "inconclusive" || parts.length === 0 ? sentence : parts.join("; "),
  };
};

/** Describes a comparison in one line, with the verdict in capitals. */
export const formatComparisonLine = (comparison: Comparison): string => {
  const { word, text } = createComparisonHeadline(comparison);
  return `${word.toUpperCase()} ${text}`;
};

/** Reports whether the headline shows the comparison rather than the speed. An invalid load shows it only if it is inconclusive. */
export const hasComparisonHeadline = (load: LoadResult): load is LoadResult & { readonly comparison: Comparison } =>
  load.comparison !== undefined && (getLoadValidity(load) !== "invalid" || load.comparison.verdict === "inconclusive");

/** Returns the headline of a load: its speed or its comparison. Empty if no load was sent. */
export const findLoadHeadline = (load: LoadResult): readonly string[] => {
  if (isUnsent(load)) {
    return [];
  }
  return [hasComparisonHeadline(load) ? formatComparisonLine(load.comparison) : describeSpeed(load)];
};

/** Describes a load in one sentence: its figures, then its summary. */
export const describeLoad = (load: LoadResult): string => [...findLoadHeadline(load), load.summary].join("; ");
