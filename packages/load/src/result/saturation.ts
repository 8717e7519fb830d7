import type { LoadPlan, LoadSample, Saturation } from "@assay/results";
import { findGrowthStart } from "../statistics/growth-start.ts";
import type { ProcessSamples } from "./load-tally.ts";
import { arrivalKinds, isArrival, isNeverSent, isNotAdmitted, forEachLatency } from "./sample-latencies.ts";
import type { LatencyThreshold, Threshold } from "./threshold.ts";

/** Number of parts of a run for the success rate. */
const partCount = 10;
const minPartMs = 1000;
/** More points do not locate the start of a queue better. */
const maxPoints = 300;

const isMeasured = ({ phase }: LoadSample): boolean => phase === "measure";

/** An arrival with times on the run's clock, which starts at the first planned arrival. */
interface TimedArrival {
  readonly sample: LoadSample;
  readonly planMs: number;
  readonly endMs: number;
}

/** Lists all arrivals, including the warm-up, on the run's clock. */
const listArrivals = (processes: readonly ProcessSamples[]): readonly TimedArrival[] => {
  const arrivals: TimedArrival[] = [];
  let startMs = Number.POSITIVE_INFINITY;
  for (const { epochMs, samples } of processes) {
    for (const sample of samples) {
      if (isArrival(sample)) {
        startMs = Math.min(startMs, epochMs + sample.planMs);
        arrivals.push({ sample, planMs: epochMs + sample.planMs, endMs: epochMs + sample.endMs });
      }
    }
  }
  return arrivals.map(({ sample, planMs, endMs }) => ({ sample, planMs: planMs - startMs, endMs: endMs - startMs }));
};

/** A target slower by this factor occupied the virtual users itself. */
const slowdownFactor = 2;
/** Fewer arrivals are not enough to estimate the target's speed. */
const minFinishedArrivals = 5;

/**
 * Returns the duration at which half of the total time belongs to shorter durations: the median duration of the arrivals
 * in progress at a random moment.
 */
const timeWeightedMedian = (durations: readonly number[]): number => {
  const sorted = durations.toSorted((a, b) => a - b);
  const half = sorted.reduce((sum, duration) => sum + duration, 0) / 2;
  let sum = 0;
  return sorted.find((duration) => (sum += duration) >= half) ?? 0;
};

const computeDurationMs = ({ planMs, endMs }: TimedArrival): number => endMs - planMs;

/**
 * Reports whether the target became slower before the first arrival of a kind could not begin: the arrivals in progress
 * at that time took twice as long as the first quarter of those that had ended. Otherwise even a target of constant speed
 * could have needed as many virtual users.
 */
const hasSlowedDown = (arrivals: readonly TimedArrival[], kind: LoadSample["kind"]): boolean => {
  const arrivalsOfKind = arrivals.filter(({ sample }) => sample.kind === kind);
  const firstMs = arrivalsOfKind
    .filter(({ sample }) => sample.phase === "measure" && sample.outcome === "not-begun")
    .reduce((lowest, { planMs }) => Math.min(lowest, planMs), Number.POSITIVE_INFINITY);
  const begunArrivals = arrivalsOfKind.filter(({ sample }) => !isNeverSent(sample.outcome));
  const finishedArrivals = begunArrivals
    .filter(({ sample, endMs }) => sample.outcome === "ok" && endMs <= firstMs)
    .toSorted((a, b) => a.planMs - b.planMs);
  const earlyArrivals = finishedArrivals.slice(
    0,
    Math.max(minFinishedArrivals, Math.ceil(finishedArrivals.length / 4)),
  );
  const inProgress = begunArrivals
    .filter(({ planMs, endMs }) => planMs < firstMs && endMs > firstMs)
    .map(computeDurationMs);
  const medianMs = inProgress.toSorted((a, b) => a - b)[inProgress.length >> 1] ?? 0;
  return (
    finishedArrivals.length >= minFinishedArrivals &&
    medianMs >= slowdownFactor * timeWeightedMedian(earlyArrivals.map(computeDurationMs))
  );
};

/** Reports whether too few virtual users stopped arrivals of some kind. */
const isLimitedByUsers = (arrivals: readonly TimedArrival[]): boolean =>
  arrivalKinds.some(
    (kind) =>
      arrivals.some(({ sample }) => sample.kind === kind && isMeasured(sample) && sample.outcome === "not-begun") &&
      !hasSlowedDown(arrivals, kind),
  );

/**
 * Finds the time at which the queue began to grow, in milliseconds since the start of the run, from the number of
 * unfinished arrivals at evenly spaced times. Returns undefined if it did not grow.
 */
const findQueueGrowth = (
  begunArrivals: readonly TimedArrival[],
  { fromMs, untilMs }: TimeRange,
): number | undefined => {
  const count = Math.min(maxPoints, Math.floor((untilMs - fromMs) / 100));
  const stepMs = (untilMs - fromMs) / Math.max(1, count);
  const unfinishedCounts = Array.from({ length: Math.max(0, count) }, () => 0);
  for (const { planMs, endMs } of begunArrivals) {
    const firstIndex = Math.max(0, Math.ceil((planMs - fromMs) / stepMs));
    const lastIndex = Math.min(count - 1, Math.floor((endMs - fromMs) / stepMs));
    for (let index = firstIndex; index <= lastIndex; index += 1) {
      unfinishedCounts[index] = (unfinishedCounts[index] ?? 0) + 1;
    }
  }
  const start = findGrowthStart(unfinishedCounts);
  return start === undefined ? undefined : fromMs + start * stepMs;
};

/** A part of the run. */
interface TimeRange {
  readonly fromMs: number;
  readonly untilMs: number;
}

const selectLatencyLimits = (thresholds: readonly Threshold[]): readonly LatencyThreshold[] =>
  thresholds.filter((threshold) => threshold.kind === "latency");

/** Reports whether a sample succeeded within all latency limits. */
const isWithinLimits = (sample: LoadSample, limits: readonly LatencyThreshold[]): boolean => {
  let isWithin = sample.outcome === "ok";
  forEachLatency(sample, sample.endMs, ({ metric, value }) => {
    isWithin &&= limits.every((limit) => limit.metric !== metric || value <= limit.limitMs * 1000);
  });
  return isWithin;
};

/** Returns the highest number of successes per second in one part of the measured phase, by end time. */
const findMaxSuccessRate = (
  arrivals: readonly TimedArrival[],
  limits: readonly LatencyThreshold[],
  { fromMs, untilMs }: TimeRange,
): number => {
  const partMs = Math.max(minPartMs, (untilMs - fromMs) / partCount);
  const counts = new Map<number, number>();
  for (const { sample, endMs } of arrivals) {
    if (endMs <= untilMs && isWithinLimits(sample, limits)) {
      const part = Math.floor((endMs - fromMs) / partMs);
      counts.set(part, (counts.get(part) ?? 0) + 1);
    }
  }
  return Math.max(0, ...counts.values()) / (partMs / 1000);
};

const describeCause = (
  { notBegun, heldBack, maxVus, limitedBy }: Omit<Saturation, "sentence">,
  plannedCount: number,
): string => {
  if (notBegun === 0) {
    return `the target is saturated: ${heldBack} of ${plannedCount} arrivals were held back, because it asked for fewer or failed too often`;
  }
  const blockedClause = `${notBegun} of ${plannedCount} arrivals could not begin, because all ${maxVus} virtual users`;
  return limitedBy === undefined
    ? `the target is saturated: ${blockedClause} were waiting for it`
    : `the load is limited by --max-vus: ${blockedClause} were busy`;
};

const suggestRemedy = ({ notBegun, limitedBy }: Omit<Saturation, "sentence">): readonly string[] => {
  if (notBegun === 0) {
    return [];
  }
  return limitedBy === undefined
    ? ["raise --max-vus to let more wait at a time"]
    : ["nothing shows that the target took longer than before, so raise --max-vus"];
};

const describeSaturation = (
  facts: Omit<Saturation, "sentence">,
  plannedCount: number,
  limits: readonly LatencyThreshold[],
): string => {
  const { fromMs, growingFromMs, servedPerSecond } = facts;
  const limitsClause = limits.length === 0 ? "" : ` within ${limits.map(({ text }) => `\`${text}\``).join(" and ")}`;
  const subject = facts.limitedBy === undefined ? "it" : "the target";
  const servedClause =
    servedPerSecond === 0
      ? `none was served${limitsClause}`
      : `${subject} served at most ${Number(servedPerSecond.toFixed(2))} a second${limitsClause}`;
  return [
    `${describeCause(facts, plannedCount)}${fromMs === undefined ? "" : ` from second ${(fromMs / 1000).toFixed(1)} on`}`,
    ...(growingFromMs === undefined ? [] : [`its queue grew from second ${(growingFromMs / 1000).toFixed(1)} on`]),
    servedClause,
    ...suggestRemedy(facts),
  ].join("; ");
};

/**
 * Describes the arrivals in the measured phase that could not begin: how many, since when, whether the target or too
 * few virtual users caused it, and the success rate. Returns undefined if all could begin. `checkArrivalsBegun` judges the
 * generator.
 */
export const findSaturation = (
  plan: LoadPlan,
  processes: readonly ProcessSamples[],
  thresholds: readonly Threshold[],
): Saturation | undefined => {
  const allArrivals = listArrivals(processes);
  const measuredArrivals = allArrivals.filter(({ sample }) => isMeasured(sample));
  const notAdmittedArrivals = measuredArrivals.filter(({ sample }) => isNotAdmitted(sample.outcome));
  if (notAdmittedArrivals.length === 0) {
    return undefined;
  }
  const startMs = measuredArrivals.reduce((lowest, { planMs }) => Math.min(lowest, planMs), Number.POSITIVE_INFINITY);
  const lastMs = measuredArrivals.reduce((highest, { planMs }) => Math.max(highest, planMs), 0);
  const fromMs = notAdmittedArrivals.reduce((lowest, { planMs }) => Math.min(lowest, planMs), Number.POSITIVE_INFINITY);
  const begunArrivals = measuredArrivals.filter(({ sample }) => !isNotAdmitted(sample.outcome));
  const notBegun = notAdmittedArrivals.filter(({ sample }) => sample.outcome === "not-begun").length;
  const limitedBy = isLimitedByUsers(allArrivals) ? ({ limitedBy: "max-vus" } as const) : {};
  const isCausedByTarget = notBegun > 0 && limitedBy.limitedBy === undefined;
  const growingFromMs = isCausedByTarget
    ? findQueueGrowth(begunArrivals, { fromMs: startMs, untilMs: fromMs })
    : undefined;
  const limits = selectLatencyLimits(thresholds);
  const facts = {
    notBegun,
    heldBack: notAdmittedArrivals.length - notBegun,
    maxVus: plan.maxVus,
    ...limitedBy,
    fromMs,
    ...(growingFromMs === undefined ? {} : { growingFromMs }),
    servedPerSecond: findMaxSuccessRate(measuredArrivals, limits, {
      fromMs: startMs,
      untilMs: Math.max(lastMs, startMs + minPartMs),
    }),
  };
  return { ...facts, sentence: describeSaturation(facts, measuredArrivals.length, limits) };
};
