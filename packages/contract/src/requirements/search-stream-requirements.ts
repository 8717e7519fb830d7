import type { RequirementRows } from "./requirement-row.ts";

/** Section 3: how a stream moves on. */
const states = {
  "search-stream#3.1-only-its-progress": {
    text: "Nothing but its own progress makes up the state of a stream.",
    notObservable: "it says that something does not exist, and names nothing that could be asked for",
  },
  "search-stream#3.2-searching":
    "While the search runs, a progress says `done` false and the stream goes on searching.",
  "search-stream#3.3-any-interleaving": "While the search runs, matches, filters and progress come in whatever order.",
  "search-stream#3.4-final-progress":
    "When the search has finished, a progress says `done` true and the stream is about to end.",
  "search-stream#3.5-closed-by-done":
    "An open stream is closed by `done`, which is the last event and carries an object without members.",
} as const satisfies RequirementRows;

const filterSuggestion = {
  "search-stream#2.1.1-value": "`value` is a string: the filter that can be added to the query.",
  "search-stream#2.1.2-label": "`label` is a string to show for the filter.",
  "search-stream#2.1.3-count": {
    text: "`count` is an integer: how many matches the filter would keep.",
    partly: "that the number is right",
  },
  "search-stream#2.1.4-exhaustive": "`exhaustive` is a boolean.",
  "search-stream#2.1.5-kind": "`kind` is a string; utility, type, lang and repo have been seen.",
} as const satisfies RequirementRows;

const progressObject = {
  "search-stream#2.2.1-done": "`done` is a boolean that turns true in the last progress and is false in those before.",
  "search-stream#2.2.2-repositories-count": "`repositoriesCount` is an integer that the last progress has.",
  "search-stream#2.2.3-match-count": "`matchCount` is an integer.",
  "search-stream#2.2.4-duration-ms": {
    text: "`durationMs` is an integer in milliseconds.",
    partly: "that the unit is no larger one",
  },
  "search-stream#2.2.5-skipped":
    "`skipped` is an array of entries that tell why something may be missing from the results.",
  "search-stream#2.2.6-trace": "`trace` is a string with the address of a trace.",
  "search-stream#2.2.7-skipped-reason":
    "The `reason` of a skipped entry is a string; excluded-archive and shard-match-limit have been seen.",
  "search-stream#2.2.8-skipped-title": "The `title` of a skipped entry is a string.",
  "search-stream#2.2.9-skipped-message": "The `message` of a skipped entry is a string.",
  "search-stream#2.2.10-skipped-severity": "The `severity` of a skipped entry is a string; info has been seen.",
  "search-stream#2.2.11-skipped-suggested":
    "What a skipped entry suggests is an object of two strings, `title` and `queryExpression`.",
} as const satisfies RequirementRows;

const contentMatch = {
  "search-stream#2.3.1-type": "The `type` of a match is a string, which is content for the fields that follow.",
  "search-stream#2.3.2-path": "`path` is a string.",
  "search-stream#2.3.3-path-matches":
    "`pathMatches` is an array of ranges from a `start` to an `end`, each of which has integers for offset, line and column.",
  "search-stream#2.3.4-repository-id": "`repositoryID` is an integer.",
  "search-stream#2.3.5-repository": "`repository` is a string.",
  "search-stream#2.3.6-repo-stars": "`repoStars` is an integer.",
  "search-stream#2.3.7-repo-last-fetched": "`repoLastFetched` is a point in time written as in ISO 8601.",
  "search-stream#2.3.8-branches": "`branches` is an array of strings.",
  "search-stream#2.3.9-commit": {
    text: "`commit` is a string that holds the hash of a commit.",
    partly: "that the string is a hash, whose form is not given",
  },
  "search-stream#2.3.10-hunks": "`hunks` is an array, or null.",
  "search-stream#2.3.11-line-matches":
    "`lineMatches` is an array of lines with their number and with pairs of an offset and a length, all integers.",
  "search-stream#2.3.12-language": "`language` is a string.",
  "search-stream#2.3.13-match-types": "There are six types of match: content, path, commit, diff, symbol and repo.",
  "search-stream#2.3.14-chunk-context": "A search with chunk matches has results whose chunk match holds a `context`.",
  "search-stream#2.3.15-path-match-fields": "The fields of a path match are not given.",
  "search-stream#2.3.16-commit-match-fields": "The fields of a commit match are not given.",
  "search-stream#2.3.17-diff-match-fields": "The fields of a diff match are not given.",
  "search-stream#2.3.18-symbol-match-fields": "The fields of a symbol match are not given.",
  "search-stream#2.3.19-repo-match-fields": "The fields of a repo match are not given.",
  "search-stream#2.3.20-chunk-match-fields": "Of a chunk match, no field but `context` is given.",
  "search-stream#2.3.21-alert-payload": "The fields of an alert are not given.",
} as const satisfies RequirementRows;

/** Section 2: the objects in the data of events. */
const resources = {
  "search-stream#2.1-data-is-json": "What an event carries as data is JSON.",
  ...filterSuggestion,
  ...progressObject,
  ...contentMatch,
} as const satisfies RequirementRows;

/** Section 1: what the endpoint is for. */
const purpose = {
  "search-stream#1.1-incremental-results": {
    text: "A search delivers what it finds while it is still running, so that a caller need not wait for the end.",
    partly: "how early the first results come, for which no time is promised",
  },
  "search-stream#1.2-exhaustive-searches": {
    text: "Searches that look for everything, however much that is, are possible.",
    partly: "how large such a search may be, for which no volume is named",
  },
  "search-stream#1.3-used-by-the-web-interface": {
    text: "Interactive searches of the web interface go through this endpoint.",
    notObservable: "it tells about another client of the service, not about its answers",
  },
} as const satisfies RequirementRows;

/** Section 6: the format of events, and what each event carries. */
const events = {
  "search-stream#6.1-two-fields":
    "An event consists of the fields `event` and `data`, on a line each, and of nothing else.",
  "search-stream#6.2-two-newlines-between-events": "Between two events stand two line feeds.",
  "search-stream#6.3-event-names-the-type": "The field `event` names the type of the event.",
  "search-stream#6.4-data-is-json": "The field `data` holds JSON, whatever the event.",
  "search-stream#6.5-other-clients": {
    text: "Clients made for server-sent events in general may fail on the stream.",
    notObservable: "it withholds a promise; findings say what such a client would have seen",
  },
  "search-stream#6.6-matches": "`matches` carries an array of matches of the six types.",
  "search-stream#6.7-progress":
    "`progress` carries a progress: counts of matches and repositories, the time taken, and what was skipped.",
  "search-stream#6.8-filters": {
    text: "`filters` carries an array of filters that would narrow the search.",
    partly: "that a suggested filter narrows the search",
  },
  "search-stream#6.9-alert": {
    text: "`alert` carries an object with a message that informs, warns or reports an error.",
    partly: "that there is a message in it, whose field is not given",
  },
  "search-stream#6.10-done": "`done` carries an object without members and comes last.",
  "search-stream#6.11-filters-repeat": "`filters` may come again, with more entries than before.",
} as const satisfies RequirementRows;

const errors = {
  "search-stream#7.1-problems-are-alerts": "A problem with a search arrives as an `alert`.",
  "search-stream#7.2-alert-level":
    "An alert is an information, a warning or an error; where that is written is not given.",
  "search-stream#7.3-cut-results-are-skipped-entries": "Skipped entries of a progress tell that results were cut off.",
  "search-stream#7.4-http-status": "The status of an answer that is not a stream is not given.",
  "search-stream#7.5-error-body": "The body of an answer that is not a stream is not given.",
} as const satisfies RequirementRows;

const limits = {
  "search-stream#8.1-display": "`display` limits how many matches are delivered; without it there is no limit.",
  "search-stream#8.2-count": "`count:` in the query limits how many matches are searched for.",
  "search-stream#8.3-match-limits-exist": {
    text: "A line, a file and a repository each give a limited number of matches.",
    notObservable: "no number is named that a target would have to keep to",
  },
  "search-stream#8.4-shard-match-limit": {
    text: "Where such a limit was reached, a skipped entry has the reason shard-match-limit.",
    partly: "that the reason is this one, for a limit that cannot be seen from outside",
  },
  "search-stream#8.5-suggested-count": {
    text: "That entry suggests the query expression `count:1000`.",
    partly: "that the number is also this one where a search asks for as many, or for no number",
  },
  "search-stream#8.6-rate-limits": "How many requests are permitted is not given.",
} as const satisfies RequirementRows;

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
    text: "`count:` with a number in the query ends the search itself, not only the delivery, once that number of matches is found.",
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
} as const satisfies RequirementRows;

/** Section 5: credentials. */
const authentication = {
  "search-stream#5.1-access-token": "An access token is sent in `Authorization` after the word `token`.",
  "search-stream#5.2-oauth-token": "An OAuth token is sent in `Authorization` after the word `Bearer`.",
  "search-stream#5.3-scope": "A token of either sort has to have the scope user:all.",
  "search-stream#5.4-public-instance": "The public hosted instance answers without credentials.",
  "search-stream#5.5-token-refresh": "How tokens expire and are renewed is not given.",
} as const satisfies RequirementRows;

/**
 * Every statement of the streaming document, in its order, each with what is done about it. A table counts row by row;
 * where one sentence says several things that are judged apart, each has its own number.
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
