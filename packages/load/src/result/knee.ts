import { type LoadPlan, type LoadResult, type LoadSample, quantileRank } from "@assay/results";
import type { ProcessSamples } from "./load-tally.ts";
import { isArrival, isNeutral, isNotAdmitted } from "./sample-latencies.ts";

const steps = 10;
const minSamples = 20;
const baseSteps = 3;
const maxRise = 2;

interface Step {
  failed: number;
  readonly latenciesMs: number[];
}

const latencyMs = (sample: LoadSample): number =>
  Math.max(0, (sample.kind === "stream" ? (sample.firstMatchMs ?? sample.endMs) : sample.endMs) - sample.planMs);

/** Calls back with each measured stream or conversation and the wall clock of its planned time. */
const forEachMeasured = (
  processes: readonly ProcessSamples[],
  take: (sample: LoadSample, atMs: number) => void,
): void => {
  for (const { epochMs, samples } of processes) {
    for (const sample of samples) {
      if (sample.phase === "measure" && isArrival(sample)) {
        take(sample, epochMs + sample.planMs);
      }
    }
  }
};

const addToStep = (step: Step, sample: LoadSample): void => {
  if (sample.outcome === "ok") {
    step.latenciesMs.push(latencyMs(sample));
  } else if (!isNeutral(sample.outcome) || isNotAdmitted(sample.outcome)) {
    step.failed += 1;
  }
};

const groupIntoSteps = (plan: LoadPlan, processes: readonly ProcessSamples[]): readonly Step[] => {
  let startMs = Number.POSITIVE_INFINITY;
  forEachMeasured(processes, (_sample, atMs) => {
    startMs = Math.min(startMs, atMs);
  });
  const found = Array.from({ length: steps }, (): Step => ({ failed: 0, latenciesMs: [] }));
  forEachMeasured(processes, (sample, atMs) => {
    const index = Math.floor(((atMs - startMs) / plan.durationMs) * steps);
    const step = found[Math.min(steps - 1, index)];
    if (step !== undefined) {
      addToStep(step, sample);
    }
  });
  return found;
};

const percentile95 = ({ latenciesMs }: Step): number | undefined => {
  const sorted = Float64Array.from(latenciesMs).sort();
  return sorted.length < minSamples ? undefined : sorted[quantileRank(sorted.length, 0.95) - 1];
};

const medianOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[(values.length - 1) >> 1] ?? Number.NaN;

const describeKnee = (sustained: number, plan: LoadPlan, why: string): string =>
  sustained === steps
    ? `the target sustained ${plan.ratePerSecond} a second, the highest tested rate; its limit is higher`
    : `the target sustained ${((plan.ratePerSecond * sustained) / steps).toFixed(1)} a second; at the next step ${why}`;

const reasonForBreak = (step: Step, limitMs: number): string | undefined => {
  if (step.failed > 0) {
    return `${step.failed} requests failed, were held back or could not begin`;
  }
  const p95 = percentile95(step);
  return p95 !== undefined && p95 > limitMs
    ? `the 95th percentile was ${p95.toFixed(1)} ms, more than twice that of the first steps`
    : undefined;
};

/**
 * Finds the highest step of the shape `breakpoint` without failures and with a 95th percentile (of first match, or of
 * `terminal-upper`) of at most twice the median of the first three steps. Steps with fewer than 20 successes are judged
 * by failures alone. Undefined for other shapes, and if fewer than four steps have enough samples.
 */
export const findKnee = (plan: LoadPlan, processes: readonly ProcessSamples[]): LoadResult["knee"] => {
  if (plan.shape !== "breakpoint") {
    return undefined;
  }
  const found = groupIntoSteps(plan, processes);
  const known = found.map(percentile95).filter((p95) => p95 !== undefined);
  if (known.length <= baseSteps) {
    return undefined;
  }
  const limitMs = maxRise * medianOf(known.slice(0, baseSteps));
  const broken = found.map((step) => reasonForBreak(step, limitMs));
  const first = broken.findIndex((why) => why !== undefined);
  const sustained = first < 0 ? steps : first;
  return {
    ratePerSecond: (plan.ratePerSecond * sustained) / steps,
    sentence: describeKnee(sustained, plan, broken[first] ?? ""),
  };
};
