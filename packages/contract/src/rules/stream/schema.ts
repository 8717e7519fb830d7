import type { RuleRow } from "../../rule-record.ts";

/** What the data of each event holds. */
export const schemaRules = {
  "stream/matches-is-an-array": {
    basis: "schema",
    title: "The data of `matches` is an array of objects, each with a string `type`",
    sentences: ["search-stream#2.3.1-type", "search-stream#6.6-matches"],
    demandedBy: "gate",
  },
  "stream/match-type-is-listed": {
    basis: "stated",
    title: "The type of a match is one of content, path, commit, diff, symbol and repo",
    sentences: ["search-stream#2.3.13-match-types", "search-stream#6.6-matches"],
    demandedBy: "gate",
  },
  "stream/content-match-fits-schema": {
    basis: "schema",
    title: "A content match has the documented fields with the documented types",
    sentences: [
      "search-stream#2.3.1-type",
      "search-stream#2.3.2-path",
      "search-stream#2.3.3-path-matches",
      "search-stream#2.3.4-repository-id",
      "search-stream#2.3.5-repository",
      "search-stream#2.3.6-repo-stars",
      "search-stream#2.3.7-repo-last-fetched",
      "search-stream#2.3.8-branches",
      "search-stream#2.3.9-commit",
      "search-stream#2.3.10-hunks",
      "search-stream#2.3.11-line-matches",
      "search-stream#2.3.12-language",
    ],
    demandedBy: "gate",
  },
  "stream/content-match-shows-lines": {
    basis: "inferred",
    title: "A content match has `lineMatches` when no chunk matches were asked for",
    sentences: ["search-stream#2.3.11-line-matches", "search-stream#4.8-cm"],
  },
  "stream/line-pairs-stay-in-the-line": {
    basis: "derived",
    title: "Every pair of an offset and a length stays within its line",
    sentences: ["search-stream#2.3.11-line-matches"],
  },
  "stream/line-pairs-mark-the-word": {
    basis: "inferred",
    title: "In a search for one plain word, every pair of an offset and a length marks that word",
    sentences: ["search-stream#2.3.11-line-matches"],
  },
  "stream/path-ranges-stay-in-the-path": {
    basis: "derived",
    title: "Every range of a path starts before it ends, and stays within its path",
    sentences: ["search-stream#2.3.3-path-matches"],
  },
  "stream/progress-fits-schema": {
    basis: "schema",
    title: "The data of `progress` has the documented fields with the documented types",
    sentences: [
      "search-stream#2.2.1-done",
      "search-stream#2.2.2-repositories-count",
      "search-stream#2.2.3-match-count",
      "search-stream#2.2.4-duration-ms",
      "search-stream#2.2.5-skipped",
      "search-stream#2.2.6-trace",
      "search-stream#6.7-progress",
    ],
    demandedBy: "smoke",
  },
  "stream/skipped-fits-schema": {
    basis: "schema",
    title: "Each skipped entry has the documented fields with the documented types",
    sentences: [
      "search-stream#2.2.5-skipped",
      "search-stream#2.2.7-skipped-reason",
      "search-stream#2.2.8-skipped-title",
      "search-stream#2.2.9-skipped-message",
      "search-stream#2.2.10-skipped-severity",
      "search-stream#2.2.11-skipped-suggested",
      "search-stream#7.3-cut-results-are-skipped-entries",
      "search-stream#8.5-suggested-count",
    ],
    demandedBy: "release",
  },
  "stream/filters-fit-schema": {
    basis: "schema",
    title: "The data of `filters` is an array of filter suggestions with the documented fields and types",
    sentences: [
      "search-stream#2.1.1-value",
      "search-stream#2.1.2-label",
      "search-stream#2.1.3-count",
      "search-stream#2.1.4-exhaustive",
      "search-stream#2.1.5-kind",
      "search-stream#6.8-filters",
    ],
  },
  "stream/alert-is-an-object": {
    basis: "stated",
    title: "The data of `alert` is an object",
    sentences: ["search-stream#6.9-alert", "search-stream#7.1-problems-are-alerts"],
  },
  "stream/alert-level-is-listed": {
    basis: "derived",
    title: "Every alert has a level, which is info, warning or error",
    sentences: ["search-stream#6.9-alert", "search-stream#7.1-problems-are-alerts"],
  },
  "stream/chunk-match-has-context": {
    basis: "stated",
    title: "Every chunk match has its text in `context`",
    sentences: ["search-stream#2.3.14-chunk-context"],
    demandedBy: "release",
    searches: ["parameters"],
  },
} as const satisfies Readonly<Record<string, RuleRow>>;
