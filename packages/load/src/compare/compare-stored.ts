import type {
  ComparedMetric,
  Comparison,
  ComparisonPreset,
  FailureComparison,
  LaterCount,
  LoadMetric,
  LoadMetricName,
  MetricComparison,
} from "@assay/results";
import { bonferroniConfidence } from "../statistics/corrections.ts";
import type { Interval } from "../statistics/interval.ts";
import { hodgesLehmannShift, mannWhitneyPValue } from "../statistics/mann-whitney.ts";
import { median } from "../statistics/quantile.ts";
import { familyAlpha, fewestRuns, presets } from "./presets.ts";
import { compareFailures, failureShare, totalOf } from "./compare-failures.ts";
import { comparisonSummary } from "./comparison-summary.ts";
import { incomparableReasons } from "./incomparable.ts";
import { boundedShift, judgeShift, openBetweenPolls, openWhereLater } from "./judge-shift.ts";
import type { BoundedShift } from "./judge-shift.ts";
import { overallVerdict } from "./overall-verdict.ts";
import type { StoredRun } from "./stored-run.ts";
import type { FailureCount } from "./paired-blocks.ts";

/**
 * Whether runs of both sides took turns: in the order of time the side changes at least half as often as the smaller side has
 * runs. Where it does not, whatever else changed between the two stretches of time looks like a change of the target.
 */
export const runsAlternate = (base: readonly StoredRun[], head: readonly StoredRun[]): boolean => {
  const inOrder = [
    ...base.map(({ run }) => ({ side: "base", at: Date.parse(run.startedAt) })),
    ...head.map(({ run }) => ({ side: "head", at: Date.parse(run.startedAt) })),
  ].toSorted((one, other) => one.at - other.at);
  const changes = inOrder.filter(({ side }, index) => index > 0 && side !== inOrder[index - 1]?.side).length;
  return inOrder.every(({ at }) => Number.isFinite(at)) && changes * 2 >= Math.min(base.length, head.length);
};

/** One figure of a run: as it was seen, and between what it lies. */
interface StoredValue {
  readonly seen: number;
  readonly earliest: number;
  /** Infinite where it is later than anybody watched. */
  readonly latest: number;
}

/** Something that runs are compared by. */
interface StoredFigure {
  readonly metric: ComparedMetric;
  /** What its times are called in a run; absent for a figure that is none. */
  readonly times?: LoadMetricName;
  readonly read: (run: StoredRun) => StoredValue | undefined;
}

/** The run, or its budget, ended first: this says nothing of the target. What could not begin because of it counts as failed. */
const unsentOutcomes: ReadonlySet<string> = new Set(["canceled", "over-budget"]);

/** Units of work: calls are parts of conversations. */
const workKinds = ["stream", "conversation"] as const;

const okCount = (run: StoredRun): number => workKinds.reduce((sum, kind) => sum + (run.outcomes[kind]?.ok ?? 0), 0);

/** What ended well in one second. Arrivals are planned, so it falls only when requests fail, and never rises above the plan. */
const throughput = (run: StoredRun): StoredValue | undefined => {
  const value = okCount(run) / (run.plan.durationMs / 1000);
  return workKinds.some((kind) => run.outcomes[kind] !== undefined)
    ? { seen: value, earliest: value, latest: value }
    : undefined;
};

const metricOf = ({ metrics }: StoredRun, name: LoadMetricName): LoadMetric | undefined =>
  metrics.find(({ metric, arm }) => metric === name && arm === "a");

type StoredPercentile = "p50" | "p95" | "p99";

/** A percentile whose times may be as early as the same percentile of another metric. */
const between =
  (upper: LoadMetricName, lower: LoadMetricName, percentile: StoredPercentile): StoredFigure["read"] =>
  (run) => {
    const seen = metricOf(run, upper)?.[percentile];
    const earliest = metricOf(run, lower)?.[percentile];
    return seen === undefined || earliest === undefined
      ? undefined
      : {
          seen: seen.value,
          earliest: earliest.value,
          latest: seen.isLater === true ? Number.POSITIVE_INFINITY : seen.value,
        };
  };

const timesOf = (metric: ComparedMetric, times: LoadMetricName, percentile: StoredPercentile): StoredFigure => ({
  metric,
  times,
  read: between(times, times === "terminal-upper" ? "terminal-lower" : times, percentile),
});

/** Everything that stored runs are compared by, the most telling first. */
const storedFigures: readonly StoredFigure[] = [
  timesOf("first-match p50", "first-match", "p50"),
  timesOf("first-match p95", "first-match", "p95"),
  timesOf("first-match p99", "first-match", "p99"),
  timesOf("terminal p50", "terminal-upper", "p50"),
  timesOf("terminal p95", "terminal-upper", "p95"),
  timesOf("poll p50", "poll", "p50"),
  timesOf("poll p95", "poll", "p95"),
  { metric: "throughput", read: throughput },
];

const matchless = (run: StoredRun): number => {
  const timed = metricOf(run, "first-match")?.count;
  return timed === undefined ? 0 : Math.max(0, (run.outcomes["stream"]?.ok ?? 0) - timed);
};

const matchlessShare = (run: StoredRun): number => matchless(run) / Math.max(1, run.outcomes["stream"]?.ok ?? 0);

/**
 * Failed streams and conversations of each run, and those that could not begin. Streams that ended well without a match count as failed beyond the smallest share
 * of them in any run: queries that have no match give every run the same share.
 */
const storedFailures = (runs: readonly StoredRun[]): readonly FailureCount[] => {
  const usual = Math.min(1, ...runs.map(matchlessShare));
  return runs.map((run) => {
    const counts = workKinds.flatMap((kind) => Object.entries(run.outcomes[kind] ?? {}));
    const total = counts.reduce((sum, [outcome, count]) => sum + (unsentOutcomes.has(outcome) ? 0 : (count ?? 0)), 0);
    const lost = Math.round(matchless(run) - usual * (run.outcomes["stream"]?.ok ?? 0));
    return { failed: total - okCount(run) + Math.max(0, lost), total };
  });
};

/** What a comparison of stored runs is called and decided by. */
export interface StoredComparisonOptions {
  /** How people call the two sides. */
  readonly base: string;
  readonly head: string;
  /** Decides the margins; `standard` unless said. */
  readonly preset?: ComparisonPreset;
}

interface Sides {
  readonly base: readonly StoredRun[];
  readonly head: readonly StoredRun[];
  readonly confidence: number;
  readonly marginOf: (metric: ComparedMetric) => number;
}

/**
 * Factor of the margins of times when the sides did not take turns. A machine is easily 5 % slower on another day, and no number
 * of runs on each day tells that from a change of the target. Throughput is planned and knows no weather.
 */
const marginFactorApart = 2;

const apart = "the margins of times are doubled, because the runs of the two sides did not take turns";

/** A time or rate of nothing has no logarithm; far below anything that is measured. */
const smallest = 1e-6;

const logsOf = (values: readonly StoredValue[], end: keyof StoredValue): readonly number[] =>
  values.map((value) => Math.log(Math.max(smallest, value[end])));

const middle = (values: readonly StoredValue[], end: keyof StoredValue): number =>
  median(Float64Array.from(values, (value) => value[end]).sort());

const isExact = ({ seen, earliest, latest }: StoredValue): boolean => seen === earliest && seen === latest;

/** How many times of a metric are later than they were watched, in all runs of a side. */
const laterIn = (runs: readonly StoredRun[], times: LoadMetricName | undefined): LaterCount => {
  const metrics = runs.flatMap((run) => (times === undefined ? [] : (metricOf(run, times) ?? [])));
  const later = metrics.reduce((sum, metric) => sum + (metric.later?.count ?? 0), 0);
  return { later, of: later + metrics.reduce((sum, { count }) => sum + count, 0) };
};

/** Arrivals that could not begin because of the target. */
const notBegunIn = (runs: readonly StoredRun[]): number =>
  runs.reduce(
    (sum, { outcomes }) =>
      sum +
      workKinds.reduce(
        (of, kind) => of + (outcomes[kind]?.["not-begun"] ?? 0) + (outcomes[kind]?.["held-back"] ?? 0),
        0,
      ),
    0,
  );

const shiftOf = (base: readonly StoredValue[], head: readonly StoredValue[], confidence: number): BoundedShift => {
  const shift = (of: keyof StoredValue, against: keyof StoredValue): Interval =>
    hodgesLehmannShift(logsOf(base, against), logsOf(head, of), confidence);
  const seen = shift("seen", "seen");
  return [...base, ...head].every(isExact)
    ? { shift: seen, openHalfWidth: 0 }
    : boundedShift({ least: shift("earliest", "latest"), seen, most: shift("latest", "earliest") });
};

const judgeFigure = ({ metric, times, read }: StoredFigure, sides: Sides): MetricComparison => {
  const { confidence, marginOf } = sides;
  const base = sides.base.map(read).filter((value) => value !== undefined);
  const head = sides.head.map(read).filter((value) => value !== undefined);
  const later = { base: laterIn(sides.base, times), head: laterIn(sides.head, times) };
  const isLater = later.base.later + later.head.later > 0;
  const judged = judgeShift({
    metric,
    ...shiftOf(base, head, confidence),
    openReason: isLater ? openWhereLater : openBetweenPolls,
    base: middle(base, "seen"),
    head: middle(head, "seen"),
    headNotBegun: notBegunIn(sides.head),
    confidence,
    margin: marginOf(metric),
    units: Math.min(base.length, head.length),
    fewestUnits: fewestRuns,
    unitName: "runs with this figure on the smaller side",
  });
  return {
    ...judged,
    ...(middle(base, "latest") === Number.POSITIVE_INFINITY ? { baseIsLater: true } : {}),
    ...(middle(head, "latest") === Number.POSITIVE_INFINITY ? { headIsLater: true } : {}),
    ...(isLater ? { later } : {}),
  };
};

const failuresOf = ({ base, head, confidence }: Sides): FailureComparison => {
  const counts = storedFailures([...base, ...head]);
  const ofBase = counts.slice(0, base.length);
  const ofHead = counts.slice(base.length);
  return compareFailures({
    base: totalOf(ofBase),
    head: totalOf(ofHead),
    alpha: 1 - confidence,
    agreement:
      Math.min(base.length, head.length) < fewestRuns
        ? 1
        : mannWhitneyPValue(ofBase.map(failureShare), ofHead.map(failureShare)),
  });
};

/** Figures that the preset decides about and that some run has. */
const figuresOf = (runs: readonly StoredRun[], preset: ComparisonPreset): readonly StoredFigure[] =>
  storedFigures.filter(
    ({ metric, read }) => presets[preset].margins[metric] !== undefined && runs.some((run) => read(run) !== undefined),
  );

const marginsFor =
  (preset: ComparisonPreset, areAlternating: boolean): Sides["marginOf"] =>
  (metric) =>
    (presets[preset].margins[metric] ?? Number.POSITIVE_INFINITY) *
    (areAlternating || metric === "throughput" ? 1 : marginFactorApart);

/**
 * Compares stored runs of two sides. The unit is the run, because the requests of one run share its weather: with fewer than 10
 * runs a side every metric is inconclusive, one run against one run always. Margins of times are doubled when the runs of the two
 * sides did not take turns. Runs that differ in what was asked, how, how often or where, and runs that are invalid or ended early,
 * are not compared at all.
 */
export const compareStored = (
  base: readonly StoredRun[],
  head: readonly StoredRun[],
  { base: baseName, head: headName, preset = "standard" }: StoredComparisonOptions,
): Comparison => {
  const incomparable = incomparableReasons(base, head);
  const figures = incomparable.length > 0 ? [] : figuresOf([...base, ...head], preset);
  const areAlternating = runsAlternate(base, head);
  const sides = {
    base,
    head,
    confidence: bonferroniConfidence(familyAlpha, figures.length + 1),
    marginOf: marginsFor(preset, areAlternating),
  };
  const metrics = figures.map((figure) => judgeFigure(figure, sides));
  const parts = { metrics, incomparable, ...(incomparable.length > 0 ? {} : { failures: failuresOf(sides) }) };
  const verdict = overallVerdict(parts);
  return {
    design: "stored",
    preset,
    base: baseName,
    head: headName,
    verdict,
    summary: comparisonSummary(verdict, {
      ...parts,
      unit: "runs a side",
      ...(areAlternating ? {} : { caveat: apart }),
    }),
    ...parts,
    queries: [],
  };
};
