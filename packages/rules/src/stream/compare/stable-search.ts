import type { ComparedSearch } from "./define-comparison.ts";
import { differenceOf } from "./found-difference.ts";
import { usableOf } from "./usable.ts";
import type { UsableSearch } from "./usable.ts";

/** A search that found the same each time it was sent. */
export interface StableSearch {
  /** The first of its copies; what it found, all of them found. */
  readonly first: UsableSearch;
  /** When the first and the last copy were sent. */
  readonly fromMicros: number;
  readonly toMicros: number;
}

function isSame({ results }: UsableSearch, other: UsableSearch): boolean {
  const { clause, isBlurred } = differenceOf(results, other.results);
  return clause === undefined && !isBlurred;
}

/**
 * The search that these are copies of, if it is stable: sent at least twice, every copy usable and none hampered, and all
 * of them found the same without anything left to guess. Another search is worth comparing with such a one only.
 */
export function stableSearch(copies: readonly ComparedSearch[]): StableSearch | undefined {
  const found = usableOf(copies);
  const [first] = found;
  const isWhole = found.length === copies.length && found.every(({ standing }) => standing !== "hampered");
  if (first === undefined || found.length < 2 || !isWhole || !found.every((copy) => isSame(first, copy))) {
    return undefined;
  }
  const times = found.map(({ sentAtMicros }) => sentAtMicros);
  return { first, fromMicros: Math.min(...times), toMicros: Math.max(...times) };
}

/** Whether a search was sent while nothing changed: not before the first copy and not after the last one. */
export const isDuring = ({ sentAtMicros }: UsableSearch, { fromMicros, toMicros }: StableSearch): boolean =>
  fromMicros <= sentAtMicros && sentAtMicros <= toMicros;
