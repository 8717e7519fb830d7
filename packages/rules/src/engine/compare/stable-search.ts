import type { ComparedSearch } from "./compared-search.ts";
import { compareResults } from "./result-difference.ts";
import {
  incompleteReason,
  withSameState,
  haveCommits,
  notCompared,
  differentStateReason,
  compareStates,
  reasonForUnknownState,
} from "./same-state.ts";
import { maxTimesSent } from "./search.ts";
import { toUsableSearch, usableSearches } from "./usable-search.ts";
import type { UsableSearch } from "./usable-search.ts";

/** A search that returned the same results every time. */
export interface StableSearch {
  /** The first of its copies. All copies returned the same results. */
  readonly first: UsableSearch;
  /** Sending times of the first and the last copy. */
  readonly fromMicros: number;
  readonly toMicros: number;
}

function hasSameResults({ results }: UsableSearch, other: UsableSearch): boolean {
  const { clause, isInconclusive } = compareResults(results, other.results);
  return clause === undefined && !isInconclusive;
}

/**
 * Returns the copies as a stable search if there are at least two, all are usable and complete, and all have the same
 * unambiguous results. Only a stable search can be a baseline.
 */
export function stableSearch(copies: readonly ComparedSearch[]): StableSearch | undefined {
  const usable = usableSearches(copies);
  return usable.length === copies.length ? stableSearchFrom(usable) : undefined;
}

/** Like `stableSearch`, for copies that are all usable. */
export function stableSearchFrom(copies: readonly UsableSearch[]): StableSearch | undefined {
  const [first] = copies;
  const isComplete = copies.every(({ completeness }) => completeness !== "incomplete");
  if (first === undefined || copies.length < 2 || !isComplete || !copies.every((copy) => hasSameResults(first, copy))) {
    return undefined;
  }
  const times = copies.map(({ sentAtMicros }) => sentAtMicros);
  return { first, fromMicros: Math.min(...times), toMicros: Math.max(...times) };
}

/** A baseline for another search, or the reason there is none. */
export type Baseline =
  | { readonly kind: "stable"; readonly base: StableSearch }
  | { readonly kind: "none"; readonly reason: string };

const noBaseline = (reason: string): Baseline => ({ kind: "none", reason });

/** Returns the searches that are not incomplete. An incomplete search proves nothing. */
export const withoutIncomplete = (searches: readonly UsableSearch[]): readonly UsableSearch[] =>
  searches.filter(({ completeness }) => completeness !== "incomplete");

/**
 * Finds the baseline for `varied` among these copies: both searches are complete and demonstrably saw the same
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
  const usable = usableSearches(copies);
  if (varied.completeness === "incomplete") {
    return noBaseline(incompleteReason(maxTimesSent(copies)));
  }
  const sameStateBase = stableSearchFrom(withSameState(varied, withoutIncomplete(usable)));
  if (sameStateBase !== undefined) {
    return sameStateBase.first.completeness === "complete" && varied.completeness === "complete"
      ? { kind: "stable", base: sameStateBase }
      : noBaseline(notCompared.limited);
  }
  return usable.some(({ completeness }) => completeness === "incomplete")
    ? noBaseline(incompleteReason(maxTimesSent(copies)))
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
  const comparableCopies = copies.filter((copy) => {
    const search = toUsableSearch(copy);
    return search === undefined || compareStates(search.results, varied.results) !== "other";
  });
  const base = stableSearch(comparableCopies);
  if (base === undefined) {
    return noBaseline(differentStateReason(maxTimesSent(copies)));
  }
  if (base.first.completeness !== "complete" || varied.completeness !== "complete") {
    return noBaseline(notCompared.limited);
  }
  const hasCommit = haveCommits([varied, ...usableSearches(copies), ...referenceSearches]);
  return !hasCommit && wasSentDuring(varied, base)
    ? { kind: "stable", base }
    : noBaseline(reasonForUnknownState(varied, usableSearches(copies)));
}

/** Reports whether a search was sent between the first and the last copy, while nothing changed. */
export const wasSentDuring = ({ sentAtMicros }: UsableSearch, { fromMicros, toMicros }: StableSearch): boolean =>
  fromMicros <= sentAtMicros && sentAtMicros <= toMicros;
