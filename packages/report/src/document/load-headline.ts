import { percentileMinimum } from "@assay/results";
import type { Comparison, LoadArm, LoadMetric, LoadResult, MetricComparison, Percentile } from "@assay/results";
import { counted } from "./counted.ts";
import { changeText, laterText, msText, plainNumber, shareText } from "./shown-number.ts";

/** The metrics that say how fast a target is, the most telling first. */
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

/** What a load is about, such as the time to the first match; undefined where nothing was measured. */
export const headlineMetric = ({ metrics }: LoadResult, arm: LoadArm = "a"): HeadlineMetric | undefined => {
  for (const { metric: wanted, name } of headlineMetrics) {
    const metric = metrics.find((one) => one.metric === wanted && one.arm === arm && one.count > 0);
    if (metric !== undefined) {
      return { name, metric };
    }
  }
  return undefined;
};

/** A percentile with its interval, or why there is none. */
export const headlineFigure = (
  metric: LoadMetric,
  name: "p50" | "p95",
): { readonly value: string; readonly interval: string } => {
  const found: Percentile | undefined = metric[name];
  if (found === undefined) {
    return { value: "n/a", interval: `${metric.count} of ${percentileMinimum[name]} samples` };
  }
  const { value, isLater, low, high } = found;
  return {
    value: `${laterText(value, isLater)} ms`,
    interval: low === undefined || high === undefined ? "" : `[${msText(low)}, ${msText(high)}]`,
  };
};

/** Requests of the measured part that went well and that did not. */
export const requestCounts = ({ outcomes }: LoadResult): { readonly all: number; readonly failed: number } => {
  const counts = Object.values(outcomes).flatMap((kinds) => Object.entries(kinds));
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  return { all, failed: all - counts.reduce((sum, [kind, count]) => sum + (kind === "ok" ? count : 0), 0) };
};

/** What the figures of a load are worth: with too few samples it is undecided, and invalid only where another condition failed. */
export const worthOf = ({ trust: { valid, checks } }: LoadResult): "ok" | "undecided" | "invalid" => {
  if (valid) {
    return "ok";
  }
  const missed = checks.filter(({ ok }) => ok === false);
  return missed.length > 0 && missed.every(({ check }) => check === "enough-samples") ? "undecided" : "invalid";
};

/** Sign and words of what the figures of a load are worth. */
export const worthWords = {
  ok: { sign: "✓", words: "generator ok" },
  undecided: { sign: "?", words: "undecided: too few samples" },
  invalid: { sign: "✗", words: "invalid: conditions failed" },
} as const;

/** The speed of a load in one line, such as `first match p50 57.7 ms [57.5, 58.1], p95 66.0 ms · 960 requests · 0 failed · generator ok`. */
export const loadHeadline = (load: LoadResult): string => {
  const found = headlineMetric(load);
  const { all, failed } = requestCounts(load);
  const figures =
    found === undefined
      ? ["nothing was measured"]
      : [
          `${found.name} ${(["p50", "p95"] as const)
            .map((name) => {
              const { value, interval } = headlineFigure(found.metric, name);
              return `${name} ${value}${interval === "" ? "" : ` ${interval}`}`;
            })
            .join(", ")}`,
        ];
  return [...figures, counted(all, "request"), `${failed} failed`, worthWords[worthOf(load)].words].join(" · ");
};

const rateOf = (row: MetricComparison, value: number | undefined, isLater: true | undefined): string => {
  if (value === undefined) {
    return "-";
  }
  return row.metric === "throughput" ? `${plainNumber(value)}/s` : laterText(value, isLater);
};

/** The metric that decides a comparison: the first with the verdict of the whole. */
const decidingMetric = ({ metrics, verdict }: Comparison): MetricComparison | undefined =>
  metrics.find((row) => row.verdict === verdict && row.change !== undefined) ??
  metrics.find(({ change }) => change !== undefined);

/** A comparison in one line: the change large, then what changed from what to what; undefined where nothing could be computed. */
export const comparisonHeadline = (
  comparison: Comparison,
): { readonly change: string; readonly rest: string } | undefined => {
  const row = decidingMetric(comparison);
  if (row === undefined) {
    return undefined;
  }
  const { metric, base, baseIsLater, head, headIsLater, change, low, high, margin } = row;
  const unit = metric === "throughput" ? "" : " ms";
  const interval =
    low === undefined && high === undefined
      ? ""
      : `, interval ${low === undefined ? "…" : changeText(low)} to ${high === undefined ? "…" : changeText(high)}`;
  return {
    change: changeText(change),
    rest: `${metric} ${rateOf(row, base, baseIsLater)} → ${rateOf(row, head, headIsLater)}${unit}${interval}, margin ${shareText(margin)}`,
  };
};
