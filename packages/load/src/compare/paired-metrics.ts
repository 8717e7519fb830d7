import type { ComparedMetric, ComparisonPreset, CensoredCount, MetricComparison } from "@assay/results";
import { comparedMetrics } from "@assay/results";
import { median, quantile } from "../statistics/quantile.ts";
import { type BlockFigures, countCensored, type TimeBounds } from "./block-figures.ts";
import type { MeasuredPair, WorkKind } from "./paired-blocks.ts";
import { presets } from "./presets.ts";

/** Natural logarithms of one metric of one side by pair, as lower and upper bounds; the same array if all are exact. */
export interface LogBounds {
  readonly earliest: readonly number[];
  readonly latest: readonly number[];
}

export interface PairedLogs {
  readonly base: LogBounds;
  readonly head: LogBounds;
}

/** The natural logarithms of one metric in one block. */
interface BlockLog {
  readonly earliest: number;
  readonly latest: number;
}

/** A metric, and the function that reads it from one block. */
interface PairedMetricRow {
  readonly kind: WorkKind | "any";
  /** Minimum number of times in each block. */
  readonly minTimes: number;
  /** Name of the times, in the plural. */
  readonly unit: string;
  /** Undefined for a metric that is not a time. */
  readonly times: ((figures: BlockFigures) => TimeBounds) | undefined;
  /** Undefined if there is nothing to compare. */
  readonly read: (figures: BlockFigures, otherSide: BlockFigures) => BlockLog | undefined;
}

const readQuantile =
  (times: (figures: BlockFigures) => TimeBounds, fraction: number): PairedMetricRow["read"] =>
  (figures) => {
    const { earliest, latest } = times(figures);
    return { earliest: Math.log(quantile(earliest, fraction)), latest: Math.log(quantile(latest, fraction)) };
  };

/** Reads the mean of the logarithms of the query medians. Skips queries that lack times on one side of the pair. */
const readQueryMedians: PairedMetricRow["read"] = (figures, otherSide) => {
  let earliest = 0;
  let latest = 0;
  let queries = 0;
  for (const [index, times] of figures.firstMatchByQuery.entries()) {
    if (times.earliest.length > 0 && (otherSide.firstMatchByQuery[index]?.earliest.length ?? 0) > 0) {
      earliest += Math.log(median(times.earliest));
      latest += Math.log(median(times.latest));
      queries += 1;
    }
  }
  return queries === 0 ? undefined : { earliest: earliest / queries, latest: latest / queries };
};

/** Zero has no logarithm, so an empty block counts as half a response. */
const minServed = 0.5;

/** Reads the successes per second. The time is that for sending the block plus the backlog. */
const readThroughput: PairedMetricRow["read"] = ({ served, plannedMs, backlogMs }) => {
  const log = Math.log((Math.max(minServed, served) * 1000) / (plannedMs + Math.max(0, backlogMs)));
  return { earliest: log, latest: log };
};

const selectFirstMatch = ({ firstMatch }: BlockFigures): TimeBounds => firstMatch;
const selectTerminal = ({ terminal }: BlockFigures): TimeBounds => terminal;
const selectPoll = ({ poll }: BlockFigures): TimeBounds => poll;

const searchRow = { kind: "stream", unit: "searches timed", times: selectFirstMatch } as const;
const questionRow = { kind: "conversation", unit: "questions timed", times: selectTerminal } as const;
const pollRow = { kind: "conversation", unit: "polls timed", times: selectPoll } as const;

const metricRows = {
  "first-match by query": { ...searchRow, minTimes: 1, read: readQueryMedians },
  "first-match p50": { ...searchRow, minTimes: 20, read: readQuantile(selectFirstMatch, 0.5) },
  "first-match p95": { ...searchRow, minTimes: 100, read: readQuantile(selectFirstMatch, 0.95) },
  "first-match p99": { ...searchRow, minTimes: 200, read: readQuantile(selectFirstMatch, 0.99) },
  "terminal p50": { ...questionRow, minTimes: 20, read: readQuantile(selectTerminal, 0.5) },
  "terminal p95": { ...questionRow, minTimes: 100, read: readQuantile(selectTerminal, 0.95) },
  "poll p50": { ...pollRow, minTimes: 20, read: readQuantile(selectPoll, 0.5) },
  "poll p95": { ...pollRow, minTimes: 100, read: readQuantile(selectPoll, 0.95) },
  throughput: { kind: "any", unit: "requests", times: undefined, minTimes: 0, read: readThroughput },
} as const satisfies Record<ComparedMetric, PairedMetricRow>;

/** Selects the metrics that have a margin in the preset and for which work was recorded, the most informative first. */
export const selectPairedMetrics = (
  preset: ComparisonPreset,
  kinds: ReadonlySet<WorkKind>,
): readonly ComparedMetric[] =>
  comparedMetrics.filter((metric) => {
    const { kind } = metricRows[metric];
    return presets[preset].margins[metric] !== undefined && (kind === "any" || kinds.has(kind));
  });

interface PairLog {
  readonly base: BlockLog;
  readonly head: BlockLog;
}

const readPairLog = ({ minTimes, times, read }: PairedMetricRow, { base, head }: MeasuredPair): PairLog | undefined => {
  const counts = times === undefined ? [] : [base, head].map((figures) => times(figures).latest.length);
  const baseLog = read(base, head);
  const headLog = read(head, base);
  return Math.min(...counts) < minTimes || baseLog === undefined || headLog === undefined
    ? undefined
    : { base: baseLog, head: headLog };
};

/** Counts the censored times of a metric in all pairs. Returns undefined if there are none. */
export const countCensoredTimes = (
  metric: ComparedMetric,
  pairs: readonly MeasuredPair[],
): MetricComparison["censored"] => {
  const { times }: PairedMetricRow = metricRows[metric];
  const count = (side: "base" | "head"): CensoredCount => {
    const bounds = times === undefined ? [] : pairs.map((pair) => times(pair[side]));
    return {
      censored: bounds.reduce((sum, timeBounds) => sum + countCensored(timeBounds), 0),
      of: bounds.reduce((sum, { latest }) => sum + latest.length, 0),
    };
  };
  const [base, head] = [count("base"), count("head")];
  return base.censored + head.censored === 0 ? undefined : { base, head };
};

const toLogBounds = (logs: readonly BlockLog[]): LogBounds => {
  const latest = logs.map((log) => log.latest);
  const isExact = logs.every((log) => log.earliest === log.latest);
  return { earliest: isExact ? latest : logs.map(({ earliest }) => earliest), latest };
};

/** Reads one metric from all pairs with enough times. */
export const readPairedLogs = (metric: ComparedMetric, pairs: readonly MeasuredPair[]): PairedLogs => {
  const logs = pairs.map((pair) => readPairLog(metricRows[metric], pair)).filter((log) => log !== undefined);
  return { base: toLogBounds(logs.map(({ base }) => base)), head: toLogBounds(logs.map(({ head }) => head)) };
};

/** Describes, as a clause, the minimum number of times in each block. Empty if one is enough. */
export const describeMinTimes = (metric: ComparedMetric): string => {
  const { minTimes, unit } = metricRows[metric];
  return minTimes > 1 ? ` with at least ${minTimes} ${unit} on each side` : "";
};

/** Returns the minimum number of times that a metric needs in each block of a pair. */
export const computeMinTimes = (metric: ComparedMetric): number => metricRows[metric].minTimes;
