import { type ExchangeDraft, stalledMsIn } from "@assay/evidence";
import type { ProgressFact, StreamFacts } from "./stream-facts.ts";

/**
 * How a stream arrived, measured by the target's own clock: `flowed` while the search ran, as a `burst` at its end, or `lumpy` if a part
 * was delayed for long, which may be due to a busy target. `too-quick` and `unclear` prove nothing.
 */
export type Arrival =
  | {
      readonly kind: "flowed";
      /** How long before the end of the search, by the target's clock, a part of its stream arrived; absent without an end. */
      readonly aheadMs?: number;
      /** Time over which it arrived. */
      readonly arrivedMs: number;
    }
  | {
      readonly kind: "burst";
      /** Time between the first and the last progress, by the target's clock. */
      readonly claimedMs: number;
      /** Time in which they arrived. */
      readonly arrivedMs: number;
    }
  | {
      readonly kind: "lumpy";
      readonly claimedMs: number;
      /** The longest delay of a progress. */
      readonly heldMs: number;
    }
  | { readonly kind: "too-quick" | "unclear"; readonly claimedMs: number };

/** Normal delays of the network and of this process are shorter, so a shorter search cannot show a burst. */
const minBurstMs = 300;
/** A small stream that is held back until its end arrives in less time. */
const minFlowMs = 100;
/** A stream is a burst if it arrives within 1/10 of its claimed time. */
const burstPart = 10;
/** A longer delay of an event matters to every client. */
const minLumpMs = 1000;
/** A first match must be this far ahead of the end of its search, so that rounding cannot explain it. */
const minAheadMs = 50;
/** This few bytes take no transmission time. If they arrive over a longer time, they were sent over that time. */
const smallBytes = 64 * 1024;
/** A stall of this process matters if it takes 1/4 of the claimed time or more. */
const stallPart = 4;

const msBetween = (fromMicros: number, toMicros: number): number => (toMicros - fromMicros) / 1000;

/** Times of a stream by the clock of its target and by ours. */
export interface Measured {
  readonly claimedMs: number;
  /** From the first byte to the last progress. */
  readonly arrivedMs: number;
  /** The longest delay of a progress, assuming that the last one was not delayed. */
  readonly heldMs: number;
}

/** Compares the times at which progress was made and arrived. `last` is the last progress. */
export function measured(facts: StreamFacts, last: ProgressFact): Measured {
  const [first = last] = facts.progress;
  const held = facts.progress.map(
    ({ atMicros, durationMs }) => last.durationMs - durationMs - msBetween(atMicros, last.atMicros),
  );
  return {
    claimedMs: last.durationMs - first.durationMs,
    arrivedMs: msBetween(facts.firstByteAtMicros ?? last.atMicros, last.atMicros),
    heldMs: Math.max(0, ...held.slice(0, 1000)),
  };
}

/**
 * How long before the end of the search a match arrived. The target's clock starts after our request was sent. So if the search took
 * longer by that clock than we waited for the match, it had not ended yet.
 */
function aheadMs(
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

/** True if progress arrived at the pace at which it was made, and not because a large stream took long to transmit. */
function hasFlowed({ times }: Pick<ExchangeDraft, "times">, facts: StreamFacts, last: ProgressFact): boolean {
  const { claimedMs, heldMs } = measured(facts, last);
  const [first = last] = facts.progress;
  const sinceMicros = times.connectedAtMicros ?? times.sentAtMicros;
  const isEarly = msBetween(sinceMicros, first.atMicros) < last.durationMs;
  return claimedMs >= minFlowMs && heldMs * stallPart <= claimedMs && (facts.bytes <= smallBytes || isEarly);
}

/**
 * How a stream arrived. A search that found nothing until its end counts as too quick, however long it took. A clock with a wrong rate
 * or a stall of this process proves nothing either.
 */
export function arrivalOf(draft: Pick<ExchangeDraft, "times">, facts: StreamFacts): Arrival {
  const last = facts.progress.at(-1);
  if (last === undefined) {
    return { kind: "too-quick", claimedMs: 0 };
  }
  const times = measured(facts, last);
  const lead = aheadMs(draft, facts, last);
  if (!isBurst(times) && hasFlowed(draft, facts, last)) {
    const { arrivedMs } = times;
    return { kind: "flowed", arrivedMs, ...(hasEnded(facts, last) ? { aheadMs: Math.max(lead, arrivedMs) } : {}) };
  }
  return lead >= minAheadMs && times.heldMs < minLumpMs
    ? { kind: "flowed", arrivedMs: times.arrivedMs, aheadMs: lead }
    : heldBack(draft, last, times);
}

const hasEnded = ({ hasDone }: StreamFacts, { done }: ProgressFact): boolean => hasDone || done;

const isBurst = ({ arrivedMs, claimedMs }: Measured): boolean =>
  claimedMs >= minBurstMs && arrivedMs * burstPart <= claimedMs;

/** Classifies a stream that did not clearly flow. */
function heldBack(draft: Pick<ExchangeDraft, "times">, last: ProgressFact, times: Measured): Arrival {
  const { arrivedMs, claimedMs, heldMs } = times;
  if (claimedMs < minBurstMs) {
    return { kind: "too-quick", claimedMs };
  }
  if (!isReadable(draft, last, claimedMs)) {
    return { kind: "unclear", claimedMs };
  }
  if (isBurst(times)) {
    return { kind: "burst", claimedMs, arrivedMs };
  }
  return heldMs >= minLumpMs && heldMs * 2 >= claimedMs
    ? { kind: "lumpy", claimedMs, heldMs }
    : { kind: "unclear", claimedMs };
}

/** True if our times match the network: no long stalls of this process, and not much shorter than the target claims. */
export function isReadable({ times }: Pick<ExchangeDraft, "times">, last: ProgressFact, claimedMs: number): boolean {
  const lastedMs = msBetween(times.sentAtMicros, last.atMicros);
  const stalledMs = stalledMsIn(times.stalls);
  return lastedMs * 2 >= claimedMs && stalledMs * stallPart < claimedMs;
}
