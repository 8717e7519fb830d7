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
  /** The first repeat. All repeats returned the same results. */
  readonly first: UsableSearch;
  /** Time at which the first repeat was sent. */
  readonly fromMicros: number;
  /** Time at which the last repeat was sent. */
  readonly toMicros: number;
}

function hasSameResults({ results }: UsableSearch, other: UsableSearch): boolean {
  const { clause, isInconclusive } = compareResults(results, other.results);
  return clause === undefined && !isInconclusive;
}

/**
 * Returns the repeats of a search as a stable search. There must be at least two. All must be usable, none incomplete,
 * and their results must be equal and unambiguous. Only a stable search can be a baseline.
 */
export function stableSearch(repeats: readonly ComparedSearch[]): StableSearch | undefined {
  const usable = usableSearches(repeats);
  return usable.length === repeats.length ? stableSearchFrom(usable) : undefined;
}

/** Like `stableSearch`, for repeats that are all usable. */
export function stableSearchFrom(repeats: readonly UsableSearch[]): StableSearch | undefined {
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
  return { first, fromMicros: Math.min(...times), toMicros: Math.max(...times) };
}

/** A baseline for another search, or the reason there is none. */
export type Baseline =
  | { readonly kind: "stable"; readonly base: StableSearch }
  | { readonly kind: "none"; readonly reason: string };

const noBaseline = (reason: string): Baseline => ({ kind: "none", reason });

/** Removes incomplete searches, which prove nothing. */
export const withoutIncomplete = (searches: readonly UsableSearch[]): readonly UsableSearch[] =>
  searches.filter(({ completeness }) => completeness !== "incomplete");

/**
 * Finds the baseline for `varied` among the repeats of another search. Both searches must be complete and must provably
 * have seen the same index state, which the specification does not guarantee. If the results name commits, at least two
 * repeats must have the same commits as `varied`. Repeats with other commits are ignored. If no search, including
 * `referenceSearches`, names commits, all repeats before and after `varied` must have returned the same results.
 */
export function findBaseline(
  varied: UsableSearch,
  repeats: readonly ComparedSearch[],
  referenceSearches: readonly UsableSearch[] = [],
): Baseline {
  const usable = usableSearches(repeats);
  if (varied.completeness === "incomplete") {
    return noBaseline(incompleteReason(maxTimesSent(repeats)));
  }
  const sameStateBase = stableSearchFrom(withSameState(varied, withoutIncomplete(usable)));
  if (sameStateBase !== undefined) {
    return sameStateBase.first.completeness === "complete" && varied.completeness === "complete"
      ? { kind: "stable", base: sameStateBase }
      : noBaseline(notCompared.limited);
  }
  return usable.some(({ completeness }) => completeness === "incomplete")
    ? noBaseline(incompleteReason(maxTimesSent(repeats)))
    : findBaselineByTime({ varied, repeats, referenceSearches });
}

/**
 * Finds the baseline if fewer than two repeats have the commits of `varied`. The sending times must then show that the
 * index did not change.
 */
function findBaselineByTime({
  varied,
  repeats,
  referenceSearches,
}: {
  readonly varied: UsableSearch;
  readonly repeats: readonly ComparedSearch[];
  readonly referenceSearches: readonly UsableSearch[];
}): Baseline {
  const comparableRepeats = repeats.filter((repeat) => {
    const search = toUsableSearch(repeat);
    return search === undefined || compareStates(search.results, varied.results) !== "other";
  });
  const base = stableSearch(comparableRepeats);
  if (base === undefined) {
    return noBaseline(differentStateReason(maxTimesSent(repeats)));
  }
  if (base.first.completeness !== "complete" || varied.completeness !== "complete") {
    return noBaseline(notCompared.limited);
  }
  const hasCommit = haveCommits([varied, ...usableSearches(repeats), ...referenceSearches]);
  return !hasCommit && wasSentDuring(varied, base)
    ? { kind: "stable", base }
    : noBaseline(reasonForUnknownState(varied, usableSearches(repeats)));
}

/** Reports whether a search was sent between the first and the last repeat of a stable search. */
export const wasSentDuring = ({ sentAtMicros }: UsableSearch, { fromMicros, toMicros }: StableSearch): boolean =>
  fromMicros <= sentAtMicros && sentAtMicros <= toMicros;
