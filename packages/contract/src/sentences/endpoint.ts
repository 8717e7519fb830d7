import type { SentenceRows } from "./sentence-row.ts";

/** Section 4: the request and its parameters. */
export const endpoint = {
  "search-stream#4.1-endpoint": "A search is a GET of `/.api/search/stream` below the base address.",
  "search-stream#4.2-accept-header": {
    text: "The request says in `Accept` that it wants `text/event-stream`.",
    notObservable: "it binds the caller; what a service does with another value is not said",
  },
  "search-stream#4.3-query-string": "Parameters stand in the query string.",
  "search-stream#4.4-q": {
    text: "`q`, a string in the query syntax of the service, has to be given.",
    partly: "that the results are those the query asks for",
  },
  "search-stream#4.5-v": {
    text: "`v`, a string, chooses a version of the query syntax; V3 without it.",
    partly: "that the version changes how a query is read",
  },
  "search-stream#4.6-t":
    "`t` chooses keyword, standard or regexp for queries that do not choose with `patternType:`; standard without it.",
  "search-stream#4.7-max-line-len":
    "`max-line-len`, an integer, cuts the lines of the `context` of a chunk match to that length; -1 or without it they stay whole.",
  "search-stream#4.8-cm": "`cm`, a boolean, turns chunk matches on; they are off without it.",
  "search-stream#4.9-display":
    "`display`, an integer, ends the delivery of matches after that many while the search and its statistics go on; -1 or without it there is no end.",
  "search-stream#4.10-cl":
    "`cl`, an integer, says how many lines around a match are given when chunk matches are on; one without it.",
  "search-stream#4.11-count-filter": {
    text: "`count:` with a number in the query ends the search itself, not only the delivery, once so many matches are found.",
    partly: "how many matches beyond that number are still found",
  },
  "search-stream#4.12-count-all": {
    text: "`count:all` in the query makes the search look for everything.",
    partly: "that nothing is left out which no other search finds either",
  },
  "search-stream#4.13-all-repositories": {
    text: "To search everything that is indexed, a query has `count:all` and no filter for repositories.",
    notObservable: "it advises the caller; what a target has indexed is not visible from outside",
  },
  "search-stream#4.14-response-format": "The response is a stream in the format of events.",
} as const satisfies SentenceRows;
