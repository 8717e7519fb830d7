import { defineExchangeRule } from "../../engine/rule.ts";
import type { JudgedExchange } from "../../engine/rule.ts";
import { likelyCauses } from "./likely-causes.ts";

/** A stream whose target had matches well before its search ended, by its own clock. */
interface SlowStream {
  readonly exchange: JudgedExchange;
  /** How long before the end of the search there were matches. */
  readonly claimedMs: number;
  /** How long before the final progress the first byte arrived: a large event takes its time, and is no burst. */
  readonly arrivedMs: number;
}

/** Shorter searches cannot be told from delays of the network and of our own reading. */
const leastClaimMs = 1000;

/** A stream is a burst when it arrives within this part of the time it claims. */
const burstPart = 10;

/** Times that are not those of the wire, as in a recording, are short beside the claim: less than this part of it. */
const wirePart = 2;

/** A stall of our own reading counts when it takes this part of the claim, or more. */
const stallPart = 4;

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

function slowStream(exchange: JudgedExchange): readonly SlowStream[] {
  const { firstByteAtMicros, progressWithMatches, finalProgress } = exchange.stream ?? {};
  if (firstByteAtMicros === undefined || progressWithMatches === undefined || finalProgress === undefined) {
    return [];
  }
  const claimedMs = finalProgress.durationMs - progressWithMatches.durationMs;
  const lastedMs = msBetween(exchange.record.times.sentAtMicros, finalProgress.atMicros);
  const stalledMs = (exchange.record.times.longestStallMicros ?? 0) / 1000;
  // Who was too busy to read for much of the time cannot tell when something came.
  if (claimedMs < leastClaimMs || lastedMs * wirePart < claimedMs || stalledMs * stallPart >= claimedMs) {
    return [];
  }
  return [{ exchange, claimedMs, arrivedMs: msBetween(firstByteAtMicros, finalProgress.atMicros) }];
}

const isBurst = ({ claimedMs, arrivedMs }: SlowStream): boolean => arrivedMs * burstPart <= claimedMs;

function messageOf({ exchange, claimedMs, arrivedMs }: SlowStream): string {
  const causes = likelyCauses(exchange.record.response?.headers ?? []);
  return [
    `by its own clock the target had matches ${Math.round(claimedMs)} ms before its search ended`,
    `the stream began ${Math.round(arrivedMs)} ms before the final progress, and up to ${Math.round(claimedMs / burstPart)} ms is a burst`,
    causes.length === 0 ? "the response head names no cause" : `likely causes: ${causes.join(", ")}`,
  ].join("; ");
}

/**
 * Results come while the search runs. What was found when is known from the target's own clock, so a search that finds
 * nothing until its end breaks nothing, and neither does a quick one. One stream that came slowly clears the run: our own
 * reading may have stalled for the others. Source: search-stream, section 1.
 */
export const resultsArriveIncrementally = defineExchangeRule({
  id: "stream/results-arrive-incrementally",
  check(exchanges, reportFor) {
    const timed = exchanges.filter((exchange) => ofThisRun(exchange));
    for (const { record } of timed.filter((exchange) => showsIt(exchange))) {
      reportFor(record.id).observe();
    }
    const slow = timed.flatMap((exchange) => slowStream(exchange));
    if (!slow.every((stream) => isBurst(stream))) {
      return;
    }
    for (const stream of slow) {
      const report = reportFor(stream.exchange.record.id);
      report.observe();
      report.violation({ message: messageOf(stream) });
    }
  },
});
