import type { LoadPlan, LoadSample, Saturation } from "@assay/results";
import { growthStart } from "../statistics/growth-start.ts";
import type { ProcessSamples } from "./load-tally.ts";
import { arrivalKinds, isArrival, isNeverSent, isNotAdmitted, forEachLatency } from "./sample-latencies.ts";
import type { LatencyThreshold, Threshold } from "./threshold.ts";

/** Number of parts of a run for the success rate. */
const partCount = 10;
const minPartMs = 1000;
/** More points do not locate the start of a queue better. */
const maxPoints = 300;

const isMeasured = ({ phase }: LoadSample): boolean => phase === "measure";

/** An arrival on the clock of the run, which starts at the first planned sending. */
interface PlacedArrival {
  readonly sample: LoadSample;
  readonly planMs: number;
  readonly endMs: number;
}

/** All arrivals, including the warm-up. */
const placeOnRunClock = (processes: readonly ProcessSamples[]): readonly PlacedArrival[] => {
  const arrivals: PlacedArrival[] = [];
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
const slowdown = 2;
/** Fewer arrivals are not enough to estimate the target's speed. */
const minBefore = 5;

/**
 * The duration for which half of the total time belongs to longer ones: the median duration of those in progress at a
 * random moment.
 */
const medianInProgress = (durations: readonly number[]): number => {
  const sorted = durations.toSorted((a, b) => a - b);
  const half = sorted.reduce((sum, duration) => sum + duration, 0) / 2;
  let sum = 0;
  return sorted.find((duration) => (sum += duration) >= half) ?? 0;
};

const durationMs = ({ planMs, endMs }: PlacedArrival): number => endMs - planMs;

/**
 * Reports whether the target became slower before the first arrival of a kind could not begin: those in progress then took
 * twice as long as the first quarter of those that had ended. Otherwise even a target of constant speed could have
 * needed as many virtual users.
 */
const becameSlower = (arrivals: readonly PlacedArrival[], kind: LoadSample["kind"]): boolean => {
  const ofKind = arrivals.filter(({ sample }) => sample.kind === kind);
  const firstMs = ofKind
    .filter(({ sample }) => sample.phase === "measure" && sample.outcome === "not-begun")
    .reduce((lowest, { planMs }) => Math.min(lowest, planMs), Number.POSITIVE_INFINITY);
  const begun = ofKind.filter(({ sample }) => !isNeverSent(sample.outcome));
  const before = begun
    .filter(({ sample, endMs }) => sample.outcome === "ok" && endMs <= firstMs)
    .toSorted((a, b) => a.planMs - b.planMs);
  const early = before.slice(0, Math.max(minBefore, Math.ceil(before.length / 4)));
  const inProgress = begun.filter(({ planMs, endMs }) => planMs < firstMs && endMs > firstMs).map(durationMs);
  const middle = inProgress.toSorted((a, b) => a - b)[inProgress.length >> 1] ?? 0;
  return before.length >= minBefore && middle >= slowdown * medianInProgress(early.map(durationMs));
};

/** Reports whether too few virtual users stopped arrivals of some kind. */
const isLimitedByUsers = (arrivals: readonly PlacedArrival[]): boolean =>
  arrivalKinds.some(
    (kind) =>
      arrivals.some(({ sample }) => sample.kind === kind && isMeasured(sample) && sample.outcome === "not-begun") &&
      !becameSlower(arrivals, kind),
  );

/**
 * The time at which the queue began to grow, from the number of unfinished arrivals at evenly spaced times; undefined
 * if it did not. Milliseconds of the run.
 */
const findQueueGrowth = (begun: readonly PlacedArrival[], { fromMs, untilMs }: TimeRange): number | undefined => {
  const count = Math.min(maxPoints, Math.floor((untilMs - fromMs) / 100));
  const stepMs = (untilMs - fromMs) / Math.max(1, count);
  const waiting = Array.from({ length: Math.max(0, count) }, () => 0);
  for (const { planMs, endMs } of begun) {
    const first = Math.max(0, Math.ceil((planMs - fromMs) / stepMs));
    const last = Math.min(count - 1, Math.floor((endMs - fromMs) / stepMs));
    for (let index = first; index <= last; index += 1) {
      waiting[index] = (waiting[index] ?? 0) + 1;
    }
  }
  const start = growthStart(waiting);
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

/** The highest success rate per second in one part of the measured phase, by end time. */
const successRate = (
  all: readonly PlacedArrival[],
  limits: readonly LatencyThreshold[],
  { fromMs, untilMs }: TimeRange,
): number => {
  const partMs = Math.max(minPartMs, (untilMs - fromMs) / partCount);
  const counts = new Map<number, number>();
  for (const { sample, endMs } of all) {
    if (endMs <= untilMs && isWithinLimits(sample, limits)) {
      const part = Math.floor((endMs - fromMs) / partMs);
      counts.set(part, (counts.get(part) ?? 0) + 1);
    }
  }
  return Math.max(0, ...counts.values()) / (partMs / 1000);
};

const describeCause = (
  { notBegun, heldBack, maxVus, limitedBy }: Omit<Saturation, "sentence">,
  planned: number,
): string => {
  if (notBegun === 0) {
    return `the target is saturated: ${heldBack} of ${planned} arrivals were held back, because it asked for fewer or failed too often`;
  }
  const blocked = `${notBegun} of ${planned} arrivals could not begin, because all ${maxVus} virtual users`;
  return limitedBy === undefined
    ? `the target is saturated: ${blocked} were waiting for it`
    : `the load is limited by --max-vus: ${blocked} were busy`;
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
  planned: number,
  limits: readonly LatencyThreshold[],
): string => {
  const { fromMs, growingFromMs, servedPerSecond } = facts;
  const within = limits.length === 0 ? "" : ` within ${limits.map(({ text }) => `\`${text}\``).join(" and ")}`;
  const subject = facts.limitedBy === undefined ? "it" : "the target";
  const served =
    servedPerSecond === 0
      ? `none was served${within}`
      : `${subject} served at most ${Number(servedPerSecond.toFixed(2))} a second${within}`;
  return [
    `${describeCause(facts, planned)}${fromMs === undefined ? "" : ` from second ${(fromMs / 1000).toFixed(1)} on`}`,
    ...(growingFromMs === undefined ? [] : [`its queue grew from second ${(growingFromMs / 1000).toFixed(1)} on`]),
    served,
    ...suggestRemedy(facts),
  ].join("; ");
};

/**
 * Describes the arrivals in the measured phase that could not begin: how many, since when, whether the target or too
 * few virtual users caused it, and the success rate. Returns undefined if all could begin. `checkBegun` judges the
 * generator.
 */
export const findSaturation = (
  plan: LoadPlan,
  processes: readonly ProcessSamples[],
  thresholds: readonly Threshold[],
): Saturation | undefined => {
  const allArrivals = placeOnRunClock(processes);
  const measured = allArrivals.filter(({ sample }) => isMeasured(sample));
  const notAdmitted = measured.filter(({ sample }) => isNotAdmitted(sample.outcome));
  if (notAdmitted.length === 0) {
    return undefined;
  }
  const startMs = measured.reduce((lowest, { planMs }) => Math.min(lowest, planMs), Number.POSITIVE_INFINITY);
  const lastMs = measured.reduce((highest, { planMs }) => Math.max(highest, planMs), 0);
  const fromMs = notAdmitted.reduce((lowest, { planMs }) => Math.min(lowest, planMs), Number.POSITIVE_INFINITY);
  const begun = measured.filter(({ sample }) => !isNotAdmitted(sample.outcome));
  const notBegun = notAdmitted.filter(({ sample }) => sample.outcome === "not-begun").length;
  const limitedBy = isLimitedByUsers(allArrivals) ? ({ limitedBy: "max-vus" } as const) : {};
  const isCausedByTarget = notBegun > 0 && limitedBy.limitedBy === undefined;
  const growingFromMs = isCausedByTarget ? findQueueGrowth(begun, { fromMs: startMs, untilMs: fromMs }) : undefined;
  const limits = selectLatencyLimits(thresholds);
  const facts = {
    notBegun,
    heldBack: notAdmitted.length - notBegun,
    maxVus: plan.maxVus,
    ...limitedBy,
    fromMs,
    ...(growingFromMs === undefined ? {} : { growingFromMs }),
    servedPerSecond: successRate(measured, limits, { fromMs: startMs, untilMs: Math.max(lastMs, startMs + minPartMs) }),
  };
  return { ...facts, sentence: describeSaturation(facts, measured.length, limits) };
};
