import type { StreamEvent } from "@assay/stream-grammar";

/**
 * Shows every element of the array that an event carries; none when it carries no array. Counts by hand: an iterator
 * makes garbage for each element, and collecting it is what delays the verdict on large events.
 */
export function eachMatch({ value }: StreamEvent, visit: (match: unknown, index: number) => void): void {
  const matches: readonly unknown[] = Array.isArray(value) ? value : [];
  for (let index = 0; index < matches.length; index += 1) {
    visit(matches[index], index);
  }
}
