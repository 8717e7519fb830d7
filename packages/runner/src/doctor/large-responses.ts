import type { ExchangeDraft } from "@assay/evidence";
import { classifyArrival, isTimingPlausible, measureStream } from "./classify-arrival.ts";
import { acceptsGzip } from "./arranged-evidence.ts";
import type { StreamFacts } from "./stream-facts.ts";

/** A sample of a stream. */
interface Sample {
  readonly exchange: ExchangeDraft;
  readonly facts: StreamFacts;
}

/** A large stream that arrived late by the target's clock, with its delay. */
export interface HeldLarge {
  readonly claimedMs: number;
  readonly heldMs: number;
}

/** Large streams that are held back although small ones are not. */
export interface LargeResponses {
  readonly sampleCount: number;
  readonly heldBack: readonly HeldLarge[];
}

/** A shorter delay may be due to the network or a busy machine. */
const minHeldMs = 300;
/** A longer delay matters to every client. */
const minLateMs = 1000;

/** Reports whether a search requested all of its matches. Searches for one match have small streams. */
const isLarge = ({ exchange: { request } }: Sample): boolean => !new URL(request.url).searchParams.has("display");

/** The longest time without a byte after the connection was established. */
function silenceMs({ exchange: { response, times } }: Sample): number {
  const arrivals = (response?.chunks ?? []).map(({ atMicros }) => atMicros);
  const from = [times.connectedAtMicros ?? times.sentAtMicros, ...arrivals];
  return Math.max(0, ...arrivals.map((atMicros, index) => atMicros - (from[index] ?? atMicros))) / 1000;
}

/**
 * Returns a large stream of which a part was delayed for most of the search. On a slow network bytes keep arriving, whereas a buffer
 * causes a pause. If the target itself creates events late, their durations are late too.
 */
function findHeldLarge(sample: Sample): HeldLarge | undefined {
  const { exchange, facts } = sample;
  const last = facts.progress.at(-1);
  if (last === undefined) {
    return undefined;
  }
  const { claimedMs, heldMs } = measureStream(facts, last);
  const isAlmostAll = heldMs >= minHeldMs && heldMs * 10 >= claimedMs * 9;
  const isLate = heldMs >= minLateMs && heldMs * 2 >= claimedMs;
  const isSilent = silenceMs(sample) * 4 >= heldMs * 3;
  return (isAlmostAll || isLate) && isSilent && isTimingPlausible(exchange, last, claimedMs)
    ? { claimedMs, heldMs }
    : undefined;
}

/**
 * Finds large streams that are held back although small ones are not: some proxies forward the first part of a response and buffer the
 * rest. Returns undefined if there are none. Ignores compressed samples.
 */
export function findLargeHeldBack(samples: readonly Sample[]): LargeResponses | undefined {
  const plain = samples.filter(({ exchange }) => !acceptsGzip(exchange));
  const large = plain.filter((sample) => isLarge(sample) && sample.facts.events > 0);
  const small = plain.filter((sample) => !isLarge(sample));
  const arrivals = new Set(small.map(({ exchange, facts }) => classifyArrival(exchange, facts).kind));
  const heldSamples = large.flatMap((sample) => findHeldLarge(sample) ?? []);
  const isSmallFlowing = arrivals.has("flowed") && !arrivals.has("burst");
  return heldSamples.length > 0 && isSmallFlowing ? { sampleCount: large.length, heldBack: heldSamples } : undefined;
}
