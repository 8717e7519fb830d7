import type { ExchangeDraft } from "@assay/evidence";
import { arrivalOf, isReadable, measured } from "./arrival-of-stream.ts";
import { isGzipAsked } from "./seen-answers.ts";
import type { StreamFacts } from "./stream-facts.ts";

/** A sample of a stream. */
interface Sample {
  readonly exchange: ExchangeDraft;
  readonly facts: StreamFacts;
}

/** A large stream that came late by its target's clock, and how late. */
export interface HeldLarge {
  readonly claimedMs: number;
  readonly heldMs: number;
}

/** What large streams show where small ones flow. */
export interface LargeResponses {
  readonly taken: number;
  readonly held: readonly HeldLarge[];
}

/** A part that is late by less may be the doing of a network, or of a busy machine. */
const leastHeldMs = 300;
/** Late by so much, a part is late for everybody. */
const leastLateMs = 1000;

/** Whether a search asked for all of its matches; those that ask for one have small streams. */
const isLarge = ({ exchange: { request } }: Sample): boolean => !new URL(request.url).searchParams.has("display");

/** The longest time without any byte, from the connection on. */
function silenceMs({ exchange: { response, times } }: Sample): number {
  const arrivals = (response?.chunks ?? []).map(({ atMicros }) => atMicros);
  const from = [times.connectedAtMicros ?? times.sentAtMicros, ...arrivals];
  return Math.max(0, ...arrivals.map((atMicros, index) => atMicros - (from[index] ?? atMicros))) / 1000;
}

/**
 * A large stream of which a part was kept for most of the time in which it was made. A slow network makes parts late as well, but
 * its bytes never stop coming: what is kept shows as silence. A target that makes its events late says late times in them.
 */
function heldLarge(sample: Sample): HeldLarge | undefined {
  const { exchange, facts } = sample;
  const last = facts.progress.at(-1);
  if (last === undefined) {
    return undefined;
  }
  const { claimedMs, heldMs } = measured(facts, last);
  const isAlmostAll = heldMs >= leastHeldMs && heldMs * 10 >= claimedMs * 9;
  const isLate = heldMs >= leastLateMs && heldMs * 2 >= claimedMs;
  const isSilent = silenceMs(sample) * 4 >= heldMs * 3;
  return (isAlmostAll || isLate) && isSilent && isReadable(exchange, last, claimedMs)
    ? { claimedMs, heldMs }
    : undefined;
}

/**
 * Whether large streams are held back where small ones flow, as something does that passes a first piece on and collects the
 * rest; undefined where nothing tells of it. Compressed samples are left out.
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
