/** Why results may be incomplete; element of `skipped`. Source: search-stream, section 2.2. */
export interface SkippedEntry {
  readonly reason: string;
  readonly title: string;
  readonly message: string;
  readonly severity: string;
  readonly suggested?: { readonly title: string; readonly queryExpression: string };
}

/** The number a limit is suggested to be raised to: a bit more, in full thousands. */
const largerCount = (limit: number): number => Math.floor((limit + 1500) / 1000) * 1000;

/** The search stopped at its limit of results. */
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

/** More results were found than the client asked to see. */
export const displayHit = (display: number): SkippedEntry => ({
  reason: "display",
  title: "display limit hit",
  message: `Only the first ${display} results are delivered, as the display limit asks.`,
  severity: "info",
});
