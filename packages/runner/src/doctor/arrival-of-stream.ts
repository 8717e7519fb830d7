import { type ExchangeDraft, stalledMsIn } from "@assay/evidence";
import type { ProgressFact, StreamFacts } from "./stream-facts.ts";

/**
 * How a stream arrived, measured by the target's own clock: `flowed` while the search ran, as a `burst` at its end, `lumpy`
 * when a part of it was held back for long, which may be the doing of a busy target; `too-quick` and `unclear` prove nothing.
 */
export type Arrival =
  | {
      readonly kind: "flowed";
      /** How long before the end of the search, by the target's clock, we had a part of its stream; absent where no end was seen. */
      readonly aheadMs?: number;
      /** Over what time it came. */
      readonly arrivedMs: number;
    }
  | {
      readonly kind: "burst";
      /** Time that the target says to have passed between the first and the last progress. */
      readonly claimedMs: number;
      /** Time in which they arrived. */
      readonly arrivedMs: number;
    }
  | {
      readonly kind: "lumpy";
      readonly claimedMs: number;
      /** The longest time for which a progress was held back. */
      readonly heldMs: number;
    }
  | { readonly kind: "too-quick" | "unclear"; readonly claimedMs: number };

/** Delays of a network and of our own reading are shorter than this when all is well, so that a shorter search shows no burst. */
const leastBurstMs = 300;
/** A stream that is held back to its end does not arrive over so long a time, small as it is. */
const leastFlowMs = 100;
/** A stream is a burst when it arrives within this part of the time it claims. */
const burstPart = 10;
/** Held back for so long, an event is late for everybody. */
const leastLumpMs = 1000;
/** A first match has to be so far ahead of the end of its search that no rounding of times explains it. */
const leastAheadMs = 50;
/** So few bytes take no time on their way: when they come over a longer time, they were sent over that time. */
const smallBytes = 64 * 1024;
/** A stall of our own reading counts when it takes this part of the claim, or more. */
const stallPart = 4;

const msBetween = (fromMicros: number, toMicros: number): number => (toMicros - fromMicros) / 1000;

/** Times of a stream by two clocks: that of its target, and ours. */
export interface Measured {
  readonly claimedMs: number;
  /** From the first byte to the last progress. */
  readonly arrivedMs: number;
  /** The longest time for which a progress was held back, if the last one was not. */
  readonly heldMs: number;
}

/** Compares when progress was made and when it came; `last` is the last of it. */
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
 * How long before the end of the search a match was here. The target's clock begins after our request went out: a search that,
 * by that clock, took longer than we waited for the match had not ended then.
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

/** Whether progress came in the rhythm in which the target made it, and the size of the stream is not what stretched it. */
function hasFlowed({ times }: Pick<ExchangeDraft, "times">, facts: StreamFacts, last: ProgressFact): boolean {
  const { claimedMs, heldMs } = measured(facts, last);
  const [first = last] = facts.progress;
  const sinceMicros = times.connectedAtMicros ?? times.sentAtMicros;
  const isEarly = msBetween(sinceMicros, first.atMicros) < last.durationMs;
  return claimedMs >= leastFlowMs && heldMs * stallPart <= claimedMs && (facts.bytes <= smallBytes || isEarly);
}

/**
 * How a stream arrived. A target that found nothing until its end was quick for us, however long it searched; a clock that runs
 * wrong, and a stall of our own, prove nothing either.
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
  return lead >= leastAheadMs && times.heldMs < leastLumpMs
    ? { kind: "flowed", arrivedMs: times.arrivedMs, aheadMs: lead }
    : heldBack(draft, last, times);
}

const hasEnded = ({ hasDone }: StreamFacts, { done }: ProgressFact): boolean => hasDone || done;

const isBurst = ({ arrivedMs, claimedMs }: Measured): boolean =>
  claimedMs >= leastBurstMs && arrivedMs * burstPart <= claimedMs;

/** What a stream shows that has not been seen to flow. */
function heldBack(draft: Pick<ExchangeDraft, "times">, last: ProgressFact, times: Measured): Arrival {
  const { arrivedMs, claimedMs, heldMs } = times;
  if (claimedMs < leastBurstMs) {
    return { kind: "too-quick", claimedMs };
  }
  if (!isReadable(draft, last, claimedMs)) {
    return { kind: "unclear", claimedMs };
  }
  if (isBurst(times)) {
    return { kind: "burst", claimedMs, arrivedMs };
  }
  return heldMs >= leastLumpMs && heldMs * 2 >= claimedMs
    ? { kind: "lumpy", claimedMs, heldMs }
    : { kind: "unclear", claimedMs };
}

/** Whether our own times are those of the wire: no long stalls of ours, and not much shorter than what the target claims. */
export function isReadable({ times }: Pick<ExchangeDraft, "times">, last: ProgressFact, claimedMs: number): boolean {
  const lastedMs = msBetween(times.sentAtMicros, last.atMicros);
  const stalledMs = stalledMsIn(times.stalls);
  return lastedMs * 2 >= claimedMs && stalledMs * stallPart < claimedMs;
}
