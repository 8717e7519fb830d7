import type { K6Summary, LoadOutcome, LoadPlan, LoadSample, Saturation } from "@assay/results";
import { growthStart } from "../statistics/growth-start.ts";
import type { ProcessSamples } from "./load-tally.ts";
import { arrivalKinds, isArrival, isNeverSent, isNotAdmitted, offerLatencies } from "./sample-latencies.ts";
import { outcomesByKind } from "./tally-summary.ts";
import type { LatencyThreshold, Threshold } from "./threshold.ts";

/** The stretch of a run is looked at in so many parts for the rate that was served. */
const parts = 10;
const shortestPartMs = 1000;
/** More points say no more about where a queue begins to grow. */
const mostPoints = 300;

const isMeasured = ({ phase }: LoadSample): boolean => phase === "measure";

/** An arrival on the clock of the run: since its first planned sending. */
interface Placed {
  readonly sample: LoadSample;
  readonly planMs: number;
  readonly endMs: number;
}

/** All arrivals, those of the warm-up as well. */
const placed = (processes: readonly ProcessSamples[]): readonly Placed[] => {
  const all: Placed[] = [];
  let startMs = Number.POSITIVE_INFINITY;
  for (const { epochMs, samples } of processes) {
    for (const sample of samples) {
      if (isArrival(sample)) {
        startMs = Math.min(startMs, epochMs + sample.planMs);
        all.push({ sample, planMs: epochMs + sample.planMs, endMs: epochMs + sample.endMs });
      }
    }
  }
  return all.map(({ sample, planMs, endMs }) => ({ sample, planMs: planMs - startMs, endMs: endMs - startMs }));
};

/** A target that is slower by this factor filled the virtual users itself. */
const slowdown = 2;
/** Fewer arrivals show no pace. */
const minBefore = 5;

/** The duration that half of the time at work belongs to: what is found at work at a random moment, half of it is longer. */
const medianAtWork = (durations: readonly number[]): number => {
  const sorted = durations.toSorted((one, other) => one - other);
  const half = sorted.reduce((sum, each) => sum + each, 0) / 2;
  let sum = 0;
  return sorted.find((each) => (sum += each) >= half) ?? 0;
};

const durationOf = ({ planMs, endMs }: Placed): number => endMs - planMs;

/**
 * Whether the target became slower before the first arrival of a kind could not begin: those at work then took twice as long as the first
 * quarter of those that had ended. Otherwise nothing shows that a target as quick as before would not have needed as many virtual users.
 */
const becameSlower = (all: readonly Placed[], kind: LoadSample["kind"]): boolean => {
  const mine = all.filter(({ sample }) => sample.kind === kind);
  const firstMs = mine
    .filter(({ sample }) => sample.phase === "measure" && sample.outcome === "not-begun")
    .reduce((least, { planMs }) => Math.min(least, planMs), Number.POSITIVE_INFINITY);
  const begun = mine.filter(({ sample }) => !isNeverSent(sample.outcome));
  const before = begun
    .filter(({ sample, endMs }) => sample.outcome === "ok" && endMs <= firstMs)
    .toSorted((one, other) => one.planMs - other.planMs);
  const early = before.slice(0, Math.max(minBefore, Math.ceil(before.length / 4)));
  const atWork = begun.filter(({ planMs, endMs }) => planMs < firstMs && endMs > firstMs).map(durationOf);
  const middle = atWork.toSorted((one, other) => one - other)[atWork.length >> 1] ?? 0;
  return before.length >= minBefore && middle >= slowdown * medianAtWork(early.map(durationOf));
};

/** Whether too few virtual users kept arrivals of some kind from beginning. */
const isOwnLimit = (all: readonly Placed[]): boolean =>
  arrivalKinds.some(
    (kind) =>
      all.some(({ sample }) => sample.kind === kind && isMeasured(sample) && sample.outcome === "not-begun") &&
      !becameSlower(all, kind),
  );

/** How many are under way at evenly spaced times until one could not begin; the times are in milliseconds of the run. */
const queueGrowth = (begun: readonly Placed[], { fromMs, untilMs }: Stretch): number | undefined => {
  const count = Math.min(mostPoints, Math.floor((untilMs - fromMs) / 100));
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

/** A stretch of the run. */
interface Stretch {
  readonly fromMs: number;
  readonly untilMs: number;
}

const latencyLimits = (thresholds: readonly Threshold[]): readonly LatencyThreshold[] =>
  thresholds.filter((threshold) => threshold.kind === "latency");

/** Whether a sample went well and kept every limit of latency that there is. */
const isServed = (sample: LoadSample, limits: readonly LatencyThreshold[]): boolean => {
  let isWithin = sample.outcome === "ok";
  offerLatencies(sample, sample.endMs, ({ metric, value }) => {
    isWithin &&= limits.every((limit) => limit.metric !== metric || value <= limit.limitMs * 1000);
  });
  return isWithin;
};

/** Most of what was served in one part of the measured stretch, by when it ended, a second. */
const servedRate = (
  all: readonly Placed[],
  limits: readonly LatencyThreshold[],
  { fromMs, untilMs }: Stretch,
): number => {
  const partMs = Math.max(shortestPartMs, (untilMs - fromMs) / parts);
  const counts = new Map<number, number>();
  for (const { sample, endMs } of all) {
    if (endMs <= untilMs && isServed(sample, limits)) {
      const part = Math.floor((endMs - fromMs) / partMs);
      counts.set(part, (counts.get(part) ?? 0) + 1);
    }
  }
  return Math.max(0, ...counts.values()) / (partMs / 1000);
};

const causeOf = ({ notBegun, heldBack, maxVus, limitedBy }: Omit<Saturation, "sentence">, planned: number): string => {
  if (notBegun === 0) {
    return `the target is saturated: ${heldBack} of ${planned} arrivals were held back, because it asked for fewer or failed too often`;
  }
  const found = `${notBegun} of ${planned} arrivals could not begin, because all ${maxVus} virtual users`;
  return limitedBy === undefined
    ? `the target is saturated: ${found} were waiting for it`
    : `the load is limited by --max-vus: ${found} were at work`;
};

/** What to do where arrivals could not begin. */
const adviceFor = ({ notBegun, limitedBy }: Omit<Saturation, "sentence">): readonly string[] => {
  if (notBegun === 0) {
    return [];
  }
  return limitedBy === undefined
    ? ["to let more wait at a time, raise --max-vus"]
    : ["nothing shows that the target took longer than before, so raise --max-vus"];
};

const sentenceOf = (
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
    `${causeOf(facts, planned)}${fromMs === undefined ? "" : ` from second ${(fromMs / 1000).toFixed(1)} on`}`,
    ...(growingFromMs === undefined ? [] : [`its queue grew from second ${(growingFromMs / 1000).toFixed(1)} on`]),
    served,
    ...adviceFor(facts),
  ].join("; ");
};

/**
 * That not all that was to arrive in the measured part could begin: how much, since when, because of the target or of too few virtual
 * users, and what was served. Undefined where all could begin. Whether the generator itself can be trusted is another question.
 */
export const saturationOf = (
  plan: LoadPlan,
  processes: readonly ProcessSamples[],
  thresholds: readonly Threshold[],
): Saturation | undefined => {
  const everything = placed(processes);
  const all = everything.filter(({ sample }) => isMeasured(sample));
  const left = all.filter(({ sample }) => isNotAdmitted(sample.outcome));
  if (left.length === 0) {
    return undefined;
  }
  const startMs = all.reduce((least, { planMs }) => Math.min(least, planMs), Number.POSITIVE_INFINITY);
  const lastMs = all.reduce((most, { planMs }) => Math.max(most, planMs), 0);
  const fromMs = left.reduce((least, { planMs }) => Math.min(least, planMs), Number.POSITIVE_INFINITY);
  const begun = all.filter(({ sample }) => !isNotAdmitted(sample.outcome));
  const notBegun = left.filter(({ sample }) => sample.outcome === "not-begun").length;
  const limitedBy = isOwnLimit(everything) ? ({ limitedBy: "max-vus" } as const) : {};
  const isOfTarget = notBegun > 0 && limitedBy.limitedBy === undefined;
  const growingFromMs = isOfTarget ? queueGrowth(begun, { fromMs: startMs, untilMs: fromMs }) : undefined;
  const limits = latencyLimits(thresholds);
  const facts = {
    notBegun,
    heldBack: left.length - notBegun,
    maxVus: plan.maxVus,
    ...limitedBy,
    fromMs,
    ...(growingFromMs === undefined ? {} : { growingFromMs }),
    servedPerSecond: servedRate(all, limits, { fromMs: startMs, untilMs: Math.max(lastMs, startMs + shortestPartMs) }),
  };
  return { ...facts, sentence: sentenceOf(facts, all.length, limits) };
};

/** The same where there are no samples but k6's own counts, as with a stock k6: when it was so, nobody knows. */
export const saturationOfSummary = (
  { maxVus, durationMs }: LoadPlan,
  { outcomes, notBegun = 0 }: Pick<K6Summary, "outcomes" | "notBegun">,
): Saturation | undefined => {
  const counts = Object.values(outcomesByKind(outcomes));
  const count = (outcome: LoadOutcome): number => counts.reduce((sum, kind) => sum + (kind[outcome] ?? 0), 0);
  const heldBack = count("held-back");
  if (notBegun + heldBack === 0) {
    return undefined;
  }
  const ok = arrivalKinds.reduce((sum, kind) => sum + (outcomesByKind(outcomes)[kind]?.ok ?? 0), 0);
  // Without times nothing shows that the target became slower.
  const limitedBy = notBegun > 0 ? ({ limitedBy: "max-vus" } as const) : {};
  const facts = { notBegun, heldBack, maxVus, ...limitedBy, servedPerSecond: ok / (durationMs / 1000) };
  const sent = arrivalKinds.flatMap((kind) => Object.values(outcomesByKind(outcomes)[kind] ?? {}));
  // What could not begin is counted by k6 in all phases, and by the samples, where there are some, among what was measured.
  const planned = sent.reduce((sum, each) => sum + each, 0) - count("not-begun") + notBegun;
  return { ...facts, sentence: sentenceOf(facts, planned, []) };
};
