import { member } from "@assay/reading";

/** Whether a JSON pointer into a progress object leads into, or to, an entry of `skipped`. */
export const isInsideSkippedEntry = (pointer: string): boolean => /^\/skipped\/\d+(?:\/|$)/u.test(pointer);

/** The entries of `skipped`, whatever they are; none when it is no array. */
export function skippedEntries(progress: unknown): readonly unknown[] {
  const skipped = member(progress, "skipped");
  return Array.isArray(skipped) ? skipped : [];
}

/** Reasons that tell what was not asked for, not what was cut off. */
const exclusions: ReadonlySet<unknown> = new Set(["excluded-archive", "excluded-fork", "repository-fork"]);

/** Reasons that tell of a limit of the search: found again, it stops at the same place. */
const limits: ReadonlySet<unknown> = new Set([
  "shard-match-limit",
  "document-match-limit",
  "repository-limit",
  "display",
]);

/** Whether a reason of a skipped entry tells of something that may be another one next time, such as the time a search took. */
export const tellsOfIncompleteness = (reason: unknown): boolean => tellsOfCut(reason) && !limits.has(reason);

/** Whether a reason of a skipped entry, any that is no known exclusion, tells that results were cut off. */
export const tellsOfCut = (reason: unknown): boolean => !exclusions.has(reason);
