import { stalledMsIn } from "@assay/evidence";
import { defineExchangeRule } from "../../engine/rule.ts";
import type { JudgedExchange } from "../../engine/rule.ts";
import { chunkMatchesAsked } from "../../engine/search-query.ts";
import type { ProgressStamp } from "../../engine/stream-facts.ts";
import { likelyCauses } from "./likely-causes.ts";

/** A stream whose target had matches well before its search ended, by its own clock. */
interface SlowStream {
  readonly exchange: JudgedExchange;
  /** How long before the end of the search there were matches. */
  readonly claimedMs: number;
  /** How long before the final progress they arrived, or the first byte: a large event takes its time, and is no burst. */
  readonly arrivedMs: number;
  /** How it came; `unclear` where that depends on what our own reading missed. */
  readonly came: "live" | "burst" | "unclear";
  /** Whether it was the stream that was held back, or its matches alone while progress came as it was made. */
  readonly heldBack: "stream" | "matches";
  readonly fromMicros: number;
  readonly toMicros: number;
}

/** Shorter searches cannot be told from delays of the network and of our own reading. */
const leastClaimMs = 1000;

/** A stream is a burst when it arrives within this part of the time it claims. */
const burstPart = 10;

/** Times that are not those of the wire, as in a recording, are short beside the claim: less than this part of it. */
const wirePart = 2;

const ofThisRun = ({ record }: JudgedExchange): boolean => record.probe !== "import";

const msBetween = (fromMicros: number, toMicros: number): number => (toMicros - fromMicros) / 1000;

/**
 * Whether the first matches arrived while, by the target's clock, the search still ran. That clock begins after our request
 * went out, so the search cannot have ended before the time it claims had passed since then; and as the final progress was
 * written after that time, it cannot have arrived before it either, unless the clock is wrong.
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
  /** When, by the target's clock, there were matches. */
  readonly had: ProgressStamp | undefined;
  /** When the first of what is looked at arrived. */
  readonly firstAtMicros: number | undefined;
  /** When something came before it, if anything did. */
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
  // Something that was here before was read in this time, unless a stall took it away.
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

/** The stream as it was, if it took its time: what of it was held back, else how it came. */
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
  matches: "although progress told of them, the first of them arrived",
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
 * Whether it cannot be chance: one of the streams was over before another one was asked for, or several were held back by a
 * target that wrote progress meanwhile.
 */
const areNoChance = (bursts: readonly SlowStream[]): boolean =>
  bursts.some(({ toMicros }) => bursts.some(({ fromMicros }) => fromMicros > toMicros)) ||
  bursts.filter(({ heldBack }) => heldBack === "matches").length > 1;

const tooFew =
  "matches of some searches came at their end, but all of these ran at one time, in which the target may have been too busy to write; run again, or choose a `--query` that takes longer than a second";

/**
 * Results come while the search runs. What was found when is known from the target's own clock, so a search that finds
 * nothing until its end breaks nothing, and neither does a quick one. A target that gets no processor for a while cannot write
 * what it has: so bursts count when they are the most of the slow streams of a kind, with chunk matches or without, and came at
 * different times, or while it did write progress. Source: search-stream, section 1.
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
    const whyNone = all.some(isUnclear) ? tooBusy : noneSlow;
    reportFor("").notTested(slow.some(isBurst) ? tooFew : whyNone);
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
  "searches took long enough to tell when their matches arrived, but this machine was too busy to read them in time; run again when it is not";

const noneSlow =
  "no search took long enough to tell when its matches arrived; choose a `--query` that takes longer than a second";
