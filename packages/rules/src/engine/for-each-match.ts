import type { StreamEvent } from "@assay/stream-grammar";

/**
 * Calls `visit` for every element of an event's array, and never if it is not an array. Uses an index loop, because an
 * iterator allocates for each element, and garbage collection delays the verdict on large events.
 */
export function forEachMatch({ value }: StreamEvent, visit: (match: unknown, index: number) => void): void {
  const matches: readonly unknown[] = Array.isArray(value) ? value : [];
  for (let index = 0; index < matches.length; index += 1) {
    visit(matches[index], index);
  }
}
