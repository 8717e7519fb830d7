import type { SentenceRows } from "./sentence-row.ts";

const filterSuggestion = {
  "search-stream#2.1.1-value": "`value` is a string: the filter that can be added to the query.",
  "search-stream#2.1.2-label": "`label` is a string to show for the filter.",
  "search-stream#2.1.3-count": {
    text: "`count` is an integer: how many matches the filter would keep.",
    partly: "that the number is right",
  },
  "search-stream#2.1.4-exhaustive": "`exhaustive` is a boolean.",
  "search-stream#2.1.5-kind": "`kind` is a string; utility, type, lang and repo have been seen.",
} as const satisfies SentenceRows;

const progressObject = {
  "search-stream#2.2.1-done": "`done` is a boolean that turns true in the last progress and is false in those before.",
  "search-stream#2.2.2-repositories-count": "`repositoriesCount` is an integer that the last progress has.",
  "search-stream#2.2.3-match-count": "`matchCount` is an integer.",
  "search-stream#2.2.4-duration-ms": {
    text: "`durationMs` is an integer in milliseconds.",
    partly: "that the unit is right",
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
} as const satisfies SentenceRows;

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
} as const satisfies SentenceRows;

/** Section 2: the objects in the data of events. */
export const resources = {
  "search-stream#2.1-data-is-json": "What an event carries as data is JSON.",
  ...filterSuggestion,
  ...progressObject,
  ...contentMatch,
} as const satisfies SentenceRows;
