import type { ComparedSearch } from "./compared-search.ts";
import { compareResults } from "./result-difference.ts";
import {
  incompleteReason,
  searchesInSameState,
  hasAnyCommit,
  notCompared,
  differentStateReason,
  compareStates,
  reasonForUnknownState,
} from "./same-state.ts";
import { maxTimesSent } from "./search.ts";
import { toUsableSearch, toUsableSearches } from "./usable-search.ts";
import type { UsableSearch } from "./usable-search.ts";

/** A search that returned the same results every time. */
export interface StableSearch {
  /** The first repeat. All repeats returned the same results. */
  readonly first: UsableSearch;
  readonly firstSentAtMicros: number;
  readonly lastSentAtMicros: number;
}

function hasSameResults({ results }: UsableSearch, other: UsableSearch): boolean {
  const { difference, isInconclusive } = compareResults(results, other.results);
  return difference === undefined && !isInconclusive;
}

/**
 * Returns the repeats of a search as a stable search, or undefined if they are not one. There must be at least two. All
 * must be usable, none incomplete, and their results must be equal and unambiguous.
 */
export function findStableSearch(repeats: readonly ComparedSearch[]): StableSearch | undefined {
  const usableRepeats = toUsableSearches(repeats);
  return usableRepeats.length === repeats.length ? toStableSearch(usableRepeats) : undefined;
}

/** Does the same as `findStableSearch` for repeats that are all usable. */
export function toStableSearch(repeats: readonly UsableSearch[]): StableSearch | undefined {
  const [first] = repeats;
  const isComplete = repeats.every(({ completeness }) => completeness !== "incomplete");
  if (
    first === undefined ||
    repeats.length < 2 ||
    !isComplete ||
    !repeats.every((repeat) => hasSameResults(first, repeat))
  ) {
    return undefined;
  }
  const times = repeats.map(({ sentAtMicros }) => sentAtMicros);
  return { first, firstSentAtMicros: Math.min(...times), lastSentAtMicros: Math.max(...times) };
}

/**
 * Returns repeats that name the same commits as a stable search, if all returned the same results. One search is enough,
 * because its commits show its state.
 */
export const toBase = (repeats: readonly UsableSearch[]): StableSearch | undefined => {
  const [first] = repeats;
  return first !== undefined && repeats.length === 1
    ? { first, firstSentAtMicros: first.sentAtMicros, lastSentAtMicros: first.sentAtMicros }
    : toStableSearch(repeats);
};

/** A baseline for another search, or the reason there is none. */
export type Baseline =
  | { readonly kind: "stable"; readonly base: StableSearch }
  | { readonly kind: "none"; readonly reason: string };

const noBaseline = (reason: string): Baseline => ({ kind: "none", reason });

/** Removes incomplete searches, which prove nothing. */
export const withoutIncomplete = (searches: readonly UsableSearch[]): readonly UsableSearch[] =>
  searches.filter(({ completeness }) => completeness !== "incomplete");

/**
 * Finds the baseline for `variedSearch` among the repeats of another search. Both searches must be complete. The
 * evidence must show that they saw the same index state, because the specification does not guarantee it. If the
 * results name commits, a repeat must have the same commits as `variedSearch`, and all repeats that have them must agree.
 * Repeats with other commits are ignored. If no search, including `referenceSearches`, names commits, `variedSearch` must
 * have been sent between repeats that all returned the same results.
 */
export function findBaseline(
  variedSearch: UsableSearch,
  repeats: readonly ComparedSearch[],
  referenceSearches: readonly UsableSearch[] = [],
): Baseline {
  const usableRepeats = toUsableSearches(repeats);
  if (variedSearch.completeness === "incomplete") {
    return noBaseline(incompleteReason(maxTimesSent(repeats)));
  }
  const sameStateBase = toBase(searchesInSameState(variedSearch, withoutIncomplete(usableRepeats)));
  if (sameStateBase !== undefined) {
    return sameStateBase.first.completeness === "complete" && variedSearch.completeness === "complete"
      ? { kind: "stable", base: sameStateBase }
      : noBaseline(notCompared.limited);
  }
  return usableRepeats.some(({ completeness }) => completeness === "incomplete")
    ? noBaseline(incompleteReason(maxTimesSent(repeats)))
    : findBaselineByTime({ variedSearch, repeats, referenceSearches });
}

/**
 * Finds the baseline if no repeat has the commits of `variedSearch`, or those that have them disagree. The sending times
 * must then show that the index did not change.
 */
function findBaselineByTime({
  variedSearch,
  repeats,
  referenceSearches,
}: {
  readonly variedSearch: UsableSearch;
  readonly repeats: readonly ComparedSearch[];
  readonly referenceSearches: readonly UsableSearch[];
}): Baseline {
  const comparableRepeats = repeats.filter((repeat) => {
    const search = toUsableSearch(repeat);
    return search === undefined || compareStates(search.results, variedSearch.results) !== "different";
  });
  const base = findStableSearch(comparableRepeats);
  if (base === undefined) {
    return noBaseline(differentStateReason(maxTimesSent(repeats)));
  }
  if (base.first.completeness !== "complete" || variedSearch.completeness !== "complete") {
    return noBaseline(notCompared.limited);
  }
  const hasCommit = hasAnyCommit([variedSearch, ...toUsableSearches(repeats), ...referenceSearches]);
  return !hasCommit && wasSentDuring(variedSearch, base)
    ? { kind: "stable", base }
    : noBaseline(reasonForUnknownState(variedSearch, toUsableSearches(repeats)));
}

/** Reports whether a search was sent between the first and the last repeat of a stable search. */
export const wasSentDuring = (
  { sentAtMicros }: UsableSearch,
  { firstSentAtMicros, lastSentAtMicros }: StableSearch,
): boolean => firstSentAtMicros <= sentAtMicros && sentAtMicros <= lastSentAtMicros;
