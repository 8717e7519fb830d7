import type { ComparedSearch } from "./compared-search.ts";
import { compareResults } from "./found-difference.ts";
import {
  incompleteReason,
  withSameState,
  hasCommits,
  notCompared,
  differentStateReason,
  compareStates,
  reasonUnknown,
} from "./same-state.ts";
import { timesSent } from "./search.ts";
import { toUsable, usableCopies } from "./usable.ts";
import type { UsableSearch } from "./usable.ts";

/** A search that returned the same results every time. */
export interface StableSearch {
  /** The first of its copies. All copies returned the same results. */
  readonly first: UsableSearch;
  /** Sending times of the first and the last copy. */
  readonly fromMicros: number;
  readonly toMicros: number;
}

function isSame({ results }: UsableSearch, other: UsableSearch): boolean {
  const { clause, isInconclusive } = compareResults(results, other.results);
  return clause === undefined && !isInconclusive;
}

/**
 * Returns the copies as a stable search if there are at least two, all are usable and complete, and all have the same
 * unambiguous results. Only a stable search can be a baseline.
 */
export function stableSearch(copies: readonly ComparedSearch[]): StableSearch | undefined {
  const usable = usableCopies(copies);
  return usable.length === copies.length ? stableSearchFrom(usable) : undefined;
}

/** Like `stableSearch`, for copies that are all usable. */
export function stableSearchFrom(found: readonly UsableSearch[]): StableSearch | undefined {
  const [first] = found;
  const isComplete = found.every(({ standing }) => standing !== "incomplete");
  if (first === undefined || found.length < 2 || !isComplete || !found.every((copy) => isSame(first, copy))) {
    return undefined;
  }
  const times = found.map(({ sentAtMicros }) => sentAtMicros);
  return { first, fromMicros: Math.min(...times), toMicros: Math.max(...times) };
}

/** A baseline for another search, or the reason why there is none. */
export type Baseline =
  | { readonly kind: "stable"; readonly base: StableSearch }
  | { readonly kind: "none"; readonly reason: string };

const none = (reason: string): Baseline => ({ kind: "none", reason });

/** Returns the complete searches. An incomplete search proves nothing. */
export const conclusive = (searches: readonly UsableSearch[]): readonly UsableSearch[] =>
  searches.filter(({ standing }) => standing !== "incomplete");

/**
 * Finds the baseline for `varied` among these copies: both searches are complete and are known to have seen the same
 * index state. The specification does not guarantee that two searches see the same state. If the results name commits,
 * at least two copies must have the same commits as `varied`; copies with other commits are ignored. If no search,
 * including `referenceSearches`, names commits, every copy before and after `varied` must have returned the same
 * results.
 */
export function findBaseline(
  varied: UsableSearch,
  copies: readonly ComparedSearch[],
  referenceSearches: readonly UsableSearch[] = [],
): Baseline {
  const usable = usableCopies(copies);
  if (varied.standing === "incomplete") {
    return none(incompleteReason(timesSent(copies)));
  }
  const known = stableSearchFrom(withSameState(varied, conclusive(usable)));
  if (known !== undefined) {
    return known.first.standing === "complete" && varied.standing === "complete"
      ? { kind: "stable", base: known }
      : none(notCompared.limited);
  }
  return usable.some(({ standing }) => standing === "incomplete")
    ? none(incompleteReason(timesSent(copies)))
    : findBaselineByTime({ varied, copies, referenceSearches });
}

/**
 * Finds the baseline if no two copies have the commits of `varied`. The sending times must then show that nothing
 * changed.
 */
function findBaselineByTime({
  varied,
  copies,
  referenceSearches,
}: {
  readonly varied: UsableSearch;
  readonly copies: readonly ComparedSearch[];
  readonly referenceSearches: readonly UsableSearch[];
}): Baseline {
  const rest = copies.filter((copy) => {
    const search = toUsable(copy);
    return search === undefined || compareStates(search.results, varied.results) !== "other";
  });
  const base = stableSearch(rest);
  if (base === undefined) {
    return none(differentStateReason(timesSent(copies)));
  }
  if (base.first.standing !== "complete" || varied.standing !== "complete") {
    return none(notCompared.limited);
  }
  const hasCommit = hasCommits([varied, ...usableCopies(copies), ...referenceSearches]);
  return !hasCommit && isDuring(varied, base)
    ? { kind: "stable", base }
    : none(reasonUnknown(varied, usableCopies(copies)));
}

/** Reports whether a search was sent between the first and the last copy, while nothing changed. */
export const isDuring = ({ sentAtMicros }: UsableSearch, { fromMicros, toMicros }: StableSearch): boolean =>
  fromMicros <= sentAtMicros && sentAtMicros <= toMicros;
