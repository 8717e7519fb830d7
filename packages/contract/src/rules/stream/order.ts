import type { RuleRow } from "../../rule-record.ts";

/** What follows what in a stream. */
export const orderRules = {
  "stream/final-progress-before-done": {
    basis: "derived",
    title: "A progress with `done` true comes before `done`, unless the stream holds only alerts or errors",
    sentences: ["search-stream#2.2.1-done", "search-stream#3.4-final-progress"],
    demandedBy: "smoke",
  },
  "stream/progress-stays-final": {
    basis: "stated",
    title: "After a progress with `done` true there is none with `done` false",
    sentences: ["search-stream#2.2.1-done", "search-stream#3.2-searching", "search-stream#3.4-final-progress"],
    demandedBy: "gate",
  },
  "stream/one-final-progress": {
    basis: "derived",
    title: "Only one progress has `done` true",
    sentences: ["search-stream#2.2.1-done", "search-stream#3.4-final-progress"],
    demandedBy: "gate",
  },
  "stream/final-progress-counts-repositories": {
    basis: "stated",
    title: "The final progress has `repositoriesCount`, also when nothing matched",
    sentences: ["search-stream#2.2.2-repositories-count"],
    demandedBy: "gate",
  },
  "stream/repositories-count-covers-matches": {
    basis: "derived",
    title: "The final progress counts no fewer repositories than the matches are of",
    sentences: ["search-stream#2.2.2-repositories-count", "search-stream#6.7-progress"],
    demandedBy: "release",
  },
  "stream/repositories-count-fits-matches": {
    basis: "inferred",
    title: "Where nothing is missing, the final progress counts no more repositories than the matches are of",
    sentences: ["search-stream#2.2.2-repositories-count", "search-stream#6.7-progress"],
  },
  "stream/match-count-fits-matches": {
    basis: "derived",
    title:
      "The final progress counts no fewer matches than files they came of, and where it counts some they came in `matches`",
    sentences: [
      "search-stream#1.1-incremental-results",
      "search-stream#2.2.3-match-count",
      "search-stream#6.6-matches",
      "search-stream#6.7-progress",
    ],
  },
  "stream/counted-matches-came": {
    basis: "inferred",
    title: "Where nothing is missing, the final progress counts no more matches than came, in whatever unit",
    sentences: [
      "search-stream#2.2.3-match-count",
      "search-stream#6.7-progress",
      "search-stream#7.3-cut-results-are-skipped-entries",
    ],
  },
  "stream/results-precede-final-progress": {
    basis: "inferred",
    title: "No `matches` and no `filters` come after the final progress",
    sentences: ["search-stream#3.3-any-interleaving", "search-stream#3.4-final-progress"],
  },
  "stream/match-count-never-falls": {
    basis: "inferred",
    title: "`matchCount` never falls from one progress to the next",
    sentences: ["search-stream#2.2.3-match-count"],
  },
  "stream/duration-never-falls": {
    basis: "inferred",
    title: "`durationMs` never falls from one progress to the next",
    sentences: ["search-stream#2.2.4-duration-ms"],
  },
  "stream/duration-fits-clock": {
    basis: "inferred",
    title:
      "The final progress tells no longer time than passed since the search was sent, and no repository was last fetched after the response",
    sentences: ["search-stream#2.2.4-duration-ms", "search-stream#2.3.7-repo-last-fetched"],
  },
  "stream/duration-is-in-milliseconds": {
    basis: "derived",
    title: "`durationMs` is a time in milliseconds: not a thousand times what the search took, and no point in time",
    sentences: ["search-stream#2.2.4-duration-ms"],
    demandedBy: "gate",
  },
  "stream/filter-count-fits-matches": {
    basis: "inferred",
    title:
      "A suggested language or repository counts no fewer matches than files of it came, and no more than a search found of which nothing is missing",
    sentences: ["search-stream#2.1.3-count", "search-stream#6.8-filters"],
  },
  "stream/filters-only-grow": {
    basis: "inferred",
    title: "A filter that was suggested once is among the suggestions of every later `filters`",
    sentences: ["search-stream#6.11-filters-repeat"],
  },
  "stream/problem-has-alert": {
    basis: "stated",
    title: "A stream that ends without having searched says in an `alert` why",
    sentences: ["search-stream#7.1-problems-are-alerts"],
  },
  "stream/answer-is-a-stream": {
    basis: "derived",
    title: "A search is answered with a stream, also where it finds nothing or cannot be understood",
    sentences: ["search-stream#4.14-response-format", "search-stream#7.1-problems-are-alerts"],
  },
  "stream/broken-query-has-alert": {
    basis: "inferred",
    title: "A search for a broken regular expression that does not find its text says in an `alert` why",
    sentences: ["search-stream#7.1-problems-are-alerts"],
  },
  "stream/response-ends-after-done": {
    basis: "inferred",
    title: "After `done` the server ends the HTTP response, and only then closes the connection",
    sentences: ["search-stream#3.5-closed-by-done", "search-stream#6.10-done"],
  },
  "stream/results-arrive-incrementally": {
    basis: "stated",
    title: "Results arrive while the search still runs, not in one burst at its end",
    sentences: ["search-stream#1.1-incremental-results"],
  },
} as const satisfies Readonly<Record<string, RuleRow>>;
