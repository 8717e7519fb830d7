import type { RuleRow } from "../../rule-record.ts";
import { findMore, noDone, noWholeStream } from "../not-tested-reasons.ts";

/** The order of events in a stream. */
export const orderRules = {
  "stream/final-progress-before-done": {
    basis: "derived",
    title: "A `progress` with `done: true` precedes `done`, unless the stream has only alerts or errors",
    why: "Clients take the totals from the final progress. Without it they show no count, or the count of a search that still ran.",
    requirements: ["search-stream#2.2.1-done", "search-stream#3.4-final-progress"],
    demandedBy: "smoke",
    notTested: noDone,
  },
  "stream/progress-stays-final": {
    basis: "stated",
    title: "No `progress` with `done: false` follows one with `done: true`",
    why: "Clients stop waiting at the final progress. Whatever is counted after it is never shown.",
    requirements: ["search-stream#2.2.1-done", "search-stream#3.2-searching", "search-stream#3.4-final-progress"],
    demandedBy: "gate",
  },
  "stream/one-final-progress": {
    basis: "derived",
    title: "At most one `progress` has `done: true`",
    requirements: ["search-stream#2.2.1-done", "search-stream#3.4-final-progress"],
    demandedBy: "gate",
  },
  "stream/final-progress-counts-repositories": {
    basis: "stated",
    title: "The final progress has `repositoriesCount`, even if nothing matched",
    requirements: ["search-stream#2.2.2-repositories-count"],
    demandedBy: "gate",
    codes: ["left-out", "left-out-at-zero"],
  },
  "stream/repositories-count-covers-matches": {
    basis: "derived",
    title: "The final `repositoriesCount` is at least the number of repositories with matches",
    requirements: ["search-stream#2.2.2-repositories-count", "search-stream#6.7-progress"],
    demandedBy: "release",
    notTested: noWholeStream,
  },
  "stream/repositories-count-fits-matches": {
    basis: "inferred",
    title:
      "If no results were left out, the final `repositoriesCount` is at most the number of repositories with matches",
    requirements: ["search-stream#2.2.2-repositories-count", "search-stream#6.7-progress"],
    notTested: noWholeStream,
  },
  "stream/match-count-fits-matches": {
    basis: "derived",
    title:
      "The final `matchCount` is at least the number of files with matches, and if it is above 0, matches were sent",
    why: "Clients show `matchCount` as the number of results. If it is too low, users see more results than the total says.",
    requirements: [
      "search-stream#1.1-incremental-results",
      "search-stream#2.2.3-match-count",
      "search-stream#6.6-matches",
      "search-stream#6.7-progress",
    ],
    codes: ["counts-none", "counts-fewer", "none-came"],
    notTested: noWholeStream,
  },
  "stream/counted-matches-came": {
    basis: "inferred",
    title: "If no results were left out, the final `matchCount` is at most the number of matches sent, in any unit",
    why: "Clients show `matchCount` as the number of results. If it is too high, users look for results that were never sent.",
    requirements: [
      "search-stream#2.2.3-match-count",
      "search-stream#6.7-progress",
      "search-stream#7.3-cut-results-are-skipped-entries",
    ],
  },
  "stream/results-precede-final-progress": {
    basis: "inferred",
    title: "No `matches` or `filters` event follows the final progress",
    why: "Clients close the list of results at the final progress. Results after it are lost.",
    requirements: ["search-stream#3.3-any-interleaving", "search-stream#3.4-final-progress"],
    codes: ["late"],
  },
  "stream/match-count-never-falls": {
    basis: "inferred",
    title: "`matchCount` never decreases from one progress to the next",
    why: "Clients show `matchCount` while the search runs. If it falls, users see the total jump back.",
    requirements: ["search-stream#2.2.3-match-count"],
  },
  "stream/duration-never-falls": {
    basis: "inferred",
    title: "`durationMs` never decreases from one progress to the next",
    requirements: ["search-stream#2.2.4-duration-ms"],
  },
  "stream/duration-fits-clock": {
    basis: "inferred",
    title:
      "The final `durationMs` is not longer than the search took, and no repository was last fetched after the response",
    requirements: ["search-stream#2.2.4-duration-ms", "search-stream#2.3.7-repo-last-fetched"],
  },
  "stream/duration-is-in-milliseconds": {
    basis: "derived",
    title:
      "`durationMs` is a duration in milliseconds: not a thousand times what the search took, and not a point in time",
    requirements: ["search-stream#2.2.4-duration-ms"],
    demandedBy: "gate",
  },
  "stream/filter-count-fits-matches": {
    basis: "inferred",
    title:
      "A suggested language or repository counts at least its files that were sent and, if no results were left out, at most the matches found",
    requirements: ["search-stream#2.1.3-count", "search-stream#6.8-filters"],
    notTested: noWholeStream,
    mayBeUntested: true,
  },
  "stream/filters-only-grow": {
    basis: "inferred",
    title: "A filter that was suggested once is in every later `filters` event",
    requirements: ["search-stream#6.11-filters-repeat"],
    notTested: `no search sent \`filters\` twice; ${findMore}`,
    mayBeUntested: true,
  },
  "stream/problem-has-alert": {
    basis: "stated",
    title: "If a search could not run, an `alert` says why",
    why: "A search that failed without an alert looks like one that found nothing.",
    requirements: ["search-stream#7.1-problems-are-alerts"],
    notTested: "no problem ended a search; the target may accept the query that was meant to be invalid",
    mayBeUntested: true,
  },
  "stream/answer-is-a-stream": {
    basis: "derived",
    title: "A search is answered with a stream, even if it finds nothing or its query is invalid",
    why: "Clients open an event stream for every search. A page or JSON in its place ends in a parse error or in a search that never finishes.",
    requirements: ["search-stream#4.14-response-format", "search-stream#7.1-problems-are-alerts"],
    likelyCause: "A login page or an error page of a gateway in place of the API.",
  },
  "stream/broken-query-has-alert": {
    basis: "inferred",
    title: "A search for an invalid regular expression finds its literal text or has an `alert` that says why",
    requirements: ["search-stream#7.1-problems-are-alerts"],
  },
  "stream/response-ends-after-done": {
    basis: "inferred",
    title: "After `done` the server ends the HTTP response before it closes the connection",
    why: "Clients and proxies that wait for the end of the response keep the connection open. They run into a timeout, or out of connections.",
    requirements: ["search-stream#3.5-closed-by-done", "search-stream#6.10-done"],
    codes: ["closed-early", "left-open"],
    notTested: noDone,
    likelyCause: "A proxy that keeps the connection open.",
  },
  "stream/results-arrive-incrementally": {
    basis: "stated",
    title: "Results arrive while the search runs, not in one burst at its end",
    why: "The stream exists so that users see the first results at once. In one burst they wait for the whole search.",
    requirements: ["search-stream#1.1-incremental-results"],
    notTested: `no search took at least a second and found something; ${findMore}, in more than one repository`,
    mayBeUntested: true,
    likelyCause: "A proxy or gateway that buffers the response or cuts it off.",
  },
} as const satisfies Readonly<Record<string, RuleRow>>;
