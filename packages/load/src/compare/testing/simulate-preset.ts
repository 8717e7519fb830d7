import type { ComparedMetric, ComparisonPreset, ComparisonVerdict, MetricComparison } from "@assay/results";
import { presets } from "../presets.ts";
import { combineVerdicts } from "../overall-verdict.ts";
import type { MeasuredPair, WorkKind } from "../paired-blocks.ts";
import { judgePaired } from "../compare-paired.ts";
import { type PairedLogs, readPairedLogs, selectPairedMetrics } from "../paired-metrics.ts";
import type { LatencyModel } from "./latency-model.ts";
import { seededRandom } from "./seeded-random.ts";
import { measuredPairs, simulatePairs } from "./simulate-pairs.ts";

/** How often each verdict was given. */
export type VerdictCounts = Readonly<Record<ComparisonVerdict, number>>;

/** Verdicts of all trials with one true change. */
export interface SimulatedColumn {
  /** True change of the head as a fraction: of all its latencies, or of its share of slow requests. */
  readonly change: number;
  /** Standard deviation by which instances of one version differ. */
  readonly offsetSd: number;
  readonly overall: VerdictCounts;
  /** Trials in which any metric was called regressed or improved. */
  readonly anyCalled: number;
  readonly anyImproved: number;
  /** Trials with an interval that excludes zero, in which a change would be called without margins. */
  readonly anyBesideZero: number;
  readonly metrics: readonly { readonly metric: ComparedMetric; readonly verdicts: VerdictCounts }[];
}

export interface SimulatedPreset {
  readonly preset: ComparisonPreset;
  readonly trials: number;
  readonly columns: readonly SimulatedColumn[];
  /** Mean half-width of the intervals with no change, as a fraction. */
  readonly halfWidths: readonly { readonly metric: ComparedMetric; readonly halfWidth: number }[];
}

/** All metrics of one trial. */
export interface Trial {
  readonly metrics: readonly MetricComparison[];
  readonly overall: ComparisonVerdict;
}

const verdictsOf = (metrics: readonly MetricComparison[]): Trial => ({
  metrics,
  overall: combineVerdicts({ metrics, incomparable: [] }),
});

/** Judges pairs unchanged. */
export const judgeAsIs = (pairs: readonly MeasuredPair[], preset: ComparisonPreset, kind: WorkKind): Trial => {
  const names = selectPairedMetrics(preset, new Set([kind]));
  return verdictsOf(names.map((metric) => judgePaired(metric, pairs, { preset, metrics: names.length })));
};

const shifted = ({ base, head: { latest } }: PairedLogs, logShift: number): PairedLogs => {
  const moved = latest.map((log) => log + logShift);
  return { base, head: { earliest: moved, latest: moved } };
};

/** A backlog grows by the same factor. */
const behind = (pairs: readonly MeasuredPair[], logShift: number): readonly MeasuredPair[] =>
  pairs.map(({ base, head }) => ({ base, head: { ...head, backlogMs: head.backlogMs * Math.exp(logShift) } }));

/**
 * Judges pairs of streams whose head is slower by a further `logShift`. A change of all latencies moves each logarithm of the
 * head by one amount, so one simulated run serves every change.
 */
export const judgePairs = (
  pairs: readonly MeasuredPair[],
  preset: ComparisonPreset,
  logShifts: readonly number[],
): readonly Trial[] => {
  const names = selectPairedMetrics(preset, new Set(["stream"]));
  const family = { preset, metrics: names.length };
  const measuredLogs = names.map((metric) => ({ metric, logs: readPairedLogs(metric, pairs) }));
  return logShifts.map((logShift) =>
    verdictsOf(
      measuredLogs.map(({ metric, logs }) =>
        metric === "throughput"
          ? judgePaired(metric, behind(pairs, logShift), family)
          : judgePaired(metric, pairs, { ...family, logs: shifted(logs, logShift) }),
      ),
    ),
  );
};

const count = (verdicts: readonly ComparisonVerdict[]): VerdictCounts => {
  const counts = { improved: 0, unchanged: 0, regressed: 0, inconclusive: 0 };
  for (const verdict of verdicts) {
    counts[verdict] += 1;
  }
  return counts;
};

export const columnOf = (change: number, offsetSd: number, trials: readonly Trial[]): SimulatedColumn => ({
  change,
  offsetSd,
  overall: count(trials.map(({ overall }) => overall)),
  anyCalled: trials.filter(({ metrics }) =>
    metrics.some(({ verdict }) => verdict === "regressed" || verdict === "improved"),
  ).length,
  anyImproved: trials.filter(({ metrics }) => metrics.some(({ verdict }) => verdict === "improved")).length,
  anyBesideZero: trials.filter(({ metrics }) => metrics.some(({ low = 0, high = 0 }) => low > 0 || high < 0)).length,
  metrics: (trials[0]?.metrics ?? []).map(({ metric }, index) => ({
    metric,
    verdicts: count(trials.map(({ metrics }) => metrics[index]?.verdict ?? "inconclusive")),
  })),
});

export const halfWidthsOf = (trials: readonly Trial[]): SimulatedPreset["halfWidths"] =>
  (trials[0]?.metrics ?? []).map(({ metric }, index) => {
    const widths = trials.map(({ metrics }) => {
      const { low = Number.NaN, high = Number.NaN } = metrics[index] ?? {};
      return (Math.log1p(high) - Math.log1p(low)) / 2;
    });
    return { metric, halfWidth: widths.reduce((sum, width) => sum + width, 0) / widths.length };
  });

export interface PresetSimulation {
  readonly preset: ComparisonPreset;
  readonly model: LatencyModel;
  readonly trials: number;
  readonly seed: number;
  readonly changes: readonly number[];
  readonly offsetSds: readonly number[];
}

/** Simulates a preset many times and counts its verdicts for every true change and every difference between instances. */
export const simulatePreset = ({
  preset,
  model,
  trials,
  seed,
  changes,
  offsetSds,
}: PresetSimulation): SimulatedPreset => {
  const random = seededRandom(seed);
  const columns = offsetSds.flatMap((offsetSd) => changes.map((change) => ({ offsetSd, change })));
  const judged = Array.from({ length: trials }, () => {
    const pairs = measuredPairs(simulatePairs(presets[preset], { base: model, head: model }, random));
    // The difference of two instances that each have an offset of their own.
    const offset = Math.SQRT2 * random.normal();
    return judgePairs(
      pairs,
      preset,
      columns.map(({ offsetSd, change }) => Math.log1p(change) + offsetSd * offset),
    );
  });
  const trialsOf = (column: number): readonly Trial[] => judged.flatMap((trial) => trial[column] ?? []);
  return {
    preset,
    trials,
    columns: columns.map(({ change, offsetSd }, index) => columnOf(change, offsetSd, trialsOf(index))),
    halfWidths: halfWidthsOf(trialsOf(0)),
  };
};

/** Simulates a preset whose head has a larger share of slow requests, by the fraction `change`; nothing else differs. */
export const simulateTail = ({ preset, model, trials, seed, changes }: PresetSimulation): SimulatedPreset => {
  const random = seededRandom(seed);
  const columns = changes.map((change) => {
    const head = { ...model, slowShare: model.slowShare * (1 + change) };
    const judged = Array.from({ length: trials }, () =>
      judgeAsIs(measuredPairs(simulatePairs(presets[preset], { base: model, head }, random)), preset, "stream"),
    );
    return columnOf(change, 0, judged);
  });
  return { preset, trials, columns, halfWidths: [] };
};
