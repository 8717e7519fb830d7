import type { ComparedMetric, ComparisonPreset, LaterCount, MetricComparison } from "@assay/results";
import { comparedMetrics } from "@assay/results";
import { median, quantile } from "../statistics/quantile.ts";
import { type BlockFigures, laterIn, type TimeBounds } from "./block-figures.ts";
import type { MeasuredPair, WorkKind } from "./paired-blocks.ts";
import { presets } from "./presets.ts";

/** Natural logarithms of one metric of one arm, by pair: at least, and at most; one array where all are known exactly. */
export interface LogBounds {
  readonly earliest: readonly number[];
  readonly latest: readonly number[];
}

/** One metric in all pairs that have it. */
export interface PairedLogs {
  readonly base: LogBounds;
  readonly head: LogBounds;
}

/** The same of one block. */
interface BlockLog {
  readonly earliest: number;
  readonly latest: number;
}

/** How a metric is read off one block. */
interface PairedMetricRow {
  readonly kind: WorkKind | "any";
  /** Fewest times in each block, without which the figure of a block is none. */
  readonly fewest: number;
  /** What these are, in the plural. */
  readonly unit: string;
  /** Undefined for a metric that is no time. */
  readonly times: ((figures: BlockFigures) => TimeBounds) | undefined;
  /** Undefined where it says nothing. */
  readonly read: (own: BlockFigures, other: BlockFigures) => BlockLog | undefined;
}

const quantileOf =
  (times: (figures: BlockFigures) => TimeBounds, fraction: number): PairedMetricRow["read"] =>
  (own) => {
    const { earliest, latest } = times(own);
    return { earliest: Math.log(quantile(earliest, fraction)), latest: Math.log(quantile(latest, fraction)) };
  };

/** Mean over queries of the logarithms of their medians: a query counts only where both arms of the pair have times of it. */
const byQuery: PairedMetricRow["read"] = (own, other) => {
  let earliest = 0;
  let latest = 0;
  let queries = 0;
  for (const [index, times] of own.byQuery.entries()) {
    if (times.earliest.length > 0 && (other.byQuery[index]?.earliest.length ?? 0) > 0) {
      earliest += Math.log(median(times.earliest));
      latest += Math.log(median(times.latest));
      queries += 1;
    }
  }
  return queries === 0 ? undefined : { earliest: earliest / queries, latest: latest / queries };
};

/** A block in which nothing was served has no logarithm; half an answer stands for it. */
const leastServed = 0.5;

/** Served each second: in the time that sending took, and in what a target that fell behind needed beyond it. */
const servedEachSecond: PairedMetricRow["read"] = ({ served, plannedMs, backlogMs }) => {
  const log = Math.log((Math.max(leastServed, served) * 1000) / (plannedMs + Math.max(0, backlogMs)));
  return { earliest: log, latest: log };
};

const firstMatch = ({ firstMatch }: BlockFigures): TimeBounds => firstMatch;
const terminal = ({ terminal }: BlockFigures): TimeBounds => terminal;
const poll = ({ poll }: BlockFigures): TimeBounds => poll;

const matches = { kind: "stream", unit: "searches timed", times: firstMatch } as const;
const ends = { kind: "conversation", unit: "questions timed", times: terminal } as const;
const polls = { kind: "conversation", unit: "polls timed", times: poll } as const;

const metricRows = {
  "first-match by query": { ...matches, fewest: 1, read: byQuery },
  "first-match p50": { ...matches, fewest: 20, read: quantileOf(firstMatch, 0.5) },
  "first-match p95": { ...matches, fewest: 100, read: quantileOf(firstMatch, 0.95) },
  "first-match p99": { ...matches, fewest: 200, read: quantileOf(firstMatch, 0.99) },
  "terminal p50": { ...ends, fewest: 20, read: quantileOf(terminal, 0.5) },
  "terminal p95": { ...ends, fewest: 100, read: quantileOf(terminal, 0.95) },
  "poll p50": { ...polls, fewest: 20, read: quantileOf(poll, 0.5) },
  "poll p95": { ...polls, fewest: 100, read: quantileOf(poll, 0.95) },
  throughput: { kind: "any", unit: "requests", times: undefined, fewest: 0, read: servedEachSecond },
} as const satisfies Record<ComparedMetric, PairedMetricRow>;

/** Metrics of a paired comparison that a preset decides about where such work was recorded, the most telling first. */
export const pairedMetricsOf = (preset: ComparisonPreset, kinds: ReadonlySet<WorkKind>): readonly ComparedMetric[] =>
  comparedMetrics.filter((metric) => {
    const { kind } = metricRows[metric];
    return presets[preset].margins[metric] !== undefined && (kind === "any" || kinds.has(kind));
  });

interface PairLog {
  readonly base: BlockLog;
  readonly head: BlockLog;
}

const pairLog = ({ fewest, times, read }: PairedMetricRow, { base, head }: MeasuredPair): PairLog | undefined => {
  const counts = times === undefined ? [] : [base, head].map((figures) => times(figures).latest.length);
  const ofBase = read(base, head);
  const ofHead = read(head, base);
  return Math.min(...counts) < fewest || ofBase === undefined || ofHead === undefined
    ? undefined
    : { base: ofBase, head: ofHead };
};

/** How many times of a metric are later than they were watched, in all pairs; undefined where none is. */
export const laterOf = (metric: ComparedMetric, pairs: readonly MeasuredPair[]): MetricComparison["later"] => {
  const { times }: PairedMetricRow = metricRows[metric];
  const count = (side: "base" | "head"): LaterCount => {
    const all = times === undefined ? [] : pairs.map((pair) => times(pair[side]));
    return {
      later: all.reduce((sum, one) => sum + laterIn(one), 0),
      of: all.reduce((sum, { latest }) => sum + latest.length, 0),
    };
  };
  const [base, head] = [count("base"), count("head")];
  return base.later + head.later === 0 ? undefined : { base, head };
};

const logBoundsOf = (logs: readonly BlockLog[]): LogBounds => {
  const latest = logs.map((log) => log.latest);
  const isExact = logs.every((log) => log.earliest === log.latest);
  return { earliest: isExact ? latest : logs.map(({ earliest }) => earliest), latest };
};

/** One metric in all pairs that have enough of it. */
export const pairedLogs = (metric: ComparedMetric, pairs: readonly MeasuredPair[]): PairedLogs => {
  const logs = pairs.map((pair) => pairLog(metricRows[metric], pair)).filter((log) => log !== undefined);
  return { base: logBoundsOf(logs.map(({ base }) => base)), head: logBoundsOf(logs.map(({ head }) => head)) };
};

/** What the blocks of a pair need so that they have a figure, a clause; empty where any block has. */
export const enoughFor = (metric: ComparedMetric): string => {
  const { fewest, unit } = metricRows[metric];
  return fewest > 1 ? ` with at least ${fewest} ${unit} on each side` : "";
};

/** Fewest times of its kind that each block of a pair needs for a metric. */
export const fewestTimesFor = (metric: ComparedMetric): number => metricRows[metric].fewest;
