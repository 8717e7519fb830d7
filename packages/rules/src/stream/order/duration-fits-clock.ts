import { isOfThisRun } from "../../engine/answer.ts";
import { responseDateMicros } from "../../engine/response-date.ts";
import { formatValue } from "../../engine/format-value.ts";
import type { ProgressStamp } from "../../engine/stream-facts.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineExchangeRule } from "../../engine/rule.ts";
import type { JudgedExchange } from "../../engine/rule.ts";

/** Tolerance for clocks that differ, as a factor of the elapsed time plus a constant. */
const tolerance = { factor: 2, ms: 1000 } as const;

/**
 * A duration is not in milliseconds if it exceeds the elapsed time by `factor` and is longer than `ms`: a cache may
 * return the duration of an earlier search, but no search takes an hour. A duration longer than `alwaysMs` is never in
 * milliseconds. A timestamp read as a duration is longer than 50 years.
 */
const impossibleDuration = { factor: 1000, ms: 60 * 60 * 1000, alwaysMs: 365 * 24 * 60 * 60 * 1000 } as const;

/**
 * Measures the time from the request to the arrival of a `progress` event, by the clock of this machine. It returns
 * undefined if a different clock set it.
 */
function measureElapsedMs(exchange: JudgedExchange, { atMicros }: ProgressStamp): number | undefined {
  const elapsedMs = (atMicros - exchange.record.times.sentAtMicros) / 1000;
  // An arrival before the request was measured by a different clock.
  return isOfThisRun(exchange) && elapsedMs >= 0 ? elapsedMs : undefined;
}

/** Reports whether the duration of a `progress` event is impossible in milliseconds, by orders of magnitude. */
function isImpossible(exchange: JudgedExchange, stamp: ProgressStamp): boolean {
  const elapsedMs = measureElapsedMs(exchange, stamp) ?? Infinity;
  const { durationMs } = stamp;
  return (
    durationMs > impossibleDuration.alwaysMs ||
    (durationMs > impossibleDuration.ms && durationMs > elapsedMs * impossibleDuration.factor)
  );
}

const secondMicros = 1_000_000;
/** Maximum difference between the clocks of one target. A wrong time zone differs by more. */
const skewMicros = 30 * 60 * secondMicros;

/**
 * Returns the latest end of the response according to the target's `Date`, in Unix microseconds. `Date` has whole
 * seconds, so one second is added. It returns NaN without `Date`, and for the response of a cache.
 */
function targetEndMicros({ record }: JudgedExchange): number {
  const isCached = record.response?.headers.some(([name]) => name.toLowerCase() === "age") === true;
  const { sentAtMicros, endedAtMicros } = record.times;
  return isCached ? Number.NaN : responseDateMicros(record) + secondMicros + Math.max(0, endedAtMicros - sentAtMicros);
}

/** Reports a fetch after the end of the response. It returns false if the response does not show it. */
function judgeFetch(exchange: JudgedExchange, report: Reporter): boolean {
  const { record, stream } = exchange;
  const { latestFetch } = stream ?? {};
  const aheadMicros = (latestFetch?.micros ?? Number.NaN) - targetEndMicros(exchange);
  if (aheadMicros > skewMicros) {
    const minutes = Math.round(aheadMicros / 60 / secondMicros);
    const message = `a match of search ${record.id} has \`repoLastFetched\` \`${formatValue(latestFetch?.text)}\`, ${minutes} minutes after the response ended by the clock of the target (\`Date\`)`;
    report.violation({ message, code: "fetched-later" });
  }
  return !Number.isNaN(aheadMicros);
}

/**
 * Reports a final `progress` event whose duration is longer than the search. It returns false if the time is unknown.
 */
function judgeDuration(exchange: JudgedExchange, report: Reporter): boolean {
  const { record, stream } = exchange;
  const { finalProgress, longestProgress = finalProgress } = stream ?? {};
  const elapsedMs = finalProgress === undefined ? undefined : measureElapsedMs(exchange, finalProgress);
  // `stream/duration-is-in-milliseconds` reports durations in other units.
  if (
    finalProgress === undefined ||
    elapsedMs === undefined ||
    isImpossible(exchange, longestProgress ?? finalProgress)
  ) {
    return false;
  }
  if (finalProgress.durationMs > elapsedMs * tolerance.factor + tolerance.ms) {
    const message = `the final progress of search ${record.id} has a duration of ${finalProgress.durationMs} ms, but arrived ${Math.ceil(elapsedMs)} ms after the request was sent`;
    report.violation({ message });
  }
  return true;
}

/**
 * A search cannot have taken longer than the time from its request to the arrival of its duration, because delays of
 * the response only increase that time. This detects a unit smaller than the millisecond, but not a larger one. The
 * specification does not say when the duration starts, so it may be that of a cached response. The limit is plausible,
 * but not required. `repoLastFetched` is never later than the end of the response. Source: search-stream, sections 2.2
 * and 2.3.
 */
export const durationFitsClock = defineExchangeRule({
  id: "stream/duration-fits-clock",
  check(exchanges, reportFor) {
    for (const exchange of exchanges) {
      const report = reportFor(exchange.record.id);
      const wereJudged = [judgeDuration(exchange, report), judgeFetch(exchange, report)];
      report.observation(Number(wereJudged.includes(true)));
    }
  },
});

/** Returns a clause with the likely meaning of a number this large. Timestamps of this century have 13 digits. */
const describeLikelyMeaning = (durationMs: number): string =>
  durationMs >= 1e12 && durationMs < 1e13
    ? "it looks like a timestamp in milliseconds"
    : "it looks like a time in a smaller unit, or a timestamp in seconds";

/**
 * A duration is in milliseconds and not off by a factor of a thousand. A cached response may contain the duration of
 * the earlier search, so a shorter duration is only a warning. Source: search-stream, section 2.2.
 */
export const durationIsInMilliseconds = defineExchangeRule({
  id: "stream/duration-is-in-milliseconds",
  check(exchanges, reportFor) {
    for (const exchange of exchanges) {
      const { record, stream } = exchange;
      const longestProgress = stream?.longestProgress;
      if (longestProgress === undefined) {
        continue;
      }
      const report = reportFor(record.id);
      report.observation();
      if (isImpossible(exchange, longestProgress)) {
        const elapsedMs = measureElapsedMs(exchange, longestProgress);
        const arrival =
          elapsedMs === undefined ? "" : `, but arrived ${Math.ceil(elapsedMs)} ms after the request was sent`;
        const message = `a \`progress\` event of search ${record.id} has \`durationMs\` ${longestProgress.durationMs}${arrival}: ${describeLikelyMeaning(longestProgress.durationMs)}`;
        report.violation({ message });
      }
    }
  },
});
