import { responseDateMicros } from "../../engine/response-date.ts";
import { formatValue } from "../../engine/format-value.ts";
import type { ProgressStamp } from "../../engine/stream-facts.ts";
import type { Reporter } from "../../engine/reporter.ts";
import { defineExchangeRule } from "../../engine/rule.ts";
import type { JudgedExchange } from "../../engine/rule.ts";

/** Tolerance for clocks that differ, as a share of the elapsed time. */
const tolerance = { factor: 2, ms: 1000 } as const;

/**
 * A duration is not in milliseconds if it exceeds the elapsed time by this factor, and any search that a cache may
 * keep. Above a year it never is: a point in time as a duration lasts more than 50 years.
 */
const impossible = { factor: 1000, ms: 60 * 60 * 1000, alwaysMs: 365 * 24 * 60 * 60 * 1000 } as const;

/** Times in a recording come from another clock. */
const ofThisRun = ({ record }: JudgedExchange): boolean => record.probe !== "import";

/** Time from the request to the arrival of a progress, by our own clock; undefined if another clock set it. */
function passedMs(exchange: JudgedExchange, { atMicros }: ProgressStamp): number | undefined {
  const passed = (atMicros - exchange.record.times.sentAtMicros) / 1000;
  // An arrival before the request has another clock.
  return ofThisRun(exchange) && passed >= 0 ? passed : undefined;
}

/** Reports whether the duration of a progress is impossible in milliseconds, by orders of magnitude. */
function isImpossible(exchange: JudgedExchange, stamp: ProgressStamp): boolean {
  const passed = passedMs(exchange, stamp) ?? Infinity;
  const { durationMs } = stamp;
  return durationMs > impossible.alwaysMs || (durationMs > impossible.ms && durationMs > passed * impossible.factor);
}

const secondMicros = 1_000_000;
/** Maximum difference between clocks of one target. A wrong time zone differs by more. */
const skewMicros = 30 * 60 * secondMicros;

/**
 * End of the response by the `Date` of the target, in Unix microseconds. NaN without it, and for the response of a
 * cache.
 */
function endedByTarget({ record }: JudgedExchange): number {
  const isCached = record.response?.headers.some(([name]) => name.toLowerCase() === "age") === true;
  const { sentAtMicros, endedAtMicros } = record.times;
  return isCached ? Number.NaN : responseDateMicros(record) + secondMicros + Math.max(0, endedAtMicros - sentAtMicros);
}

/** Reports a fetch after the end of the response. Returns false if the response does not show it. */
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

/** Reports a final progress with a longer duration than the search. Returns false if its time is unknown. */
function judgeDuration(exchange: JudgedExchange, report: Reporter): boolean {
  const { record, stream } = exchange;
  const { finalProgress, longestProgress = finalProgress } = stream ?? {};
  const passed = finalProgress === undefined ? undefined : passedMs(exchange, finalProgress);
  // A duration that is not in milliseconds fails another rule.
  if (finalProgress === undefined || passed === undefined || isImpossible(exchange, longestProgress ?? finalProgress)) {
    return false;
  }
  if (finalProgress.durationMs > passed * tolerance.factor + tolerance.ms) {
    const message = `the final progress of search ${record.id} has the duration ${finalProgress.durationMs} ms, but arrived ${Math.ceil(passed)} ms after the request was sent`;
    report.violation({ message });
  }
  return true;
}

/**
 * A search cannot have taken longer than the time from its request to the arrival of its duration: delays of the
 * response only increase that time. A smaller unit than the millisecond shows in this way, a larger one does not. The
 * specification does not say when the duration starts, so it may be that of a cached response: plausible, but not
 * promised. A repository was not last fetched after the response. Source: search-stream, sections 2.2 and 2.3.
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

/** Likely meaning of such a number; one clause. Points in time of this century have 13 digits. */
const likelyMeaning = (durationMs: number): string =>
  durationMs >= 1e12 && durationMs < 1e13
    ? "it reads as a point in time in milliseconds"
    : "it reads as a time in a smaller unit, or as a point in time in seconds";

/**
 * A duration in milliseconds is not off by a factor of a thousand. A cached response may have the time of the earlier
 * search, so a shorter duration only warns. Source: search-stream, section 2.2.
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
