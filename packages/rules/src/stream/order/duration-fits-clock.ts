import { responseDateMicros } from "../../engine/response-date.ts";
import { formatValue } from "../../engine/format-value.ts";
import type { ProgressStamp } from "../../engine/stream-facts.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineExchangeRule } from "../../engine/rule.ts";
import type { JudgedExchange } from "../../engine/rule.ts";

/** So much of what passed by our own clock is left for clocks that run apart. */
const tolerance = { factor: 2, ms: 1000 } as const;

/**
 * A duration is none in milliseconds if it is this many times as long as the search took, and longer than any search whose answer a
 * cache may keep. Beyond a year it is none, whatever a clock shows: as a duration, a point in time lasts more than 50 years.
 */
const impossible = { factor: 1000, ms: 60 * 60 * 1000, alwaysMs: 365 * 24 * 60 * 60 * 1000 } as const;

/** Times in a recording are those of whoever made it. */
const ofThisRun = ({ record }: JudgedExchange): boolean => record.probe !== "import";

/** Time from the request to the arrival of a progress, by our own clock; `undefined` where it was not our clock that stamped it. */
function passedMs(exchange: JudgedExchange, { atMicros }: ProgressStamp): number | undefined {
  const passed = (atMicros - exchange.record.times.sentAtMicros) / 1000;
  // What came before it was asked for was stamped by another clock.
  return ofThisRun(exchange) && passed >= 0 ? passed : undefined;
}

/** Whether a progress tells a time that the search cannot have taken, in milliseconds, by orders of magnitude. */
function isImpossible(exchange: JudgedExchange, stamp: ProgressStamp): boolean {
  const passed = passedMs(exchange, stamp) ?? Infinity;
  const { durationMs } = stamp;
  return durationMs > impossible.alwaysMs || (durationMs > impossible.ms && durationMs > passed * impossible.factor);
}

const secondMicros = 1_000_000;
/** Clocks of one target may differ by this much. A wrong time zone is off by more. */
const skewMicros = 30 * 60 * secondMicros;

/** When the response ended by the `Date` of the target, in Unix microseconds. Not a number without it, and for the answer of a cache. */
function endedByTarget({ record }: JudgedExchange): number {
  const isCached = record.response?.headers.some(([name]) => name.toLowerCase() === "age") === true;
  const { sentAtMicros, endedAtMicros } = record.times;
  return isCached ? Number.NaN : responseDateMicros(record) + secondMicros + Math.max(0, endedAtMicros - sentAtMicros);
}

/** Reports a fetch that was not yet made when the response ended. Returns false if the response does not show it. */
function judgeFetch(exchange: JudgedExchange, report: Reporter): boolean {
  const { record, stream } = exchange;
  const { latestFetch } = stream ?? {};
  const aheadMicros = (latestFetch?.micros ?? Number.NaN) - endedByTarget(exchange);
  if (aheadMicros > skewMicros) {
    const minutes = Math.round(aheadMicros / 60 / secondMicros);
    const message = `a match of search ${record.id} has the \`repoLastFetched\` \`${formatValue(latestFetch?.text)}\`, ${minutes} minutes after the response ended by the clock of the target (\`Date\`)`;
    report.violation({ message, code: "fetched-later" });
  }
  return !Number.isNaN(aheadMicros);
}

/** Reports a final progress that is longer than the search. Returns false if nothing is known of its time. */
function judgeDuration(exchange: JudgedExchange, report: Reporter): boolean {
  const { record, stream } = exchange;
  const { finalProgress, longestProgress = finalProgress } = stream ?? {};
  const passed = finalProgress === undefined ? undefined : passedMs(exchange, finalProgress);
  // What is no time in milliseconds at all fails another rule.
  if (finalProgress === undefined || passed === undefined || isImpossible(exchange, longestProgress ?? finalProgress)) {
    return false;
  }
  if (finalProgress.durationMs > passed * tolerance.factor + tolerance.ms) {
    const message = `the final progress of search ${record.id} says that it took ${finalProgress.durationMs} ms, and it came ${Math.ceil(passed)} ms after the request was sent`;
    report.violation({ message });
  }
  return true;
}

/**
 * A search cannot have taken longer than passed from its request to the arrival of what tells so: whatever holds an answer back makes
 * that time longer, never shorter. A unit smaller than the millisecond shows like this, a larger one never does. The document does
 * not say from when on the duration counts, so it may be that of an answer kept from an earlier search: plausible, but not promised.
 * Nor was a repository last fetched after the response. Source: search-stream, sections 2.2 and 2.3.
 */
export const durationFitsClock = defineExchangeRule({
  id: "stream/duration-fits-clock",
  check(exchanges, reportFor) {
    for (const exchange of exchanges) {
      const report = reportFor(exchange.record.id);
      const judged = [judgeDuration(exchange, report), judgeFetch(exchange, report)];
      report.observation(Number(judged.includes(true)));
    }
  },
});

/** What such a number is instead, as far as it shows; one clause. Points in time of this century have 13 digits. */
const likelyMeaning = (durationMs: number): string =>
  durationMs >= 1e12 && durationMs < 1e13
    ? "it reads as a point in time in milliseconds"
    : "it reads as a time in a smaller unit, or as a point in time in seconds";

/**
 * A duration in milliseconds is off by no factor of a thousand. Of an answer from a cache it may be the time of the search that the cache
 * keeps, which is why a shorter duration only warns. Source: search-stream, section 2.2.
 */
export const durationIsInMilliseconds = defineExchangeRule({
  id: "stream/duration-is-in-milliseconds",
  check(exchanges, reportFor) {
    for (const exchange of exchanges) {
      const { record, stream } = exchange;
      const longest = stream?.longestProgress;
      if (longest === undefined) {
        continue;
      }
      const report = reportFor(record.id);
      report.observation();
      if (isImpossible(exchange, longest)) {
        const passed = passedMs(exchange, longest);
        const came = passed === undefined ? "" : `, and came ${Math.ceil(passed)} ms after the request was sent`;
        const message = `a progress of search ${record.id} has the \`durationMs\` ${longest.durationMs}${came}: ${likelyMeaning(longest.durationMs)}`;
        report.violation({ message });
      }
    }
  },
});
