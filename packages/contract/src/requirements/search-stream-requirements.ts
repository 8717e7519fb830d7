import type { RequirementRows } from "./requirement-row.ts";

/** Section 3: the states of a stream. */
const states = {
  "search-stream#3.1-only-its-progress": {
    text: "A stream has no state other than its own progress.",
    notObservable: "it says that something does not exist, and names nothing that could be requested",
  },
  "search-stream#3.2-searching":
    "While the search runs, a progress has `done` false and the stream continues to search.",
  "search-stream#3.3-any-interleaving": "While the search runs, matches, filters and progress arrive in any order.",
  "search-stream#3.4-final-progress":
    "When the search has finished, a progress has `done` true and the stream is about to end.",
  "search-stream#3.5-closed-by-done":
    "`done` closes an open stream; it is the last event and has an empty object as data.",
} as const satisfies RequirementRows;

const filterSuggestion = {
  "search-stream#2.1.1-value": "`value` is a string: the filter that can be added to the query.",
  "search-stream#2.1.2-label": "`label` is a string to show for the filter.",
  "search-stream#2.1.3-count": {
    text: "`count` is an integer: how many matches the filter would keep.",
    partly: "that the number is right",
  },
  "search-stream#2.1.4-exhaustive": "`exhaustive` is a boolean.",
  "search-stream#2.1.5-kind": "`kind` is a string; utility, type, lang and repo have been observed.",
} as const satisfies RequirementRows;

const progressObject = {
  "search-stream#2.2.1-done": "`done` is a boolean that is true in the last progress and false in all before.",
  "search-stream#2.2.2-repositories-count": "`repositoriesCount` is an integer that the last progress has.",
  "search-stream#2.2.3-match-count": "`matchCount` is an integer.",
  "search-stream#2.2.4-duration-ms": {
    text: "`durationMs` is an integer in milliseconds.",
    partly: "that the unit is not a larger one",
  },
  "search-stream#2.2.5-skipped": "`skipped` is an array of entries that say why results may be missing.",
  "search-stream#2.2.6-trace": "`trace` is a string with the address of a trace.",
  "search-stream#2.2.7-skipped-reason":
    "The `reason` of a skipped entry is a string; excluded-archive and shard-match-limit have been observed.",
  "search-stream#2.2.8-skipped-title": "The `title` of a skipped entry is a string.",
  "search-stream#2.2.9-skipped-message": "The `message` of a skipped entry is a string.",
  "search-stream#2.2.10-skipped-severity": "The `severity` of a skipped entry is a string; info has been observed.",
  "search-stream#2.2.11-skipped-suggested":
    "The suggestion of a skipped entry is an object with two strings, `title` and `queryExpression`.",
} as const satisfies RequirementRows;

const contentMatch = {
  "search-stream#2.3.1-type": "The `type` of a match is a string, which is content for the fields that follow.",
  "search-stream#2.3.2-path": "`path` is a string.",
  "search-stream#2.3.3-path-matches":
    "`pathMatches` is an array of ranges from a `start` to an `end`, each of which has integers for offset, line and column.",
  "search-stream#2.3.4-repository-id": "`repositoryID` is an integer.",
  "search-stream#2.3.5-repository": "`repository` is a string.",
  "search-stream#2.3.6-repo-stars": "`repoStars` is an integer.",
  "search-stream#2.3.7-repo-last-fetched": "`repoLastFetched` is an ISO 8601 time.",
  "search-stream#2.3.8-branches": "`branches` is an array of strings.",
  "search-stream#2.3.9-commit": {
    text: "`commit` is a string that holds the hash of a commit.",
    partly: "that the string is a hash, whose form is not specified",
  },
  "search-stream#2.3.10-hunks": "`hunks` is an array, or null.",
  "search-stream#2.3.11-line-matches":
    "`lineMatches` is an array of lines with their number and with pairs of an offset and a length, all integers.",
  "search-stream#2.3.12-language": "`language` is a string.",
  "search-stream#2.3.13-match-types": "There are six types of match: content, path, commit, diff, symbol and repo.",
  "search-stream#2.3.14-chunk-context": "Chunk matches have a `context`.",
  "search-stream#2.3.15-path-match-fields": "The fields of a path match are not specified.",
  "search-stream#2.3.16-commit-match-fields": "The fields of a commit match are not specified.",
  "search-stream#2.3.17-diff-match-fields": "The fields of a diff match are not specified.",
  "search-stream#2.3.18-symbol-match-fields": "The fields of a symbol match are not specified.",
  "search-stream#2.3.19-repo-match-fields": "The fields of a repo match are not specified.",
  "search-stream#2.3.20-chunk-match-fields": "No field of a chunk match except `context` is specified.",
  "search-stream#2.3.21-alert-payload": "The fields of an alert are not specified.",
} as const satisfies RequirementRows;

/** Section 2: the objects in the data of events. */
const resources = {
  "search-stream#2.1-data-is-json": "The data of an event is JSON.",
  ...filterSuggestion,
  ...progressObject,
  ...contentMatch,
} as const satisfies RequirementRows;

/** Section 1: the purpose of the endpoint. */
const purpose = {
  "search-stream#1.1-incremental-results": {
    text: "A search delivers results while it is still running, so that a caller need not wait for the end.",
    partly: "how early the first results arrive, because no time is promised",
  },
  "search-stream#1.2-exhaustive-searches": {
    text: "Exhaustive searches of any size are possible.",
    partly: "how large such a search may be, because no size is specified",
  },
  "search-stream#1.3-used-by-the-web-interface": {
    text: "Interactive searches of the web interface go through this endpoint.",
    notObservable: "it is about another client of the service, not about its responses",
  },
} as const satisfies RequirementRows;

/** Section 6: the format of events, and the data of each event. */
const events = {
  "search-stream#6.1-two-fields":
    "An event consists of the fields `event` and `data`, each on its own line, and nothing else.",
  "search-stream#6.2-two-newlines-between-events": "Two line feeds separate two events.",
  "search-stream#6.3-event-names-the-type": "The field `event` names the type of the event.",
  "search-stream#6.4-data-is-json": "The field `data` of every event is JSON.",
  "search-stream#6.5-other-clients": {
    text: "Generic clients for server-sent events may fail on the stream.",
    notObservable: "it withholds a promise; findings say how such a client would have read the stream",
  },
  "search-stream#6.6-matches": "`matches` has an array of matches of the six types.",
  "search-stream#6.7-progress":
    "`progress` has a progress: counts of matches and repositories, the duration, and the skipped results.",
  "search-stream#6.8-filters": {
    text: "`filters` has an array of filters that would narrow the search.",
    partly: "that a suggested filter narrows the search",
  },
  "search-stream#6.9-alert": {
    text: "`alert` has an object with a message that informs, warns or reports an error.",
    partly: "that it has a message, whose field is not specified",
  },
  "search-stream#6.10-done": "`done` has an empty object and is the last event.",
  "search-stream#6.11-filters-repeat": "`filters` may be sent again, with more entries than before.",
} as const satisfies RequirementRows;

const errors = {
  "search-stream#7.1-problems-are-alerts": "A problem with a search arrives as an `alert`.",
  "search-stream#7.2-alert-level":
    "An alert is an information, a warning or an error; the field of this level is not specified.",
  "search-stream#7.3-cut-results-are-skipped-entries":
    "Skipped entries of a progress report that results were cut off.",
  "search-stream#7.4-http-status": "The status of a response that is not a stream is not specified.",
  "search-stream#7.5-error-body": "The body of a response that is not a stream is not specified.",
} as const satisfies RequirementRows;

const limits = {
  "search-stream#8.1-display": "`display` limits the number of delivered matches; without it there is no limit.",
  "search-stream#8.2-count": "`count:` in the query limits the number of matches that the search looks for.",
  "search-stream#8.3-match-limits-exist": {
    text: "The number of matches in a line, a file and a repository is limited.",
    notObservable: "no number is specified",
  },
  "search-stream#8.4-shard-match-limit": {
    text: "If such a limit was reached, a skipped entry has the reason shard-match-limit.",
    partly: "that the reason is this one, because the limit is not visible from outside",
  },
  "search-stream#8.5-suggested-count": {
    text: "That entry suggests the query expression `count:1000`.",
    partly: "that the number is the same if a search requests 1000 or more, or no number",
  },
  "search-stream#8.6-rate-limits": "The rate limit is not specified.",
} as const satisfies RequirementRows;

const versions = {
  "search-stream#9.1-v-selects-syntax": {
    text: "`v` selects the version of the query syntax.",
    partly: "that other versions read a query differently",
  },
  "search-stream#9.2-latest-is-default": "V3 is the latest version and the default.",
  "search-stream#9.3-set-it-explicitly": {
    text: "Callers should name the version.",
    notObservable: "it advises the caller",
  },
  "search-stream#9.4-no-format-guarantee": {
    text: "Events resemble server-sent events, without a promise of compatibility.",
    notObservable: "it withholds a promise; section 6 defines the format",
  },
} as const satisfies RequirementRows;

/** Sections 7 to 9: errors, limits, versions. */
const errorsLimitsVersions = {
  ...errors,
  ...limits,
  ...versions,
} as const satisfies RequirementRows;

/** Section 4: the request and its parameters. */
const endpoint = {
  "search-stream#4.1-endpoint": "A search is a GET of `/.api/search/stream` below the base address.",
  "search-stream#4.2-accept-header": {
    text: "The request has `text/event-stream` in `Accept`.",
    notObservable: "it binds the caller; the effect of another value is not specified",
  },
  "search-stream#4.3-query-string": "Parameters are in the query string.",
  "search-stream#4.4-q": {
    text: "`q`, a string in the query syntax of the service, is required.",
    partly: "that the results are those that the query requests",
  },
  "search-stream#4.5-v": {
    text: "`v`, a string, selects the version of the query syntax; the default is V3.",
    partly: "that the version changes the meaning of a query",
  },
  "search-stream#4.6-t":
    "`t` selects keyword, standard or regexp for queries without `patternType:`; the default is standard.",
  "search-stream#4.7-max-line-len":
    "`max-line-len`, an integer, cuts the lines of the `context` of a chunk match to that length; with -1 or without it they stay whole.",
  "search-stream#4.8-cm": "`cm`, a boolean, turns chunk matches on; they are off by default.",
  "search-stream#4.9-display":
    "`display`, an integer, ends the delivery of matches after that number while the search and its statistics continue; with -1 or without it there is no limit.",
  "search-stream#4.10-cl":
    "`cl`, an integer, is the number of lines around a match in chunk matches; the default is one.",
  "search-stream#4.11-count-filter": {
    text: "`count:` with a number in the query ends the search itself, not only the delivery, once that number of matches is found.",
    partly: "how many matches above that number are still found",
  },
  "search-stream#4.12-count-all": {
    text: "`count:all` in the query makes the search exhaustive.",
    partly: "matches that no other search finds either",
  },
  "search-stream#4.13-all-repositories": {
    text: "A query that searches everything in the index has `count:all` and no filter for repositories.",
    notObservable: "it advises the caller; the index of a target is not visible from outside",
  },
  "search-stream#4.14-response-format": "The response is a stream in the format of events.",
} as const satisfies RequirementRows;

/** Section 5: credentials. */
const authentication = {
  "search-stream#5.1-access-token": "An access token is sent in `Authorization` after the word `token`.",
  "search-stream#5.2-oauth-token": "An OAuth token is sent in `Authorization` after the word `Bearer`.",
  "search-stream#5.3-scope": "Both kinds of token need the scope user:all.",
  "search-stream#5.4-public-instance": "The public hosted instance answers without credentials.",
  "search-stream#5.5-token-refresh": "The expiry and renewal of tokens are not specified.",
} as const satisfies RequirementRows;

/**
 * Every requirement of the streaming search, in the order of its specification. Each row of a table has its own
 * number, as does each part of a sentence that is judged separately.
 */
export const searchStreamRequirements = {
  ...purpose,
  ...resources,
  ...states,
  ...endpoint,
  ...authentication,
  ...events,
  ...errorsLimitsVersions,
} as const satisfies RequirementRows;
