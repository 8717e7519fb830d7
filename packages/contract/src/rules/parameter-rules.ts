import type { RuleRow } from "../rule-record.ts";

/** What parameters and filters of a search do. */
export const parameterRules = {
  "stream/documented-parameters-are-accepted": {
    basis: "derived",
    title: "A search that sets a documented parameter to a documented value is answered like any other",
    sentences: [
      "search-stream#2.3.14-chunk-context",
      "search-stream#4.1-endpoint",
      "search-stream#4.3-query-string",
      "search-stream#4.4-q",
      "search-stream#4.5-v",
      "search-stream#4.6-t",
      "search-stream#4.7-max-line-len",
      "search-stream#4.8-cm",
      "search-stream#4.9-display",
      "search-stream#4.10-cl",
      "search-stream#4.11-count-filter",
      "search-stream#4.12-count-all",
      "search-stream#8.2-count",
      "search-stream#9.1-v-selects-syntax",
      "search-stream#9.2-latest-is-default",
    ],
  },
  "stream/display-bounds-matches": {
    basis: "stated",
    title: "No more matches are delivered than `display` asks for",
    sentences: ["search-stream#4.9-display", "search-stream#8.1-display"],
  },
  "stream/display-keeps-counting": {
    basis: "stated",
    title: "A search goes on counting after it has delivered as many matches as `display` asks for",
    sentences: ["search-stream#4.9-display"],
  },
  "stream/no-display-no-limit": {
    basis: "stated",
    title: "A search without `display` delivers no fewer matches than the same search with it",
    sentences: ["search-stream#4.9-display", "search-stream#8.1-display"],
  },
  "stream/count-stops-search": {
    basis: "stated",
    title: "`count:` with a number ends the search once so many matches are found",
    sentences: ["search-stream#4.11-count-filter", "search-stream#8.2-count"],
  },
  "stream/count-all-finds-everything": {
    basis: "stated",
    title: "`count:all` finds everything that the same search finds with a number",
    sentences: ["search-stream#4.12-count-all", "search-stream#1.2-exhaustive-searches"],
  },
  "stream/cut-results-are-named": {
    basis: "stated",
    title: "A search whose results were cut off says so in `skipped`",
    sentences: ["search-stream#7.3-cut-results-are-skipped-entries", "search-stream#8.4-shard-match-limit"],
  },
  "stream/limit-suggestion-raises-count": {
    basis: "stated",
    title: "A `shard-match-limit` entry suggests a `count:` filter that asks for more than was asked for",
    sentences: ["search-stream#8.5-suggested-count"],
  },
  "stream/cm-enables-chunk-matches": {
    basis: "stated",
    title: "With `cm=true` content matches come with chunk matches",
    sentences: ["search-stream#4.8-cm"],
  },
  "stream/chunk-matches-need-cm": {
    basis: "derived",
    title: "Without `cm`, or with `cm=false`, there are no chunk matches",
    sentences: ["search-stream#4.8-cm"],
  },
  "stream/chunk-lines-are-whole": {
    basis: "derived",
    title: "Without `max-line-len` a chunk match holds the whole of every line that matches",
    sentences: ["search-stream#4.7-max-line-len"],
  },
  "stream/max-line-len-cuts-lines": {
    basis: "stated",
    title: "No line of a chunk match is longer than `max-line-len` asks for",
    sentences: ["search-stream#4.7-max-line-len"],
  },
  "stream/cl-gives-context-lines": {
    basis: "stated",
    title: "A chunk match has as many lines around a match as `cl` asks for, one without it",
    sentences: ["search-stream#4.10-cl"],
  },
  "stream/cl-needs-cm": {
    basis: "stated",
    title: "`cl` changes nothing in a search without `cm=true`",
    sentences: ["search-stream#4.10-cl"],
  },
  "stream/omitted-v-is-v3": {
    basis: "stated",
    title: "A search without `v` finds what it finds with `v=V3`",
    sentences: ["search-stream#4.5-v", "search-stream#9.1-v-selects-syntax", "search-stream#9.2-latest-is-default"],
  },
  "stream/omitted-t-is-standard": {
    basis: "stated",
    title: "A search without `t` finds what it finds with `t=standard`",
    sentences: ["search-stream#4.6-t"],
  },
  "stream/pattern-type-filter-wins": {
    basis: "stated",
    title: "`t` changes nothing in a search whose query has `patternType:`",
    sentences: ["search-stream#4.6-t"],
  },
} as const satisfies Readonly<Record<string, RuleRow>>;
