import { judgedBy, leftOpen, notObservable, partlyJudgedBy, sentence } from "./sentence.ts";
import type { Sentence } from "./sentence.ts";

const errors: readonly Sentence[] = [
  sentence(
    "search-stream#7.1-problems-are-alerts",
    "A problem with a search arrives as an `alert`.",
    judgedBy("stream/problem-has-alert", "stream/alert-is-an-object"),
  ),
  sentence(
    "search-stream#7.2-alert-level",
    "An alert is an information, a warning or an error; where that is written is not given.",
    leftOpen("stream/alert-level"),
  ),
  sentence(
    "search-stream#7.3-cut-results-are-skipped-entries",
    "Skipped entries of a progress tell that results were cut off.",
    judgedBy("stream/cut-results-are-named", "stream/skipped-fits-schema"),
  ),
  sentence(
    "search-stream#7.4-http-status",
    "The status of an answer that is not a stream is not given.",
    leftOpen("stream/non-stream-status"),
  ),
  sentence(
    "search-stream#7.5-error-body",
    "The body of an answer that is not a stream is not given.",
    leftOpen("stream/non-stream-error-body"),
  ),
];

const limits: readonly Sentence[] = [
  sentence(
    "search-stream#8.1-display",
    "`display` limits how many matches are delivered; without it there is no limit.",
    judgedBy("stream/display-bounds-matches", "stream/no-display-no-limit"),
  ),
  sentence(
    "search-stream#8.2-count",
    "`count:` in the query limits how many matches are searched for.",
    judgedBy("stream/count-stops-search", "stream/documented-parameters-are-accepted"),
  ),
  sentence(
    "search-stream#8.3-match-limits-exist",
    "A line, a file and a repository can each give only so many matches.",
    notObservable("no number is named that a target would have to keep to"),
  ),
  sentence(
    "search-stream#8.4-shard-match-limit",
    "Where such a limit was reached, a skipped entry has the reason shard-match-limit.",
    partlyJudgedBy(
      "that the reason is this one, for a limit that nobody can see from outside",
      "stream/cut-results-are-named",
      "stream/skipped-reason-is-known",
    ),
  ),
  sentence(
    "search-stream#8.5-suggested-count",
    "That entry suggests the query expression `count:1000`.",
    partlyJudgedBy(
      "that the number is always this one",
      "stream/limit-suggestion-raises-count",
      "stream/skipped-fits-schema",
    ),
  ),
  sentence(
    "search-stream#8.6-rate-limits",
    "How many requests are permitted is not given.",
    leftOpen("stream/rate-limits"),
  ),
];

const versions: readonly Sentence[] = [
  sentence(
    "search-stream#9.1-v-selects-syntax",
    "The version of the query syntax is chosen with `v`.",
    partlyJudgedBy(
      "that other versions read a query in another way",
      "stream/omitted-v-is-v3",
      "stream/documented-parameters-are-accepted",
    ),
  ),
  sentence(
    "search-stream#9.2-latest-is-default",
    "V3 is the newest version and the one taken without `v`.",
    judgedBy("stream/omitted-v-is-v3", "stream/documented-parameters-are-accepted"),
  ),
  sentence(
    "search-stream#9.3-set-it-explicitly",
    "Callers do well to name the version.",
    notObservable("it advises the caller"),
  ),
  sentence(
    "search-stream#9.4-no-format-guarantee",
    "Events resemble server-sent events, without a promise to be compatible.",
    notObservable("it withholds a promise; what the format demands is said in section 6"),
  ),
];

/** Sections 7 to 9: errors, limits, versions. */
export const errorsLimitsVersions: readonly Sentence[] = [...errors, ...limits, ...versions];
