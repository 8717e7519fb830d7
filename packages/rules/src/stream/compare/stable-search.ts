import type { ComparedSearch } from "./define-comparison.ts";
import { differenceOf } from "./found-difference.ts";
import { isCommitTold, notCompared, stateOf } from "./same-state.ts";
import { usable, usableOf } from "./usable.ts";
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

/** A search that another one can be held against, or why there is none. */
export type Yardstick =
  | { readonly kind: "steady"; readonly base: StableSearch }
  | { readonly kind: "none"; readonly why: string };

const none = (why: keyof typeof notCompared): Yardstick => ({ kind: "none", why: notCompared[why] });

/**
 * The search that these are copies of, for comparing `varied` with it: both came to their end, and both are known to have met
 * the same state of the index. No sentence promises that two searches see the same, so copies that tell other commits are
 * left aside, and the others have to tell the same ones. Where neither these searches nor `witnesses` tell any commit, the
 * copies have to have found the same before and after.
 */
export function yardstickFor(
  varied: UsableSearch,
  copies: readonly ComparedSearch[],
  witnesses: readonly UsableSearch[] = [],
): Yardstick {
  const found = usableOf(copies);
  const rest = copies.filter((copy) => {
    const search = usable(copy);
    return search === undefined || stateOf(search.results, varied.results) !== "other";
  });
  const base = stableSearch(rest);
  if ([varied, ...found].some(({ standing }) => standing === "hampered")) {
    return none("hampered");
  }
  if (base === undefined) {
    return none("otherState");
  }
  if (base.first.standing !== "complete" || varied.standing !== "complete") {
    return none("limited");
  }
  const isKnown = isCommitTold([varied, ...found, ...witnesses])
    ? stateOf(base.first.results, varied.results) === "same"
    : isDuring(varied, base);
  return isKnown ? { kind: "steady", base } : none("unknownState");
}

/** Whether a search was sent while nothing changed: not before the first copy and not after the last one. */
export const isDuring = ({ sentAtMicros }: UsableSearch, { fromMicros, toMicros }: StableSearch): boolean =>
  fromMicros <= sentAtMicros && sentAtMicros <= toMicros;
