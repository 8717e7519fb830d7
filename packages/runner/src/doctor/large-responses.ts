import type { ExchangeDraft } from "@assay/evidence";
import { arrivalOf, isReadable, measured } from "./arrival-of-stream.ts";
import { isGzipAsked } from "./seen-answers.ts";
import type { StreamFacts } from "./stream-facts.ts";

/** A sample of a stream. */
interface Sample {
  readonly exchange: ExchangeDraft;
  readonly facts: StreamFacts;
}

/** A large stream that was late by its target's clock, and how late. */
export interface HeldLarge {
  readonly claimedMs: number;
  readonly heldMs: number;
}

/** Large streams that are held back although small ones flow. */
export interface LargeResponses {
  readonly taken: number;
  readonly held: readonly HeldLarge[];
}

/** A shorter delay may be due to the network or a busy machine. */
const minHeldMs = 300;
/** A longer delay matters to every client. */
const minLateMs = 1000;

/** True if a search requested all of its matches. Those that request one have small streams. */
const isLarge = ({ exchange: { request } }: Sample): boolean => !new URL(request.url).searchParams.has("display");

/** The longest time without any byte since the connection. */
function silenceMs({ exchange: { response, times } }: Sample): number {
  const arrivals = (response?.chunks ?? []).map(({ atMicros }) => atMicros);
  const from = [times.connectedAtMicros ?? times.sentAtMicros, ...arrivals];
  return Math.max(0, ...arrivals.map((atMicros, index) => atMicros - (from[index] ?? atMicros))) / 1000;
}

/**
 * A large stream with a part that was delayed for most of the time in which it was made. A slow network delays parts too, but its bytes
 * keep arriving, while a buffer causes a pause. A target that creates events late puts late times in them.
 */
function heldLarge(sample: Sample): HeldLarge | undefined {
  const { exchange, facts } = sample;
  const last = facts.progress.at(-1);
  if (last === undefined) {
    return undefined;
  }
  const { claimedMs, heldMs } = measured(facts, last);
  const isAlmostAll = heldMs >= minHeldMs && heldMs * 10 >= claimedMs * 9;
  const isLate = heldMs >= minLateMs && heldMs * 2 >= claimedMs;
  const isSilent = silenceMs(sample) * 4 >= heldMs * 3;
  return (isAlmostAll || isLate) && isSilent && isReadable(exchange, last, claimedMs)
    ? { claimedMs, heldMs }
    : undefined;
}

/**
 * Large streams that are held back although small ones flow, as a proxy does that forwards a first part and collects the rest; undefined
 * if there is no sign of it. Ignores compressed samples.
 */
export function largeHeldBack(samples: readonly Sample[]): LargeResponses | undefined {
  const plain = samples.filter(({ exchange }) => !isGzipAsked(exchange));
  const large = plain.filter((sample) => isLarge(sample) && sample.facts.events > 0);
  const small = plain.filter((sample) => !isLarge(sample));
  const arrivals = new Set(small.map(({ exchange, facts }) => arrivalOf(exchange, facts).kind));
  const held = large.flatMap((sample) => heldLarge(sample) ?? []);
  const isSmallFlowing = arrivals.has("flowed") && !arrivals.has("burst");
  return held.length > 0 && isSmallFlowing ? { taken: large.length, held } : undefined;
}
