import { judgedBy, notObservable, partlyJudgedBy, sentence } from "./sentence.ts";
import type { Coverage, Sentence } from "./sentence.ts";

const accepted = (missing: string): Coverage => partlyJudgedBy(missing, "stream/documented-parameters-are-accepted");

/** Section 4: the request and its parameters. */
export const endpoint: readonly Sentence[] = [
  sentence(
    "search-stream#4.1-endpoint",
    "A search is a GET of `/.api/search/stream` below the base address.",
    judgedBy("stream/documented-parameters-are-accepted"),
  ),
  sentence(
    "search-stream#4.2-accept-header",
    "The request says in `Accept` that it wants `text/event-stream`.",
    notObservable("it binds the caller; what a service does with another value is not said"),
  ),
  sentence(
    "search-stream#4.3-query-string",
    "Parameters stand in the query string.",
    judgedBy("stream/documented-parameters-are-accepted"),
  ),
  sentence(
    "search-stream#4.4-q",
    "`q`, a string in the query syntax of the service, has to be given.",
    accepted("that the results are those the query asks for"),
  ),
  sentence(
    "search-stream#4.5-v",
    "`v`, a string, chooses a version of the query syntax; V3 without it.",
    partlyJudgedBy(
      "that the version changes how a query is read",
      "stream/omitted-v-is-v3",
      "stream/documented-parameters-are-accepted",
    ),
  ),
  sentence(
    "search-stream#4.6-t",
    "`t` chooses keyword, standard or regexp for queries that do not choose with `patternType:`; standard without it.",
    judgedBy(
      "stream/omitted-t-is-standard",
      "stream/pattern-type-filter-wins",
      "stream/documented-parameters-are-accepted",
    ),
  ),
  sentence(
    "search-stream#4.7-max-line-len",
    "`max-line-len`, an integer, cuts the lines of the `context` of a chunk match to that length; -1 or without it they stay whole.",
    judgedBy(
      "stream/chunk-lines-are-whole",
      "stream/max-line-len-cuts-lines",
      "stream/documented-parameters-are-accepted",
    ),
  ),
  sentence(
    "search-stream#4.8-cm",
    "`cm`, a boolean, turns chunk matches on; they are off without it.",
    judgedBy(
      "stream/cm-enables-chunk-matches",
      "stream/chunk-matches-need-cm",
      "stream/documented-parameters-are-accepted",
    ),
  ),
  sentence(
    "search-stream#4.9-display",
    "`display`, an integer, ends the delivery of matches after that many while the search and its statistics go on; -1 or without it there is no end.",
    judgedBy(
      "stream/display-bounds-matches",
      "stream/display-keeps-counting",
      "stream/no-display-no-limit",
      "stream/documented-parameters-are-accepted",
    ),
  ),
  sentence(
    "search-stream#4.10-cl",
    "`cl`, an integer, says how many lines around a match are given when chunk matches are on; one without it.",
    judgedBy("stream/cl-gives-context-lines", "stream/cl-needs-cm", "stream/documented-parameters-are-accepted"),
  ),
  sentence(
    "search-stream#4.11-count-filter",
    "`count:` with a number in the query ends the search itself, not only the delivery, once so many matches are found.",
    partlyJudgedBy(
      "how many matches beyond that number are still found",
      "stream/count-stops-search",
      "stream/documented-parameters-are-accepted",
    ),
  ),
  sentence(
    "search-stream#4.12-count-all",
    "`count:all` in the query makes the search look for everything.",
    partlyJudgedBy(
      "that nothing is left out which no other search finds either",
      "stream/count-all-finds-everything",
      "stream/documented-parameters-are-accepted",
    ),
  ),
  sentence(
    "search-stream#4.13-all-repositories",
    "To search everything that is indexed, a query has `count:all` and no filter for repositories.",
    notObservable("it advises the caller; what a target has indexed is not visible from outside"),
  ),
  sentence(
    "search-stream#4.14-response-format",
    "The response is a stream in the format of events.",
    judgedBy(
      "stream/two-fields",
      "stream/lines-end-with-lf",
      "stream/one-blank-line-between-events",
      "stream/last-event-is-complete",
      "stream/no-byte-order-mark",
      "stream/text-is-utf-8",
      "stream/done-is-last",
    ),
  ),
];
