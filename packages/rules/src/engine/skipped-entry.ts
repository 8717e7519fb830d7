import { member } from "@assay/reading";

/** Reports whether a JSON pointer into a progress points to an entry of `skipped` or into one. */
export const isInsideSkippedEntry = (pointer: string): boolean => /^\/skipped\/\d+(?:\/|$)/u.test(pointer);

/** The entries of `skipped`, of any type; none if it is not an array. */
export function skippedEntries(progress: unknown): readonly unknown[] {
  const skipped = member(progress, "skipped");
  return Array.isArray(skipped) ? skipped : [];
}

/** Reasons of results that were not requested, as opposed to cut off. */
const exclusions: ReadonlySet<unknown> = new Set(["excluded-archive", "excluded-fork", "repository-fork"]);

/** Reasons of a limit of the search: a repeated search stops at the same place. */
const limits: ReadonlySet<unknown> = new Set([
  "shard-match-limit",
  "document-match-limit",
  "repository-limit",
  "display",
]);

/** Reports whether a reason of a skipped entry may be different in the next search, such as a timeout. */
export const mayDifferNextTime = (reason: unknown): boolean => isCutReason(reason) && !limits.has(reason);

/** Reports whether a reason of a skipped entry means that results were cut off: any that is not a known exclusion. */
export const isCutReason = (reason: unknown): boolean => !exclusions.has(reason);
