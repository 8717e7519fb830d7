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
export interface HeldBackStream {
  readonly reportedMs: number;
  readonly delayMs: number;
}

/** Large streams that are held back although small ones are not. */
export interface LargeResponses {
  readonly sampleCount: number;
  readonly heldBack: readonly HeldBackStream[];
}

/** A shorter delay may be due to the network or a busy machine. */
const minDelayMs = 300;
/** A longer delay matters to every client. */
const minLateMs = 1000;

/** Reports whether a search requested all of its matches. Searches for one match have small streams. */
const isLarge = ({ exchange: { request } }: Sample): boolean => !new URL(request.url).searchParams.has("display");

/** Returns the longest time without a byte after the connection was established. */
function measureSilenceMs({ exchange: { response, times } }: Sample): number {
  const arrivals = (response?.chunks ?? []).map(({ atMicros }) => atMicros);
  const startTimes = [times.connectedAtMicros ?? times.sentAtMicros, ...arrivals];
  return Math.max(0, ...arrivals.map((atMicros, index) => atMicros - (startTimes[index] ?? atMicros))) / 1000;
}

/**
 * Returns a large stream of which a part was delayed for 90 % of the search, or for half of it and a second. At least 75 % of the delay
 * must be one pause: on a slow network bytes keep arriving, whereas a buffer causes a pause. If the target itself creates events late,
 * their durations are late too.
 */
function findHeldBackStream(sample: Sample): HeldBackStream | undefined {
  const { exchange, facts } = sample;
  const last = facts.progress.at(-1);
  if (last === undefined) {
    return undefined;
  }
  const { reportedMs, delayMs } = measureStream(facts, last);
  const isAlmostAll = delayMs >= minDelayMs && delayMs * 10 >= reportedMs * 9;
  const isLate = delayMs >= minLateMs && delayMs * 2 >= reportedMs;
  const isSilent = measureSilenceMs(sample) * 4 >= delayMs * 3;
  return (isAlmostAll || isLate) && isSilent && isTimingPlausible(exchange, last, reportedMs)
    ? { reportedMs, delayMs }
    : undefined;
}

/**
 * Finds large streams that are held back although small ones are not: some proxies forward the first part of a response and buffer the
 * rest. Returns undefined if there are none. Ignores compressed samples.
 */
export function findLargeHeldBack(samples: readonly Sample[]): LargeResponses | undefined {
  const plainSamples = samples.filter(({ exchange }) => !acceptsGzip(exchange));
  const largeSamples = plainSamples.filter((sample) => isLarge(sample) && sample.facts.events > 0);
  const smallSamples = plainSamples.filter((sample) => !isLarge(sample));
  const arrivals = new Set(smallSamples.map(({ exchange, facts }) => classifyArrival(exchange, facts).kind));
  const heldBackStreams = largeSamples.flatMap((sample) => findHeldBackStream(sample) ?? []);
  const doSmallStreamsFlow = arrivals.has("flowed") && !arrivals.has("burst");
  return heldBackStreams.length > 0 && doSmallStreamsFlow
    ? { sampleCount: largeSamples.length, heldBack: heldBackStreams }
    : undefined;
}
