import { member } from "./json-value.ts";

/** Whether a JSON pointer into a progress object leads into, or to, an entry of `skipped`. */
export const isInsideSkippedEntry = (pointer: string): boolean => /^\/skipped\/\d+(?:\/|$)/u.test(pointer);

/** The entries of `skipped`, whatever they are; none when it is no array. */
export function skippedEntries(progress: unknown): readonly unknown[] {
  const skipped = member(progress, "skipped");
  return Array.isArray(skipped) ? skipped : [];
}
