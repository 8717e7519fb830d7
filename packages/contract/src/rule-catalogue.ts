import type { Basis, RuleRecord } from "./rule-record.ts";

interface RuleRow {
  readonly basis: Basis;
  readonly title: string;
  readonly sentences: RuleRecord["sentences"];
}

const rules = {
  "stream/two-fields": {
    basis: "stated",
    title: "Every event has exactly the fields `event` and `data`, one on each line",
    sentences: [
      "search-stream#6.1-two-fields",
      "search-stream#6.3-event-names-the-type",
      "search-stream#4.14-response-format",
    ],
  },
  "stream/lines-end-with-lf": {
    basis: "stated",
    title: "Lines end with a line feed alone; there is no carriage return in the stream",
    sentences: [
      "search-stream#6.2-two-newlines-between-events",
      "search-stream#6.1-two-fields",
      "search-stream#4.14-response-format",
    ],
  },
  "stream/one-blank-line-between-events": {
    basis: "stated",
    title: "Exactly one blank line stands between two events",
    sentences: ["search-stream#6.2-two-newlines-between-events", "search-stream#4.14-response-format"],
  },
  "stream/last-event-is-complete": {
    basis: "derived",
    title: "The last event ends with its blank line, as every other event does",
    sentences: ["search-stream#6.2-two-newlines-between-events", "search-stream#4.14-response-format"],
  },
  "stream/no-byte-order-mark": {
    basis: "derived",
    title: "The stream begins with the first field of an event, not with a byte order mark",
    sentences: ["search-stream#6.1-two-fields", "search-stream#4.14-response-format"],
  },
  "stream/text-is-utf-8": {
    basis: "derived",
    title: "The bytes of the stream are valid UTF-8",
    sentences: ["search-stream#6.4-data-is-json", "search-stream#4.14-response-format"],
  },
  "stream/data-is-json": {
    basis: "stated",
    title: "The data of every event is JSON",
    sentences: ["search-stream#2.1-data-is-json", "search-stream#6.4-data-is-json"],
  },
  "stream/done-is-last": {
    basis: "stated",
    title: "`done` comes exactly once and nothing follows it",
    sentences: ["search-stream#3.5-closed-by-done", "search-stream#6.10-done", "search-stream#4.14-response-format"],
  },
  "stream/done-is-an-empty-object": {
    basis: "stated",
    title: "The data of `done` is the empty object",
    sentences: ["search-stream#3.5-closed-by-done", "search-stream#6.10-done"],
  },
  "stream/matches-is-an-array": {
    basis: "schema",
    title: "The data of `matches` is an array of objects, each with a string `type`",
    sentences: ["search-stream#2.3.1-type", "search-stream#6.6-matches"],
  },
  "stream/match-type-is-listed": {
    basis: "stated",
    title: "The type of a match is one of content, path, commit, diff, symbol and repo",
    sentences: ["search-stream#2.3.13-match-types", "search-stream#6.6-matches"],
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
  "stream/final-progress-before-done": {
    basis: "derived",
    title: "A progress with `done` true comes before `done`, unless the stream holds only alerts or errors",
    sentences: ["search-stream#2.2.1-done", "search-stream#3.4-final-progress"],
  },
  "stream/progress-stays-final": {
    basis: "stated",
    title: "After a progress with `done` true there is none with `done` false",
    sentences: ["search-stream#2.2.1-done", "search-stream#3.2-searching", "search-stream#3.4-final-progress"],
  },
  "stream/one-final-progress": {
    basis: "derived",
    title: "Only one progress has `done` true",
    sentences: ["search-stream#2.2.1-done", "search-stream#3.4-final-progress"],
  },
  "stream/final-progress-counts-repositories": {
    basis: "stated",
    title: "The final progress has `repositoriesCount`, which may be left out when nothing matched",
    sentences: ["search-stream#2.2.2-repositories-count"],
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
  "stream/filter-kind-is-known": {
    basis: "observed",
    title: "The kind of a filter suggestion is one of those seen so far",
    sentences: ["search-stream#2.1.5-kind"],
  },
  "stream/skipped-reason-is-known": {
    basis: "observed",
    title: "The reason of a skipped entry is one of those seen so far",
    sentences: ["search-stream#2.2.7-skipped-reason", "search-stream#8.4-shard-match-limit"],
  },
  "stream/skipped-severity-is-known": {
    basis: "observed",
    title: "The severity of a skipped entry is one of those seen so far",
    sentences: ["search-stream#2.2.10-skipped-severity"],
  },
  "stream/access-token-is-accepted": {
    basis: "stated",
    title: "A search with a valid access token in the scheme `token` is answered",
    sentences: ["search-stream#5.1-access-token"],
  },
  "stream/oauth-token-is-accepted": {
    basis: "stated",
    title: "A search with a valid OAuth token in the scheme `Bearer` is answered",
    sentences: ["search-stream#5.2-oauth-token"],
  },
  "stream/missing-token-is-refused": {
    basis: "derived",
    title: "A target that is not public delivers no match to a search without a token",
    sentences: ["search-stream#5.4-public-instance"],
  },
  "stream/invalid-token-is-refused": {
    basis: "derived",
    title: "A target that is not public delivers no match for a token that was never issued",
    sentences: ["search-stream#5.1-access-token", "search-stream#5.2-oauth-token", "search-stream#5.4-public-instance"],
  },
  "stream/anonymous-search-is-accepted": {
    basis: "stated",
    title: "A public target answers a search without a token",
    sentences: ["search-stream#5.4-public-instance"],
  },
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
} as const satisfies Record<string, RuleRow>;

/** Id of a rule in the catalogue. */
export type RuleId = keyof typeof rules;

/** Whether `id` names a rule of the catalogue. Names every object has, such as `toString`, are not rules. */
export const isRuleId = (id: string): id is RuleId => Object.hasOwn(rules, id);

/** The record of a rule. Cannot fail: the type closes the list of ids (`isRuleId` tells for other strings). */
export const ruleRecord = (id: RuleId): RuleRecord => ({ id, ...rules[id], interface: "stream", operation: "search" });

/** Ids of all rules, in the order of the catalogue. */
export const ruleIds: readonly RuleId[] = Object.keys(rules).filter(isRuleId);

/** Every rule of the streaming document, in a fixed order: bytes, payloads, sequence, observed values, requests. */
export const ruleCatalogue: readonly RuleRecord[] = ruleIds.map(ruleRecord);
