import { isOfThisRun } from "../../engine/answer.ts";
import { measureStalledMs } from "@assay/evidence";
import { defineExchangeRule } from "../../engine/rule.ts";
import type { JudgedExchange } from "../../engine/rule.ts";
import { requestsChunkMatches } from "../../engine/search-query.ts";
import type { ProgressStamp } from "../../engine/stream-facts.ts";
import { describeLikelyCauses } from "./likely-causes.ts";

/** A stream whose target had matches well before its search ended, according to the target's clock. */
interface SlowStream {
  readonly exchange: JudgedExchange;
  /** Time between the first matches and the end of the search, according to the target. */
  readonly claimedMs: number;
  /**
   * Time between their arrival, or that of the first byte, and the final `progress` event. A large event takes time and
   * is not a burst.
   */
  readonly arrivedMs: number;
  /** How the stream arrived. `unclear` if that depends on delays in reading on this machine. */
  readonly arrival: "live" | "burst" | "unclear";
  /** Whether the complete stream was delayed, or only its matches while `progress` events arrived on time. */
  readonly delayedPart: "stream" | "matches";
  readonly sentAtMicros: number;
  readonly finalProgressAtMicros: number;
}

/** Shorter searches cannot be distinguished from delays of the network and of this machine. */
const minClaimedMs = 1000;

/** A stream is a burst if it arrives within its claimed time divided by this number. */
const burstDivisor = 10;

/**
 * Times that are shorter than the claimed time divided by this number were not measured on the wire, as in a recording.
 */
const wireDivisor = 2;

const msBetween = (fromMicros: number, toMicros: number): number => (toMicros - fromMicros) / 1000;

/**
 * Reports whether the first matches arrived while the search was still running, according to the target's clock. That
 * clock starts after our request was sent, so the search cannot have ended before its claimed time had passed since
 * then. The final `progress` event was written after that time, so it cannot have arrived earlier either, unless the
 * clock is wrong.
 */
function arrivedDuringSearch({ record, stream }: JudgedExchange): boolean {
  const { firstMatchAtMicros, finalProgress } = stream ?? {};
  if (firstMatchAtMicros === undefined || finalProgress === undefined) {
    return false;
  }
  const { sentAtMicros, connectedAtMicros = sentAtMicros } = record.times;
  const { durationMs, atMicros } = finalProgress;
  return (
    msBetween(connectedAtMicros, firstMatchAtMicros) < durationMs &&
    msBetween(connectedAtMicros, atMicros) >= durationMs
  );
}

/** A period in which, according to the target, it had matches while its search was running. */
interface Claim {
  /** The first `progress` event that shows that the target had matches. */
  readonly firstProgress: ProgressStamp | undefined;
  /** Arrival of the first byte, or of the first matches. */
  readonly firstAtMicros: number | undefined;
  /** Arrival of the event before it, if any. */
  readonly previousEventAtMicros?: number | undefined;
  readonly delayedPart: SlowStream["delayedPart"];
}

/**
 * Measures how the results arrived that belong to a claim. It returns no stream if the claimed time is too short, or if
 * the times were not measured on the wire.
 */
function measureArrival(
  exchange: JudgedExchange,
  { firstProgress, firstAtMicros, previousEventAtMicros = Infinity, delayedPart }: Claim,
): readonly SlowStream[] {
  const { finalProgress } = exchange.stream ?? {};
  if (firstAtMicros === undefined || firstProgress === undefined || finalProgress === undefined) {
    return [];
  }
  const { sentAtMicros, stalls } = exchange.record.times;
  const claimedMs = finalProgress.durationMs - firstProgress.durationMs;
  const searchMs = msBetween(sentAtMicros, finalProgress.atMicros);
  if (claimedMs < minClaimedMs || searchMs * wireDivisor < claimedMs) {
    return [];
  }
  const finalProgressAtMicros = finalProgress.atMicros;
  const arrivedMs = msBetween(firstAtMicros, finalProgressAtMicros);
  const burstMs = claimedMs / burstDivisor;
  // Earlier bytes were read during this time, unless reading stalled.
  const burstStartMicros = (atMicros: number): number => atMicros - burstMs * 1000;
  const windowStartMicros = Math.min(burstStartMicros(firstAtMicros), previousEventAtMicros);
  const stalledAtStartMs = measureStalledMs(stalls, windowStartMicros, firstAtMicros);
  const stalledAtEndMs = measureStalledMs(stalls, burstStartMicros(finalProgressAtMicros), finalProgressAtMicros);
  const arrival =
    arrivedMs + stalledAtStartMs <= burstMs ? "burst" : arrivedMs - stalledAtEndMs > burstMs ? "live" : "unclear";
  const isProgressLive = msBetween(firstProgress.atMicros, finalProgressAtMicros) * wireDivisor >= claimedMs;
  return [
    {
      exchange,
      claimedMs,
      arrivedMs,
      arrival,
      delayedPart: isProgressLive ? delayedPart : "stream",
      sentAtMicros,
      finalProgressAtMicros,
    },
  ];
}

/**
 * Measures a stream from its first byte and from its first matches. Returns the measurement that shows a burst,
 * otherwise an unclear one, otherwise the first one.
 */
function findSlowStream(exchange: JudgedExchange): readonly SlowStream[] {
  const { firstByteAtMicros, firstMatchAtMicros, beforeFirstMatchAtMicros, progressWithMatches, progressWithCount } =
    exchange.stream ?? {};
  const measurements = [
    ...measureArrival(exchange, {
      firstProgress: progressWithMatches,
      firstAtMicros: firstByteAtMicros,
      delayedPart: "stream",
    }),
    ...measureArrival(exchange, {
      firstProgress: progressWithCount,
      firstAtMicros: firstMatchAtMicros,
      previousEventAtMicros: beforeFirstMatchAtMicros,
      delayedPart: "matches",
    }),
  ];
  return [measurements.find(isBurst) ?? measurements.find(isUnclear) ?? measurements[0]].flatMap(
    (stream) => stream ?? [],
  );
}

const isBurst = ({ arrival }: SlowStream): boolean => arrival === "burst";
const isUnclear = ({ arrival }: SlowStream): boolean => arrival === "unclear";

const delayDescriptions: Readonly<Record<SlowStream["delayedPart"], string>> = {
  stream: "the stream began",
  matches: "although progress counted them, the first of them arrived",
};

function describeDelay({ exchange, claimedMs, arrivedMs, delayedPart }: SlowStream): string {
  const causes = describeLikelyCauses(exchange.record.response?.headers ?? []);
  return [
    `by its own clock the target had matches ${Math.round(claimedMs)} ms before its search ended`,
    `${delayDescriptions[delayedPart]} ${Math.round(arrivedMs)} ms before the final progress, and up to ${Math.round(claimedMs / burstDivisor)} ms is a burst`,
    causes.length === 0 ? "the response headers show no cause" : `likely causes: ${causes.join(", ")}`,
  ].join("; ");
}

/**
 * Reports whether a coincidence is ruled out: one of the streams was over before another one was requested, or several
 * were delayed by a target that sent `progress` events during that time.
 */
const areSystematic = (bursts: readonly SlowStream[]): boolean =>
  bursts.some((burst) => bursts.some(({ sentAtMicros }) => sentAtMicros > burst.finalProgressAtMicros)) ||
  bursts.filter(({ delayedPart }) => delayedPart === "matches").length > 1;

const simultaneousBurstsReason =
  "matches of some searches arrived at their end, but all of these ran at the same time, when the target may have been too busy to write; run again, or choose a `--query` that takes longer than a second";

/**
 * Results arrive while the search runs. The target's own clock shows when they were found, so a search that finds
 * nothing until its end does not fail, nor does a quick one. A target without processor time cannot write its results.
 * Bursts are therefore violations only if they are the majority of the slow streams of a kind, with or without chunk
 * matches, and occurred at different times, or if the target sent `progress` events during that time. Source:
 * search-stream, section 1.
 */
export const resultsArriveIncrementally = defineExchangeRule({
  id: "stream/results-arrive-incrementally",
  check(exchanges, reportFor) {
    const measuredExchanges = exchanges.filter((exchange) => isOfThisRun(exchange));
    for (const { record } of measuredExchanges.filter((exchange) => arrivedDuringSearch(exchange))) {
      reportFor(record.id).observation();
    }
    const slowStreams = measuredExchanges.flatMap((exchange) => findSlowStream(exchange));
    const clearStreams = slowStreams.filter((stream) => !isUnclear(stream));
    const reason = slowStreams.some(isUnclear) ? busyMachineReason : noSlowSearchReason;
    reportFor("").notTested(clearStreams.some(isBurst) ? simultaneousBurstsReason : reason);
    for (const hasChunks of [true, false]) {
      const streamsOfKind = clearStreams.filter(
        ({ exchange }) => (requestsChunkMatches(exchange.record) === true) === hasChunks,
      );
      const bursts = streamsOfKind.filter((stream) => isBurst(stream));
      const areMajority = bursts.length * 2 > streamsOfKind.length;
      if (!areMajority || !areSystematic(bursts)) {
        continue;
      }
      for (const stream of bursts) {
        const report = reportFor(stream.exchange.record.id);
        report.observation();
        report.violation({ message: describeDelay(stream) });
      }
    }
  },
});

const busyMachineReason =
  "searches took long enough to show when their matches arrived, but this machine was too busy to read them in time; run again when it is less busy";

const noSlowSearchReason =
  "no search took long enough to show when its matches arrived; choose a `--query` that takes longer than a second";
