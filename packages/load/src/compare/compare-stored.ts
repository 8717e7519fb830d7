import type {
  ComparedMetric,
  Comparison,
  ComparisonPreset,
  FailureComparison,
  CensoredCount,
  LoadMetric,
  LoadMetricName,
  MetricComparison,
} from "@assay/results";
import { bonferroniConfidence } from "../statistics/corrections.ts";
import type { Interval } from "../statistics/interval.ts";
import { hodgesLehmannShift, mannWhitneyPValue } from "../statistics/mann-whitney.ts";
import { median } from "../statistics/quantile.ts";
import { familyAlpha, minRuns, presets } from "./presets.ts";
import { compareFailures, computeFailureShare, sumFailures } from "./compare-failures.ts";
import { summarizeComparison } from "./comparison-summary.ts";
import { findIncomparableReasons } from "./incomparable.ts";
import { combineBounds, judgeShift, betweenPollsReason, censoredReason } from "./judge-shift.ts";
import type { BoundedShift } from "./judge-shift.ts";
import { combineVerdicts } from "./overall-verdict.ts";
import type { StoredRun } from "./stored-run.ts";
import { type FailureCount, unsentOutcomes } from "./paired-blocks.ts";

/**
 * Reports whether the runs of both sides alternate: in time order, the side changes at least half as often as the
 * smaller side has runs. If they do not, anything else that changed in between looks like a change of the target.
 */
export const runsAlternate = (base: readonly StoredRun[], head: readonly StoredRun[]): boolean => {
  const chronological = [
    ...base.map(({ run }) => ({ side: "base", at: Date.parse(run.startedAt) })),
    ...head.map(({ run }) => ({ side: "head", at: Date.parse(run.startedAt) })),
  ].toSorted((a, b) => a.at - b.at);
  const changes = chronological.filter(
    ({ side }, index) => index > 0 && side !== chronological[index - 1]?.side,
  ).length;
  return chronological.every(({ at }) => Number.isFinite(at)) && changes * 2 >= Math.min(base.length, head.length);
};

/** One figure of a run, with its bounds. */
interface StoredValue {
  readonly observed: number;
  readonly earliest: number;
  /** Infinite if it was not observed. */
  readonly latest: number;
}

/** A figure that is compared between runs. */
interface StoredFigure {
  readonly metric: ComparedMetric;
  /** Absent if the figure is not a time. */
  readonly timeMetric?: LoadMetricName;
  readonly read: (run: StoredRun) => StoredValue | undefined;
}

/** Units of work. Calls are parts of conversations. */
const workKinds = ["stream", "conversation"] as const;

const countSuccesses = (run: StoredRun): number =>
  workKinds.reduce((sum, kind) => sum + (run.outcomes[kind]?.ok ?? 0), 0);

/** Successes per second. Arrivals are planned, so it falls only if requests fail, and never exceeds the plan. */
const readThroughput = (run: StoredRun): StoredValue | undefined => {
  const value = countSuccesses(run) / (run.plan.durationMs / 1000);
  return workKinds.some((kind) => run.outcomes[kind] !== undefined)
    ? { observed: value, earliest: value, latest: value }
    : undefined;
};

const findMetric = ({ metrics }: StoredRun, name: LoadMetricName): LoadMetric | undefined =>
  metrics.find(({ metric, side }) => metric === name && side === "base");

type StoredPercentile = "p50" | "p95" | "p99";

/** Reads a percentile of one metric, with the same percentile of another metric as its lower bound. */
const readBounds =
  (upper: LoadMetricName, lower: LoadMetricName, percentile: StoredPercentile): StoredFigure["read"] =>
  (run) => {
    const observed = findMetric(run, upper)?.[percentile];
    const earliest = findMetric(run, lower)?.[percentile];
    return observed === undefined || earliest === undefined
      ? undefined
      : {
          observed: observed.value,
          earliest: earliest.value,
          latest: observed.isCensored === true ? Number.POSITIVE_INFINITY : observed.value,
        };
  };

const createTimeFigure = (
  metric: ComparedMetric,
  timeMetric: LoadMetricName,
  percentile: StoredPercentile,
): StoredFigure => ({
  metric,
  timeMetric,
  read: readBounds(timeMetric, timeMetric === "terminal-upper" ? "terminal-lower" : timeMetric, percentile),
});

/** All figures of stored runs, the most informative first. */
const storedFigures: readonly StoredFigure[] = [
  createTimeFigure("first-match p50", "first-match", "p50"),
  createTimeFigure("first-match p95", "first-match", "p95"),
  createTimeFigure("first-match p99", "first-match", "p99"),
  createTimeFigure("terminal p50", "terminal-upper", "p50"),
  createTimeFigure("terminal p95", "terminal-upper", "p95"),
  createTimeFigure("poll p50", "poll", "p50"),
  createTimeFigure("poll p95", "poll", "p95"),
  { metric: "throughput", read: readThroughput },
];

const countMatchless = (run: StoredRun): number => {
  const timedCount = findMetric(run, "first-match")?.count;
  return timedCount === undefined ? 0 : Math.max(0, (run.outcomes["stream"]?.ok ?? 0) - timedCount);
};

const computeMatchlessShare = (run: StoredRun): number =>
  countMatchless(run) / Math.max(1, run.outcomes["stream"]?.ok ?? 0);

/**
 * Failed streams and conversations of each run, including those that could not begin. Successful streams without a
 * match count as failed beyond their smallest share in any run, since queries without matches give every run the same
 * share.
 */
const countRunFailures = (runs: readonly StoredRun[]): readonly FailureCount[] => {
  const minMatchlessShare = Math.min(1, ...runs.map(computeMatchlessShare));
  return runs.map((run) => {
    const counts = workKinds.flatMap((kind) => Object.entries(run.outcomes[kind] ?? {}));
    const total = counts.reduce((sum, [outcome, count]) => sum + (unsentOutcomes.has(outcome) ? 0 : (count ?? 0)), 0);
    const excessMatchless = Math.round(countMatchless(run) - minMatchlessShare * (run.outcomes["stream"]?.ok ?? 0));
    return { failed: total - countSuccesses(run) + Math.max(0, excessMatchless), total };
  });
};

/** Names and preset of a comparison of stored runs. */
export interface StoredComparisonOptions {
  readonly base: string;
  readonly head: string;
  /** Sets the margins. Default: standard. */
  readonly preset?: ComparisonPreset;
}

interface ComparedSides {
  readonly base: readonly StoredRun[];
  readonly head: readonly StoredRun[];
  readonly confidence: number;
  readonly marginOf: (metric: ComparedMetric) => number;
}

/**
 * Factor of the time margins if the sides did not alternate. A machine is easily 5 % slower on another day, and no
 * number of runs on each day separates that from a change of the target. Throughput is planned, so it is not affected.
 */
const unalternatedMarginFactor = 2;

const notAlternatingCaveat = "the margins of times are doubled, because the runs of the two sides did not alternate";

/** Zero has no logarithm. Far below any measured value. */
const minValue = 1e-6;

const toLogs = (values: readonly StoredValue[], bound: keyof StoredValue): readonly number[] =>
  values.map((value) => Math.log(Math.max(minValue, value[bound])));

const medianBound = (values: readonly StoredValue[], bound: keyof StoredValue): number =>
  median(Float64Array.from(values, (value) => value[bound]).sort());

const isExact = ({ observed, earliest, latest }: StoredValue): boolean => observed === earliest && observed === latest;

/** Counts the censored times of a metric in all runs of a side. */
const countCensored = (runs: readonly StoredRun[], timeMetric: LoadMetricName | undefined): CensoredCount => {
  const metrics = runs.flatMap((run) => (timeMetric === undefined ? [] : (findMetric(run, timeMetric) ?? [])));
  const censored = metrics.reduce((sum, metric) => sum + (metric.censored?.count ?? 0), 0);
  return { censored, of: censored + metrics.reduce((sum, { count }) => sum + count, 0) };
};

const countNotBegun = (runs: readonly StoredRun[]): number =>
  runs.reduce(
    (sum, { outcomes }) =>
      sum +
      workKinds.reduce(
        (total, kind) => total + (outcomes[kind]?.["not-begun"] ?? 0) + (outcomes[kind]?.["held-back"] ?? 0),
        0,
      ),
    0,
  );

const estimateShift = (
  base: readonly StoredValue[],
  head: readonly StoredValue[],
  confidence: number,
): BoundedShift => {
  const shift = (headBound: keyof StoredValue, baseBound: keyof StoredValue): Interval =>
    hodgesLehmannShift(toLogs(base, baseBound), toLogs(head, headBound), confidence);
  const observed = shift("observed", "observed");
  return [...base, ...head].every(isExact)
    ? { shift: observed, irreducibleHalfWidth: 0 }
    : combineBounds({ lowest: shift("earliest", "latest"), observed, highest: shift("latest", "earliest") });
};

const judgeFigure = ({ metric, timeMetric, read }: StoredFigure, sides: ComparedSides): MetricComparison => {
  const { confidence, marginOf } = sides;
  const base = sides.base.map(read).filter((value) => value !== undefined);
  const head = sides.head.map(read).filter((value) => value !== undefined);
  const censored = { base: countCensored(sides.base, timeMetric), head: countCensored(sides.head, timeMetric) };
  const isCensored = censored.base.censored + censored.head.censored > 0;
  const comparison = judgeShift({
    metric,
    ...estimateShift(base, head, confidence),
    undecidedReason: isCensored ? censoredReason : betweenPollsReason,
    base: medianBound(base, "observed"),
    head: medianBound(head, "observed"),
    headNotBegun: countNotBegun(sides.head),
    confidence,
    margin: marginOf(metric),
    units: Math.min(base.length, head.length),
    minUnits: minRuns,
    unitName: "runs with this figure on the smaller side",
  });
  return {
    ...comparison,
    ...(medianBound(base, "latest") === Number.POSITIVE_INFINITY ? { baseIsCensored: true } : {}),
    ...(medianBound(head, "latest") === Number.POSITIVE_INFINITY ? { headIsCensored: true } : {}),
    ...(isCensored ? { censored } : {}),
  };
};

const compareRunFailures = ({ base, head, confidence }: ComparedSides): FailureComparison => {
  const counts = countRunFailures([...base, ...head]);
  const baseCounts = counts.slice(0, base.length);
  const headCounts = counts.slice(base.length);
  return compareFailures({
    base: sumFailures(baseCounts),
    head: sumFailures(headCounts),
    alpha: 1 - confidence,
    agreementPValue:
      Math.min(base.length, head.length) < minRuns
        ? 1
        : mannWhitneyPValue(baseCounts.map(computeFailureShare), headCounts.map(computeFailureShare)),
  });
};

/** Figures with a margin in the preset and a value in some run. */
const selectFigures = (runs: readonly StoredRun[], preset: ComparisonPreset): readonly StoredFigure[] =>
  storedFigures.filter(
    ({ metric, read }) => presets[preset].margins[metric] !== undefined && runs.some((run) => read(run) !== undefined),
  );

const createMarginLookup =
  (preset: ComparisonPreset, areAlternating: boolean): ComparedSides["marginOf"] =>
  (metric) =>
    (presets[preset].margins[metric] ?? Number.POSITIVE_INFINITY) *
    (areAlternating || metric === "throughput" ? 1 : unalternatedMarginFactor);

/**
 * Compares stored runs of two sides. The unit is the run, because the requests of one run share its conditions. With
 * fewer than 10 runs a side every metric is inconclusive. Time margins are doubled if the runs of the two sides did not
 * alternate. Runs with different requests, rates or environments are not compared, and neither are invalid runs or runs
 * that ended early.
 */
export const compareStored = (
  base: readonly StoredRun[],
  head: readonly StoredRun[],
  { base: baseName, head: headName, preset = "standard" }: StoredComparisonOptions,
): Comparison => {
  const incomparable = findIncomparableReasons(base, head);
  const figures = incomparable.length > 0 ? [] : selectFigures([...base, ...head], preset);
  const areAlternating = runsAlternate(base, head);
  const sides = {
    base,
    head,
    confidence: bonferroniConfidence(familyAlpha, figures.length + 1),
    marginOf: createMarginLookup(preset, areAlternating),
  };
  const metrics = figures.map((figure) => judgeFigure(figure, sides));
  const parts = { metrics, incomparable, ...(incomparable.length > 0 ? {} : { failures: compareRunFailures(sides) }) };
  const verdict = combineVerdicts(parts);
  return {
    design: "stored",
    preset,
    base: baseName,
    head: headName,
    verdict,
    summary: summarizeComparison(verdict, {
      ...parts,
      unit: "runs a side",
      ...(areAlternating ? {} : { caveat: notAlternatingCaveat }),
    }),
    ...parts,
    queries: [],
  };
};
