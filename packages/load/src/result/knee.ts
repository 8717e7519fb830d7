import { type LoadPlan, type LoadResult, type LoadSample, quantileRank } from "@assay/results";
import type { ProcessSamples } from "./load-tally.ts";
import { isArrival, isNeutral, isNotAdmitted } from "./sample-latencies.ts";

const stepCount = 10;
const minSamples = 20;
const baselineSteps = 3;
const maxLatencyFactor = 2;

interface Step {
  failed: number;
  readonly latenciesMs: number[];
}

const measureLatencyMs = (sample: LoadSample): number =>
  Math.max(0, (sample.kind === "stream" ? (sample.firstMatchMs ?? sample.endMs) : sample.endMs) - sample.planMs);

/** Calls `visit` with each measured stream or conversation and the wall-clock time of its plan, in milliseconds. */
const forEachMeasuredArrival = (
  processes: readonly ProcessSamples[],
  visit: (sample: LoadSample, atMs: number) => void,
): void => {
  for (const { epochMs, samples } of processes) {
    for (const sample of samples) {
      if (sample.phase === "measure" && isArrival(sample)) {
        visit(sample, epochMs + sample.planMs);
      }
    }
  }
};

const addToStep = (step: Step, sample: LoadSample): void => {
  if (sample.outcome === "ok") {
    step.latenciesMs.push(measureLatencyMs(sample));
  } else if (!isNeutral(sample.outcome) || isNotAdmitted(sample.outcome)) {
    step.failed += 1;
  }
};

const groupIntoSteps = (plan: LoadPlan, processes: readonly ProcessSamples[]): readonly Step[] => {
  let startMs = Number.POSITIVE_INFINITY;
  forEachMeasuredArrival(processes, (_sample, atMs) => {
    startMs = Math.min(startMs, atMs);
  });
  const steps = Array.from({ length: stepCount }, (): Step => ({ failed: 0, latenciesMs: [] }));
  forEachMeasuredArrival(processes, (sample, atMs) => {
    const index = Math.floor(((atMs - startMs) / plan.durationMs) * stepCount);
    const step = steps[Math.min(stepCount - 1, index)];
    if (step !== undefined) {
      addToStep(step, sample);
    }
  });
  return steps;
};

const findPercentile95 = ({ latenciesMs }: Step): number | undefined => {
  const sorted = Float64Array.from(latenciesMs).sort();
  return sorted.length < minSamples ? undefined : sorted[quantileRank(sorted.length, 0.95) - 1];
};

const lowerMedian = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[(values.length - 1) >> 1] ?? Number.NaN;

const describeKnee = (sustainedSteps: number, plan: LoadPlan, reason: string): string =>
  sustainedSteps === stepCount
    ? `the target sustained ${plan.ratePerSecond} a second, the highest tested rate; its limit is higher`
    : `the target sustained ${((plan.ratePerSecond * sustainedSteps) / stepCount).toFixed(1)} a second; at the next step ${reason}`;

const describeOverload = (step: Step, limitMs: number): string | undefined => {
  if (step.failed > 0) {
    return `${step.failed} requests failed, were held back or could not begin`;
  }
  const p95 = findPercentile95(step);
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
  const steps = groupIntoSteps(plan, processes);
  const percentiles = steps.map(findPercentile95).filter((p95) => p95 !== undefined);
  if (percentiles.length <= baselineSteps) {
    return undefined;
  }
  const limitMs = maxLatencyFactor * lowerMedian(percentiles.slice(0, baselineSteps));
  const reasons = steps.map((step) => describeOverload(step, limitMs));
  const firstBadStep = reasons.findIndex((reason) => reason !== undefined);
  const sustainedSteps = firstBadStep < 0 ? stepCount : firstBadStep;
  return {
    ratePerSecond: (plan.ratePerSecond * sustainedSteps) / stepCount,
    sentence: describeKnee(sustainedSteps, plan, reasons[firstBadStep] ?? ""),
  };
};
