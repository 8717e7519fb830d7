import { type LoadInterval, type LoadPlan, type LoadResult, mergeHistograms } from "@assay/results";
import { loadMetricsOf } from "../result/load-metrics.ts";
import { type ArmOutcomes, type LoadTally, type ProcessSamples, tallySamples } from "../result/load-tally.ts";
import type { MergePart } from "./merge-part.ts";

type Counts = Readonly<Record<string, number>>;

/** Counts added by name. */
export const addCounts = (all: readonly Counts[]): Counts => {
  const sums: Record<string, number> = {};
  for (const [name, count] of all.flatMap((counts) => Object.entries(counts))) {
    sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
};

const addOutcomes = (all: readonly LoadResult["outcomes"][]): LoadResult["outcomes"] => {
  const kinds = [...new Set(all.flatMap((outcomes) => Object.keys(outcomes)))];
  return Object.fromEntries(kinds.map((kind) => [kind, addCounts(all.map((outcomes) => ({ ...outcomes[kind] })))]));
};

const addArms = (all: readonly (readonly ArmOutcomes[])[]): readonly ArmOutcomes[] =>
  all.some((arms) => arms.length === 0)
    ? []
    : (["a", "b"] as const)
        .map((arm) => ({
          arm,
          outcomes: addCounts(
            all.flatMap((arms) => arms.filter((one) => one.arm === arm).map(({ outcomes }) => ({ ...outcomes }))),
          ),
        }))
        .filter(({ outcomes }) => Object.keys(outcomes).length > 0);

/** Counts of intervals that lie alike; their percentiles cannot be added and are left out. */
const addIntervals = (all: readonly (readonly LoadInterval[])[]): readonly LoadInterval[] => {
  const sums = new Map<string, LoadInterval>();
  for (const { fromMs, toMs, phase, arm, planned, ok, failed } of all.flat()) {
    const key = `${fromMs} ${phase} ${arm}`;
    const sum = sums.get(key);
    sums.set(key, {
      fromMs,
      toMs: Math.max(toMs, sum?.toMs ?? 0),
      phase,
      arm,
      planned: planned + (sum?.planned ?? 0),
      ok: ok + (sum?.ok ?? 0),
      failed: failed + (sum?.failed ?? 0),
    });
  }
  return [...sums.values()].sort(
    (a, b) => a.fromMs - b.fromMs || b.phase.localeCompare(a.phase) || a.arm.localeCompare(b.arm),
  );
};

/** Tallies added: counts and buckets exactly, percentiles anew from the buckets. Never a mean of percentiles. */
export const addTallies = (tallies: readonly LoadTally[]): LoadTally => {
  const histograms = mergeHistograms(tallies.flatMap((tally) => tally.histograms));
  const lags = tallies.flatMap(({ leastLagMs }) => (leastLagMs === undefined ? [] : [leastLagMs]));
  const hasIntervals = tallies.every(({ intervals }) => intervals.length > 0);
  return {
    outcomes: addOutcomes(tallies.map(({ outcomes }) => outcomes)),
    arms: addArms(tallies.map(({ arms }) => arms)),
    violations: addCounts(tallies.map(({ violations }) => violations)),
    histograms,
    metrics: loadMetricsOf(histograms, new Map()),
    intervals: hasIntervals ? addIntervals(tallies.map(({ intervals }) => intervals)) : [],
    ...(lags.length === 0 ? {} : { leastLagMs: Math.min(...lags) }),
  };
};

/** The samples of all parts; undefined unless all of them have some. */
export const allSamples = (parts: readonly MergePart[]): readonly ProcessSamples[] | undefined => {
  const processes = parts.flatMap(({ sources: { samples } }) =>
    samples === undefined ? [] : [{ epochMs: samples.header.epochMs, samples: samples.samples }],
  );
  return processes.length === parts.length ? processes : undefined;
};

/** What all parts amount to: from the union of their samples where all have them, else from sums. */
export const mergeTallies = (plan: LoadPlan, parts: readonly MergePart[]): LoadTally => {
  const samples = allSamples(parts);
  return samples === undefined ? addTallies(parts.map(({ tally }) => tally)) : tallySamples(plan, samples);
};
