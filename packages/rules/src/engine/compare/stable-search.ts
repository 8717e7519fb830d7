import type { ComparedSearch } from "./compared-search.ts";
import { compareResults } from "./found-difference.ts";
import {
  incompleteIn,
  inStateOf,
  hasCommits,
  notCompared,
  otherStateIn,
  stateOf,
  reasonUnknown,
} from "./same-state.ts";
import { timesSent } from "./search.ts";
import { usable, usableOf } from "./usable.ts";
import type { UsableSearch } from "./usable.ts";

/** A search that found the same every time. */
export interface StableSearch {
  /** The first of its copies. All copies found the same. */
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
 * The stable search of these copies: sent at least twice, every copy usable and complete, and all with the same
 * unambiguous results. Only such a search can be a baseline.
 */
export function stableSearch(copies: readonly ComparedSearch[]): StableSearch | undefined {
  const found = usableOf(copies);
  return found.length === copies.length ? stableAmong(found) : undefined;
}

/** Like `stableSearch`, for copies that are all usable. */
export function stableAmong(found: readonly UsableSearch[]): StableSearch | undefined {
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
  | { readonly kind: "steady"; readonly base: StableSearch }
  | { readonly kind: "none"; readonly reason: string };

const none = (reason: string): Baseline => ({ kind: "none", reason });

/** The complete searches. Results found during an incomplete one prove nothing. */
export const conclusive = (searches: readonly UsableSearch[]): readonly UsableSearch[] =>
  searches.filter(({ standing }) => standing !== "incomplete");

/**
 * Finds the baseline for `varied` among these copies: both searches are complete and certainly saw the same state of
 * the index. The specification does not guarantee that two searches see the same state. If commits are named, only
 * copies with the commits of `varied` are used, and at least two of them, regardless of the others. If neither these
 * searches nor `referenceSearches` name commits, all copies before and after must have found the same.
 */
export function findBaseline(
  varied: UsableSearch,
  copies: readonly ComparedSearch[],
  referenceSearches: readonly UsableSearch[] = [],
): Baseline {
  const found = usableOf(copies);
  if (varied.standing === "incomplete") {
    return none(incompleteIn(timesSent(copies)));
  }
  const known = stableAmong(inStateOf(varied, conclusive(found)));
  if (known !== undefined) {
    return known.first.standing === "complete" && varied.standing === "complete"
      ? { kind: "steady", base: known }
      : none(notCompared.limited);
  }
  return found.some(({ standing }) => standing === "incomplete")
    ? none(incompleteIn(timesSent(copies)))
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
    const search = usable(copy);
    return search === undefined || stateOf(search.results, varied.results) !== "other";
  });
  const base = stableSearch(rest);
  if (base === undefined) {
    return none(otherStateIn(timesSent(copies)));
  }
  if (base.first.standing !== "complete" || varied.standing !== "complete") {
    return none(notCompared.limited);
  }
  const hasCommit = hasCommits([varied, ...usableOf(copies), ...referenceSearches]);
  return !hasCommit && isDuring(varied, base)
    ? { kind: "steady", base }
    : none(reasonUnknown(varied, usableOf(copies)));
}

/** Reports whether a search was sent while nothing changed: between the first and the last copy. */
export const isDuring = ({ sentAtMicros }: UsableSearch, { fromMicros, toMicros }: StableSearch): boolean =>
  fromMicros <= sentAtMicros && sentAtMicros <= toMicros;
