/** A reason for incomplete results; element of `skipped`. Source: search-stream, section 2.2. */
export interface SkippedEntry {
  readonly reason: string;
  readonly title: string;
  readonly message: string;
  readonly severity: string;
  readonly suggested?: { readonly title: string; readonly queryExpression: string };
}

/** Returns the suggested new limit: slightly larger, in full thousands. */
const largerCount = (limit: number): number => Math.floor((limit + 1500) / 1000) * 1000;

/** Creates the entry for a search that reached its result limit. */
export const createLimitEntry = (limit: number): SkippedEntry => ({
  reason: "shard-match-limit",
  title: "result limit hit",
  message: `Not all results have been returned because the search stopped at ${limit} results. Raise the limit with \`count:\` to see more.`,
  severity: "info",
  suggested: { title: "increase limit", queryExpression: `count:${largerCount(limit)}` },
});

/** Creates the entry for a search that ran out of time. */
export const createTimeoutEntry = (repositoryNames: readonly string[]): SkippedEntry => ({
  reason: "shard-timeout",
  title: `${repositoryNames.length} timed out`,
  message: [
    "The search ran out of time; these repositories may have more results:",
    ...repositoryNames.slice(0, 10).map((name) => `* \`${name}\``),
    ...(repositoryNames.length > 10 ? ["* ..."] : []),
  ].join("\n"),
  severity: "warn",
});

/** Creates the entry for a search that found more results than `display`. */
export const createDisplayEntry = (display: number): SkippedEntry => ({
  reason: "display",
  title: "display limit hit",
  message: `Only the first ${display} results are returned because of the display limit.`,
  severity: "info",
});
