import { member } from "@assay/reading";

/** Reports whether a JSON pointer refers to an entry of `skipped` in a `progress` event, or to a value inside it. */
export const isInsideSkippedEntry = (pointer: string): boolean => /^\/skipped\/\d+(?:\/|$)/u.test(pointer);

/** Returns the entries of `skipped`, of any type. It returns none if `skipped` is not an array. */
export function skippedEntries(progress: unknown): readonly unknown[] {
  const skipped = member(progress, "skipped");
  return Array.isArray(skipped) ? skipped : [];
}

/** Skip reasons for results that the query excluded. */
const exclusionReasons: ReadonlySet<unknown> = new Set(["excluded-archive", "excluded-fork", "repository-fork"]);

/** Skip reasons caused by a limit of the search. Repeating the search stops at the same point. */
const limitReasons: ReadonlySet<unknown> = new Set([
  "shard-match-limit",
  "document-match-limit",
  "repository-limit",
  "display",
]);

/** Reports whether a repeated search may give a different reason, for example a timeout. */
export const mayDifferNextTime = (reason: unknown): boolean => isCutReason(reason) && !limitReasons.has(reason);

/** Reports whether a skip reason means that results were cut off: any reason that is not a known exclusion. */
export const isCutReason = (reason: unknown): boolean => !exclusionReasons.has(reason);
