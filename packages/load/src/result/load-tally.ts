import {
  histogramOf,
  type LoadArm,
  type LoadHistogram,
  type LoadInterval,
  type LoadMetric,
  type LoadOutcome,
  type LoadPlan,
  type LoadResult,
  type LoadSample,
  loadMetricNames,
} from "@assay/results";
import type { SampleTable } from "../samples/sample-table.ts";
import { createIntervalCounter } from "./load-intervals.ts";
import { latencyKey, loadMetricsOf } from "./load-metrics.ts";
import { isArrival, offerLatencies } from "./sample-latencies.ts";

/** Streams and conversations of one arm in the measured phase. */
export interface ArmOutcomes {
  readonly arm: LoadArm;
  readonly outcomes: Readonly<Partial<Record<LoadOutcome, number>>>;
}

/** What the samples of a load run, or its summary, amount to. Counts and histograms of tallies add up; percentiles do not. */
export interface LoadTally {
  readonly outcomes: LoadResult["outcomes"];
  /** The same of the warm-up; absent where it is not known apart. */
  readonly warmup?: LoadResult["outcomes"];
  /** Empty where the arms are not known apart. */
  readonly arms: readonly ArmOutcomes[];
  /** All phases. */
  readonly violations: Readonly<Record<string, number>>;
  readonly histograms: readonly LoadHistogram[];
  readonly metrics: readonly LoadMetric[];
  readonly intervals: readonly LoadInterval[];
  /** The least that a request was sent after its plan, in milliseconds; far below 0 when the clock was set. Absent where not known. */
  readonly leastLagMs?: number;
}

/** The samples of one process of a run. */
export interface ProcessSamples {
  /** Wall clock at the zero of their times. */
  readonly epochMs: number;
  readonly samples: Pick<SampleTable, typeof Symbol.iterator>;
}

type Counts = Record<string, number>;

const addTo = (counts: Counts, name: string, more: number): void => {
  counts[name] = (counts[name] ?? 0) + more;
};

/** Samples of warm-up pairs count for nothing, whatever they say themselves. */
const phaseOf = (sample: LoadSample, { blocks }: LoadPlan): LoadSample["phase"] =>
  blocks !== undefined && sample.pair !== undefined && sample.pair < blocks.warmupPairs ? "warmup" : sample.phase;

const addViolations = (violations: Counts, sample: LoadSample): void => {
  if (sample.outcome === "violation" && sample.codes === undefined) {
    addTo(violations, "unnamed", 1);
  }
  for (const [code, count] of Object.entries(sample.codes ?? {})) {
    addTo(violations, code, count);
  }
};

interface Collected {
  readonly kinds: Record<string, Counts>;
  readonly warmup: Record<string, Counts>;
  readonly arms: Record<LoadArm, Counts>;
  readonly violations: Counts;
  readonly latencies: Map<string, number[]>;
  leastLagMs: number;
}

const collectMeasured = (collected: Collected, sample: LoadSample): void => {
  addTo((collected.kinds[sample.kind] ??= {}), sample.outcome, 1);
  if (isArrival(sample)) {
    addTo(collected.arms[sample.arm], sample.outcome, 1);
  }
  collected.leastLagMs = Math.min(collected.leastLagMs, sample.sendMs - sample.planMs);
  offerLatencies(sample, (metric, micros) => {
    const key = latencyKey(metric, sample.arm);
    const known = collected.latencies.get(key);
    if (known === undefined) {
      collected.latencies.set(key, [micros]);
    } else {
      known.push(micros);
    }
  });
};

const startOf = ({ epochMs, samples }: ProcessSamples, zeroMs: number): number => {
  let start = Number.POSITIVE_INFINITY;
  for (const sample of samples) {
    start = isArrival(sample) ? Math.min(start, epochMs - zeroMs + sample.planMs) : start;
  }
  return start;
};

const sortedLatencies = (latencies: Collected["latencies"]): ReadonlyMap<string, Float64Array> =>
  new Map([...latencies].map(([key, values]) => [key, Float64Array.from(values).sort()]));

const histogramsOf = (sorted: ReadonlyMap<string, Float64Array>): readonly LoadHistogram[] =>
  loadMetricNames.flatMap((metric) =>
    (["a", "b"] as const).flatMap((arm) => {
      const values = sorted.get(latencyKey(metric, arm));
      return values === undefined ? [] : [histogramOf({ metric, arm, phase: "measure" }, values)];
    }),
  );

const armsOf = (arms: Collected["arms"]): readonly ArmOutcomes[] =>
  (["a", "b"] as const)
    .map((arm) => ({ arm, outcomes: arms[arm] }))
    .filter(({ outcomes }) => Object.keys(outcomes).length > 0);

/** Everything that follows from samples alone; those of several processes are put on one clock first. */
export const tallySamples = (plan: LoadPlan, processes: readonly ProcessSamples[]): LoadTally => {
  const zeroMs = processes.reduce((least, { epochMs }) => Math.min(least, epochMs), Number.POSITIVE_INFINITY);
  const startMs = processes.reduce((least, one) => Math.min(least, startOf(one, zeroMs)), Number.POSITIVE_INFINITY);
  const collected: Collected = {
    kinds: {},
    warmup: {},
    arms: { a: {}, b: {} },
    violations: {},
    latencies: new Map(),
    leastLagMs: Number.POSITIVE_INFINITY,
  };
  const counter = createIntervalCounter(plan);
  for (const { epochMs, samples } of processes) {
    for (const sample of samples) {
      const phase = phaseOf(sample, plan);
      addViolations(collected.violations, sample);
      if (phase === "measure") {
        collectMeasured(collected, sample);
      } else {
        addTo((collected.warmup[sample.kind] ??= {}), sample.outcome, 1);
      }
      if (isArrival(sample)) {
        counter.add(sample, epochMs - zeroMs + sample.planMs - startMs, phase);
      }
    }
  }
  const sorted = sortedLatencies(collected.latencies);
  const histograms = histogramsOf(sorted);
  return {
    outcomes: collected.kinds,
    warmup: collected.warmup,
    arms: armsOf(collected.arms),
    violations: collected.violations,
    histograms,
    metrics: loadMetricsOf(histograms, sorted),
    intervals: counter.intervals(),
    ...(Number.isFinite(collected.leastLagMs) ? { leastLagMs: collected.leastLagMs } : {}),
  };
};
