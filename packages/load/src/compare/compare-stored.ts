import type {
  ComparedMetric,
  Comparison,
  ComparisonPreset,
  FailureComparison,
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
import { boundedShift, judgeShift, openBetweenPolls } from "./judge-shift.ts";
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

type Reading = (run: StoredRun) => number | undefined;

/** How one figure of a run is read: as it was seen, and where it is known only as a bracket, at least. */
interface StoredFigure {
  readonly metric: ComparedMetric;
  readonly readings: readonly [seen: Reading, earliest?: Reading];
}

/** Arrivals and polls that were not sent say nothing of the target. */
const unsentOutcomes: ReadonlySet<string> = new Set(["canceled", "held-back", "not-begun", "over-budget"]);

/** Units of work: calls are parts of conversations. */
const workKinds = ["stream", "conversation"] as const;

const okCount = (run: StoredRun): number => workKinds.reduce((sum, kind) => sum + (run.outcomes[kind]?.ok ?? 0), 0);

/** What ended well in one second. Arrivals are planned, so it falls only when requests fail, and never rises above the plan. */
const throughput = (run: StoredRun): number | undefined =>
  workKinds.some((kind) => run.outcomes[kind] !== undefined) ? okCount(run) / (run.plan.durationMs / 1000) : undefined;

const reading =
  (name: LoadMetricName, percentile: "p50" | "p95" | "p99") =>
  ({ metrics }: StoredRun): number | undefined =>
    metrics.find(({ metric, arm }) => metric === name && arm === "a")?.[percentile]?.value;

const bracket = (percentile: "p50" | "p95"): StoredFigure["readings"] => [
  reading("terminal-upper", percentile),
  reading("terminal-lower", percentile),
];

/** Everything that stored runs are compared by, the most telling first. */
const storedFigures: readonly StoredFigure[] = [
  { metric: "first-match p50", readings: [reading("first-match", "p50")] },
  { metric: "first-match p95", readings: [reading("first-match", "p95")] },
  { metric: "first-match p99", readings: [reading("first-match", "p99")] },
  { metric: "terminal p50", readings: bracket("p50") },
  { metric: "terminal p95", readings: bracket("p95") },
  { metric: "poll p50", readings: [reading("poll", "p50")] },
  { metric: "poll p95", readings: [reading("poll", "p95")] },
  { metric: "throughput", readings: [throughput] },
];

const matchless = (run: StoredRun): number => {
  const timed = run.metrics.find(({ metric, arm }) => metric === "first-match" && arm === "a")?.count;
  return timed === undefined ? 0 : Math.max(0, (run.outcomes["stream"]?.ok ?? 0) - timed);
};

const matchlessShare = (run: StoredRun): number => matchless(run) / Math.max(1, run.outcomes["stream"]?.ok ?? 0);

/**
 * Failed streams and conversations of each run. Streams that ended well without a match count as failed beyond the smallest share
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

const valuesOf = (runs: readonly StoredRun[], read: Reading): readonly number[] =>
  runs.map(read).filter((value) => value !== undefined);

const logsOf = (values: readonly number[]): readonly number[] =>
  values.map((value) => Math.log(Math.max(smallest, value)));

const middle = (values: readonly number[]): number => median(Float64Array.from(values).sort());

const judgeFigure = ({ metric, readings }: StoredFigure, sides: Sides): readonly MetricComparison[] => {
  const { base, head, confidence, marginOf } = sides;
  const [seen, earliest = seen] = readings;
  if (seen === undefined || earliest === undefined) {
    return [];
  }
  const shift = (of: Reading, against: Reading): Interval =>
    hodgesLehmannShift(logsOf(valuesOf(base, against)), logsOf(valuesOf(head, of)), confidence);
  const exact = shift(seen, seen);
  const baseValues = valuesOf(base, seen);
  const headValues = valuesOf(head, seen);
  const judged = judgeShift({
    metric,
    ...(earliest === seen
      ? { shift: exact, openHalfWidth: 0 }
      : boundedShift({ least: shift(earliest, seen), seen: exact, most: shift(seen, earliest) })),
    openReason: openBetweenPolls,
    base: middle(baseValues),
    head: middle(headValues),
    confidence,
    margin: marginOf(metric),
    units: Math.min(baseValues.length, headValues.length),
    fewestUnits: fewestRuns,
    unitName: "runs with this figure on the smaller side",
  });
  return [judged];
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
    ({ metric, readings }) =>
      presets[preset].margins[metric] !== undefined &&
      runs.some((run) => readings.some((read) => read?.(run) !== undefined)),
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
  const metrics = figures.flatMap((figure) => judgeFigure(figure, sides));
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
