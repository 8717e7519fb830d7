import type { SentenceRows } from "./sentence-row.ts";

const errors = {
  "search-stream#7.1-problems-are-alerts": "A problem with a search arrives as an `alert`.",
  "search-stream#7.2-alert-level":
    "An alert is an information, a warning or an error; where that is written is not given.",
  "search-stream#7.3-cut-results-are-skipped-entries": "Skipped entries of a progress tell that results were cut off.",
  "search-stream#7.4-http-status": "The status of an answer that is not a stream is not given.",
  "search-stream#7.5-error-body": "The body of an answer that is not a stream is not given.",
} as const satisfies SentenceRows;

const limits = {
  "search-stream#8.1-display": "`display` limits how many matches are delivered; without it there is no limit.",
  "search-stream#8.2-count": "`count:` in the query limits how many matches are searched for.",
  "search-stream#8.3-match-limits-exist": {
    text: "A line, a file and a repository can each give only so many matches.",
    notObservable: "no number is named that a target would have to keep to",
  },
  "search-stream#8.4-shard-match-limit": {
    text: "Where such a limit was reached, a skipped entry has the reason shard-match-limit.",
    partly: "that the reason is this one, for a limit that nobody can see from outside",
  },
  "search-stream#8.5-suggested-count": {
    text: "That entry suggests the query expression `count:1000`.",
    partly: "that the number is also this one where a search asks for as many, or for no number",
  },
  "search-stream#8.6-rate-limits": "How many requests are permitted is not given.",
} as const satisfies SentenceRows;

const versions = {
  "search-stream#9.1-v-selects-syntax": {
    text: "The version of the query syntax is chosen with `v`.",
    partly: "that other versions read a query in another way",
  },
  "search-stream#9.2-latest-is-default": "V3 is the newest version and the one taken without `v`.",
  "search-stream#9.3-set-it-explicitly": {
    text: "Callers do well to name the version.",
    notObservable: "it advises the caller",
  },
  "search-stream#9.4-no-format-guarantee": {
    text: "Events resemble server-sent events, without a promise to be compatible.",
    notObservable: "it withholds a promise; what the format demands is said in section 6",
  },
} as const satisfies SentenceRows;

/** Sections 7 to 9: errors, limits, versions. */
export const errorsLimitsVersions = {
  ...errors,
  ...limits,
  ...versions,
} as const satisfies SentenceRows;
