import { type ExchangeDraft, measureStalledMs } from "@assay/evidence";
import type { ProgressFact, StreamFacts } from "./stream-facts.ts";

/**
 * The arrival of a stream, measured against the durations that the target reports. `flowed`: it arrived while the search ran. `burst`: it
 * arrived at the end of the search. `lumpy`: part of it was long delayed, possibly by a busy target. `too-quick` and `unclear` are
 * inconclusive.
 */
export type Arrival =
  | {
      readonly kind: "flowed";
      /** Time from the first arrival to the end of the search, by the target's clock. Absent if the stream did not end. */
      readonly leadMs?: number;
      /** Time from the first byte to the last progress event. */
      readonly arrivalMs: number;
    }
  | {
      readonly kind: "burst";
      /** Time between the first and last progress event, by the target's clock. */
      readonly reportedMs: number;
      /** Time from the first byte to the last progress event. */
      readonly arrivalMs: number;
    }
  | {
      readonly kind: "lumpy";
      readonly reportedMs: number;
      /** Maximum delay of a `progress` event. */
      readonly delayMs: number;
    }
  | { readonly kind: "too-quick" | "unclear"; readonly reportedMs: number };

/** Minimum duration of a search that can show a burst. Ordinary network and scheduling delays are shorter. */
const minBurstMs = 300;
/** A small stream that is buffered until its end arrives faster than this. */
const minFlowMs = 100;
/** A stream is a burst if it arrives within 1/10 of the time that the target reports. */
const burstRatio = 10;
/** A delay of this length affects every client. */
const minLumpMs = 1000;
/** Minimum time between the first match and the end of the search. Rounding can explain a shorter one. */
const minLeadMs = 50;
/** Streams up to this size have negligible transmission time, so they arrive at the pace at which they are sent. */
const smallBytes = 64 * 1024;
/** A stall of this process invalidates a measurement if it takes 1/4 of the reported time or more. */
const stallRatio = 4;

const msBetween = (fromMicros: number, toMicros: number): number => (toMicros - fromMicros) / 1000;

/** Durations of a stream, by the target's clock and by ours. */
export interface StreamTiming {
  readonly reportedMs: number;
  /** Time from the first byte to the last `progress` event. */
  readonly arrivalMs: number;
  /** Maximum delay of a `progress` event, assuming that the last one was not delayed. */
  readonly delayMs: number;
}

/** Compares the times at which progress events were created and received. `last` is the last event. */
export function measureStream(facts: StreamFacts, last: ProgressFact): StreamTiming {
  const [first = last] = facts.progress;
  const delaysMs = facts.progress.map(
    ({ atMicros, durationMs }) => last.durationMs - durationMs - msBetween(atMicros, last.atMicros),
  );
  return {
    reportedMs: last.durationMs - first.durationMs,
    arrivalMs: msBetween(facts.firstByteAtMicros ?? last.atMicros, last.atMicros),
    delayMs: Math.max(0, ...delaysMs.slice(0, 1000)),
  };
}

/**
 * Returns the time from the first match to the end of the search, or 0. The target's clock starts after our request was sent. If the
 * search took longer by that clock than we waited for the match, the search was still running.
 */
function firstMatchLeadMs(
  { times }: Pick<ExchangeDraft, "times">,
  { firstMatchAtMicros }: StreamFacts,
  last: ProgressFact,
): number {
  const startMicros = times.connectedAtMicros ?? times.sentAtMicros;
  const isPlausible = msBetween(startMicros, last.atMicros) >= last.durationMs;
  return firstMatchAtMicros === undefined || !last.done || !isPlausible
    ? 0
    : last.durationMs - msBetween(startMicros, firstMatchAtMicros);
}

/** Reports whether progress events arrived at the pace at which they were created. A large stream can also arrive slowly because of its size. */
function isSteady({ times }: Pick<ExchangeDraft, "times">, facts: StreamFacts, last: ProgressFact): boolean {
  const { reportedMs, delayMs } = measureStream(facts, last);
  const [first = last] = facts.progress;
  const startMicros = times.connectedAtMicros ?? times.sentAtMicros;
  const isEarly = msBetween(startMicros, first.atMicros) < last.durationMs;
  return reportedMs >= minFlowMs && delayMs * stallRatio <= reportedMs && (facts.bytes <= smallBytes || isEarly);
}

/**
 * Classifies the arrival of a stream. A search without results until its end is `too-quick`, regardless of its duration. A target clock
 * that runs at the wrong rate, or a stall of this process, makes the arrival `unclear`.
 */
export function classifyArrival(draft: Pick<ExchangeDraft, "times">, facts: StreamFacts): Arrival {
  const last = facts.progress.at(-1);
  if (last === undefined) {
    return { kind: "too-quick", reportedMs: 0 };
  }
  const timing = measureStream(facts, last);
  const leadMs = firstMatchLeadMs(draft, facts, last);
  if (!isBurst(timing) && isSteady(draft, facts, last)) {
    const { arrivalMs } = timing;
    return { kind: "flowed", arrivalMs, ...(hasEnded(facts, last) ? { leadMs: Math.max(leadMs, arrivalMs) } : {}) };
  }
  return leadMs >= minLeadMs && timing.delayMs < minLumpMs
    ? { kind: "flowed", arrivalMs: timing.arrivalMs, leadMs }
    : classifyDelayed(draft, last, timing);
}

const hasEnded = ({ hasDone }: StreamFacts, { done }: ProgressFact): boolean => hasDone || done;

const isBurst = ({ arrivalMs, reportedMs }: StreamTiming): boolean =>
  reportedMs >= minBurstMs && arrivalMs * burstRatio <= reportedMs;

/** Classifies a stream that did not clearly flow. */
function classifyDelayed(draft: Pick<ExchangeDraft, "times">, last: ProgressFact, timing: StreamTiming): Arrival {
  const { arrivalMs, reportedMs, delayMs } = timing;
  if (reportedMs < minBurstMs) {
    return { kind: "too-quick", reportedMs };
  }
  if (!isTimingPlausible(draft, last, reportedMs)) {
    return { kind: "unclear", reportedMs };
  }
  if (isBurst(timing)) {
    return { kind: "burst", reportedMs, arrivalMs };
  }
  return delayMs >= minLumpMs && delayMs * 2 >= reportedMs
    ? { kind: "lumpy", reportedMs, delayMs }
    : { kind: "unclear", reportedMs };
}

/** Reports whether our times are usable: this process did not stall for long, and the times are not much shorter than the target reports. */
export function isTimingPlausible(
  { times }: Pick<ExchangeDraft, "times">,
  last: ProgressFact,
  reportedMs: number,
): boolean {
  const elapsedMs = msBetween(times.sentAtMicros, last.atMicros);
  const stalledMs = measureStalledMs(times.stalls);
  return elapsedMs * 2 >= reportedMs && stalledMs * stallRatio < reportedMs;
}
