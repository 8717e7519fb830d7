import { stalledMsIn } from "@assay/evidence";
import { defineExchangeRule } from "../../engine/rule.ts";
import type { JudgedExchange } from "../../engine/rule.ts";
import { chunkMatchesAsked } from "../../engine/search-query.ts";
import type { ProgressStamp } from "../../engine/stream-facts.ts";
import { likelyCauses } from "./likely-causes.ts";

/** A stream whose target had matches well before its search ended, by its own clock. */
interface SlowStream {
  readonly exchange: JudgedExchange;
  /** Time between the first matches and the end of the search. */
  readonly claimedMs: number;
  /**
   * Time between their arrival, or that of the first byte, and the final progress: a large event takes time and is
   * not a burst.
   */
  readonly arrivedMs: number;
  /** How it arrived; `unclear` if that depends on delays of our own reading. */
  readonly came: "live" | "burst" | "unclear";
  /** Whether the whole stream was delayed, or only its matches while progress arrived on time. */
  readonly heldBack: "stream" | "matches";
  readonly fromMicros: number;
  readonly toMicros: number;
}

/** Shorter searches cannot be distinguished from delays of the network and of our own reading. */
const leastClaimMs = 1000;

/** A stream is a burst if it arrives within this share of the time that it claims. */
const burstPart = 10;

/** Times that were not measured on the wire, as in a recording, are shorter than this share of the claimed time. */
const wirePart = 2;

const ofThisRun = ({ record }: JudgedExchange): boolean => record.probe !== "import";

const msBetween = (fromMicros: number, toMicros: number): number => (toMicros - fromMicros) / 1000;

/**
 * Reports whether the first matches arrived while the search still ran, by the target's clock. That clock starts after
 * our request was sent, so the search cannot have ended before its claimed time had passed since then. The final
 * progress was written after that time, so it cannot have arrived earlier either, unless the clock is wrong.
 */
function showsIt({ record, stream }: JudgedExchange): boolean {
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

interface Claim {
  /** Time of the first matches by the target's clock. */
  readonly had: ProgressStamp | undefined;
  /** Arrival of the first event of interest. */
  readonly firstAtMicros: number | undefined;
  /** Arrival of anything before it, if any. */
  readonly notYetAtMicros?: number | undefined;
  readonly heldBack: SlowStream["heldBack"];
}

function slowStream(
  exchange: JudgedExchange,
  { had, firstAtMicros, notYetAtMicros = Infinity, heldBack }: Claim,
): readonly SlowStream[] {
  const { finalProgress } = exchange.stream ?? {};
  if (firstAtMicros === undefined || had === undefined || finalProgress === undefined) {
    return [];
  }
  const { sentAtMicros, stalls } = exchange.record.times;
  const claimedMs = finalProgress.durationMs - had.durationMs;
  const lastedMs = msBetween(sentAtMicros, finalProgress.atMicros);
  if (claimedMs < leastClaimMs || lastedMs * wirePart < claimedMs) {
    return [];
  }
  const toMicros = finalProgress.atMicros;
  const arrivedMs = msBetween(firstAtMicros, toMicros);
  const burstMs = claimedMs / burstPart;
  // Earlier bytes were read during this time, unless reading stalled.
  const readSinceMicros = (atMicros: number): number => atMicros - burstMs * 1000;
  const sinceMicros = Math.min(readSinceMicros(firstAtMicros), notYetAtMicros);
  const lateMs = stalledMsIn(stalls, sinceMicros, firstAtMicros);
  const endLateMs = stalledMsIn(stalls, readSinceMicros(toMicros), toMicros);
  const came = arrivedMs + lateMs <= burstMs ? "burst" : arrivedMs - endLateMs > burstMs ? "live" : "unclear";
  const isLive = msBetween(had.atMicros, toMicros) * wirePart >= claimedMs;
  return [
    {
      exchange,
      claimedMs,
      arrivedMs,
      came,
      heldBack: isLive ? heldBack : "stream",
      fromMicros: sentAtMicros,
      toMicros,
    },
  ];
}

/** How a slow stream arrived: the delayed part of it, else its arrival. */
function slowOne(exchange: JudgedExchange): readonly SlowStream[] {
  const { firstByteAtMicros, firstMatchAtMicros, beforeFirstMatchAtMicros, progressWithMatches, progressWithCount } =
    exchange.stream ?? {};
  const claims = [
    ...slowStream(exchange, { had: progressWithMatches, firstAtMicros: firstByteAtMicros, heldBack: "stream" }),
    ...slowStream(exchange, {
      had: progressWithCount,
      firstAtMicros: firstMatchAtMicros,
      notYetAtMicros: beforeFirstMatchAtMicros,
      heldBack: "matches",
    }),
  ];
  return [claims.find(isBurst) ?? claims.find(isUnclear) ?? claims[0]].flatMap((claim) => claim ?? []);
}

const isBurst = ({ came }: SlowStream): boolean => came === "burst";
const isUnclear = ({ came }: SlowStream): boolean => came === "unclear";

const wasHeldBack: Readonly<Record<SlowStream["heldBack"], string>> = {
  stream: "the stream began",
  matches: "although progress counted them, the first of them arrived",
};

function messageOf({ exchange, claimedMs, arrivedMs, heldBack }: SlowStream): string {
  const causes = likelyCauses(exchange.record.response?.headers ?? []);
  return [
    `by its own clock the target had matches ${Math.round(claimedMs)} ms before its search ended`,
    `${wasHeldBack[heldBack]} ${Math.round(arrivedMs)} ms before the final progress, and up to ${Math.round(claimedMs / burstPart)} ms is a burst`,
    causes.length === 0 ? "the response head names no cause" : `likely causes: ${causes.join(", ")}`,
  ].join("; ");
}

/**
 * Reports whether this cannot be a coincidence: one of the streams was over before another one was requested, or
 * several were delayed by a target that sent progress during that time.
 */
const areNoChance = (bursts: readonly SlowStream[]): boolean =>
  bursts.some(({ toMicros }) => bursts.some(({ fromMicros }) => fromMicros > toMicros)) ||
  bursts.filter(({ heldBack }) => heldBack === "matches").length > 1;

const tooFew =
  "matches of some searches came at their end, but all of these ran at one time, in which the target may have been too busy to write; run again, or choose a `--query` that takes longer than a second";

/**
 * Results arrive while the search runs. The target's own clock shows when they were found, so a search that finds
 * nothing until its end does not fail, nor does a quick one. A target without processor time cannot write its
 * results. So bursts only count if they are the majority of the slow streams of a kind, with or without chunk
 * matches, and were at different times, or if the target sent progress during that time. Source: search-stream,
 * section 1.
 */
export const resultsArriveIncrementally = defineExchangeRule({
  id: "stream/results-arrive-incrementally",
  check(exchanges, reportFor) {
    const timed = exchanges.filter((exchange) => ofThisRun(exchange));
    for (const { record } of timed.filter((exchange) => showsIt(exchange))) {
      reportFor(record.id).observation();
    }
    const all = timed.flatMap((exchange) => slowOne(exchange));
    const slow = all.filter((stream) => !isUnclear(stream));
    const reason = all.some(isUnclear) ? tooBusy : noneSlow;
    reportFor("").notTested(slow.some(isBurst) ? tooFew : reason);
    for (const isAsked of [true, false]) {
      const kind = slow.filter(({ exchange }) => (chunkMatchesAsked(exchange.record) === true) === isAsked);
      const bursts = kind.filter((stream) => isBurst(stream));
      const isMost = bursts.length * 2 > kind.length;
      if (!isMost || !areNoChance(bursts)) {
        continue;
      }
      for (const stream of bursts) {
        const report = reportFor(stream.exchange.record.id);
        report.observation();
        report.violation({ message: messageOf(stream) });
      }
    }
  },
});

const tooBusy =
  "searches took long enough to show when their matches arrived, but this machine was too busy to read them in time; run again when it is not";

const noneSlow =
  "no search took long enough to show when its matches arrived; choose a `--query` that takes longer than a second";
