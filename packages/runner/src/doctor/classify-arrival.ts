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
      readonly aheadMs?: number;
      /** Time from the first byte to the last progress event. */
      readonly arrivedMs: number;
    }
  | {
      readonly kind: "burst";
      /** Time between the first and last progress event, by the target's clock. */
      readonly claimedMs: number;
      /** Time from the first byte to the last progress event. */
      readonly arrivedMs: number;
    }
  | {
      readonly kind: "lumpy";
      readonly claimedMs: number;
      /** Maximum delay of a `progress` event. */
      readonly heldMs: number;
    }
  | { readonly kind: "too-quick" | "unclear"; readonly claimedMs: number };

/** Minimum duration of a search that can show a burst. Ordinary network and scheduling delays are shorter. */
const minBurstMs = 300;
/** A small stream that is buffered until its end arrives faster than this. */
const minFlowMs = 100;
/** A stream is a burst if it arrives within 1/10 of the time that the target reports. */
const burstPart = 10;
/** A delay of this length affects every client. */
const minLumpMs = 1000;
/** Minimum time between the first match and the end of the search. Rounding can explain a shorter one. */
const minAheadMs = 50;
/** Streams up to this size have negligible transmission time, so they arrive at the pace at which they are sent. */
const smallBytes = 64 * 1024;
/** A stall of this process invalidates a measurement if it takes 1/4 of the reported time or more. */
const stallPart = 4;

const msBetween = (fromMicros: number, toMicros: number): number => (toMicros - fromMicros) / 1000;

/** Durations of a stream, by the target's clock and by ours. */
export interface StreamTiming {
  readonly claimedMs: number;
  /** Time from the first byte to the last `progress` event. */
  readonly arrivedMs: number;
  /** Maximum delay of a `progress` event, assuming that the last one was not delayed. */
  readonly heldMs: number;
}

/** Compares the times at which progress events were created and received. `last` is the last event. */
export function measureStream(facts: StreamFacts, last: ProgressFact): StreamTiming {
  const [first = last] = facts.progress;
  const delaysMs = facts.progress.map(
    ({ atMicros, durationMs }) => last.durationMs - durationMs - msBetween(atMicros, last.atMicros),
  );
  return {
    claimedMs: last.durationMs - first.durationMs,
    arrivedMs: msBetween(facts.firstByteAtMicros ?? last.atMicros, last.atMicros),
    heldMs: Math.max(0, ...delaysMs.slice(0, 1000)),
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
  const sinceMicros = times.connectedAtMicros ?? times.sentAtMicros;
  const isPlausible = msBetween(sinceMicros, last.atMicros) >= last.durationMs;
  return firstMatchAtMicros === undefined || !last.done || !isPlausible
    ? 0
    : last.durationMs - msBetween(sinceMicros, firstMatchAtMicros);
}

/** Reports whether progress events arrived at the pace at which they were created. A large stream can also arrive slowly because of its size. */
function isSteady({ times }: Pick<ExchangeDraft, "times">, facts: StreamFacts, last: ProgressFact): boolean {
  const { claimedMs, heldMs } = measureStream(facts, last);
  const [first = last] = facts.progress;
  const sinceMicros = times.connectedAtMicros ?? times.sentAtMicros;
  const isEarly = msBetween(sinceMicros, first.atMicros) < last.durationMs;
  return claimedMs >= minFlowMs && heldMs * stallPart <= claimedMs && (facts.bytes <= smallBytes || isEarly);
}

/**
 * Classifies the arrival of a stream. A search without results until its end is `too-quick`, regardless of its duration. A target clock
 * that runs at the wrong rate, or a stall of this process, makes the arrival `unclear`.
 */
export function classifyArrival(draft: Pick<ExchangeDraft, "times">, facts: StreamFacts): Arrival {
  const last = facts.progress.at(-1);
  if (last === undefined) {
    return { kind: "too-quick", claimedMs: 0 };
  }
  const times = measureStream(facts, last);
  const lead = firstMatchLeadMs(draft, facts, last);
  if (!isBurst(times) && isSteady(draft, facts, last)) {
    const { arrivedMs } = times;
    return { kind: "flowed", arrivedMs, ...(hasEnded(facts, last) ? { aheadMs: Math.max(lead, arrivedMs) } : {}) };
  }
  return lead >= minAheadMs && times.heldMs < minLumpMs
    ? { kind: "flowed", arrivedMs: times.arrivedMs, aheadMs: lead }
    : classifyDelayed(draft, last, times);
}

const hasEnded = ({ hasDone }: StreamFacts, { done }: ProgressFact): boolean => hasDone || done;

const isBurst = ({ arrivedMs, claimedMs }: StreamTiming): boolean =>
  claimedMs >= minBurstMs && arrivedMs * burstPart <= claimedMs;

/** Classifies a stream that did not clearly flow. */
function classifyDelayed(draft: Pick<ExchangeDraft, "times">, last: ProgressFact, times: StreamTiming): Arrival {
  const { arrivedMs, claimedMs, heldMs } = times;
  if (claimedMs < minBurstMs) {
    return { kind: "too-quick", claimedMs };
  }
  if (!isTimingPlausible(draft, last, claimedMs)) {
    return { kind: "unclear", claimedMs };
  }
  if (isBurst(times)) {
    return { kind: "burst", claimedMs, arrivedMs };
  }
  return heldMs >= minLumpMs && heldMs * 2 >= claimedMs
    ? { kind: "lumpy", claimedMs, heldMs }
    : { kind: "unclear", claimedMs };
}

/** Reports whether our times are usable: this process did not stall for long, and the times are not much shorter than the target reports. */
export function isTimingPlausible(
  { times }: Pick<ExchangeDraft, "times">,
  last: ProgressFact,
  claimedMs: number,
): boolean {
  const lastedMs = msBetween(times.sentAtMicros, last.atMicros);
  const stalledMs = measureStalledMs(times.stalls);
  return lastedMs * 2 >= claimedMs && stalledMs * stallPart < claimedMs;
}
