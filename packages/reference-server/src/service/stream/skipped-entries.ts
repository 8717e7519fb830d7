/** A reason for incomplete results; element of `skipped`. Source: search-stream, section 2.2. */
export interface SkippedEntry {
  readonly reason: string;
  readonly title: string;
  readonly message: string;
  readonly severity: string;
  readonly suggested?: { readonly title: string; readonly queryExpression: string };
}

/** The suggested new limit: slightly larger, in full thousands. */
const largerCount = (limit: number): number => Math.floor((limit + 1500) / 1000) * 1000;

/** The search reached its limit of results. */
export const limitHit = (limit: number): SkippedEntry => ({
  reason: "shard-match-limit",
  title: "result limit hit",
  message: `Not all results have been returned because the search stopped at ${limit} results. Raise the limit with \`count:\` to see more.`,
  severity: "info",
  suggested: { title: "increase limit", queryExpression: `count:${largerCount(limit)}` },
});

/** The search ran out of time. */
export const timedOut = (repositoryNames: readonly string[]): SkippedEntry => ({
  reason: "shard-timeout",
  title: `${repositoryNames.length} timed out`,
  message: [
    "The search ran out of time; these repositories may have more results:",
    ...repositoryNames.slice(0, 10).map((name) => `* \`${name}\``),
    ...(repositoryNames.length > 10 ? ["* ..."] : []),
  ].join("\n"),
  severity: "warn",
});

/** More results were found than the requested `display`. */
export const displayHit = (display: number): SkippedEntry => ({
  reason: "display",
  title: "display limit hit",
  message: `Only the first ${display} results are delivered, as the display limit asks.`,
  severity: "info",
});
