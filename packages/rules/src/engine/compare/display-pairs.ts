import { hasBoth } from "./define-comparison.ts";
import type { ComparedSearch } from "./compared-search.ts";
import type { Comparison } from "./define-comparison.ts";
import { wasSentBetween, findSharedRepositories } from "./same-state.ts";
import { displayLimit, limitsDisplay, searchKey } from "./search.ts";
import { toUsableSearches } from "./usable-search.ts";
import type { UsableSearch } from "./usable-search.ts";

/** The usable searches of a group that differ only in `display`. */
export interface DisplayGroup {
  /** Searches with a `display` of at least 1. */
  readonly limitedSearches: readonly UsableSearch[];
  /** Searches without a `display` limit. Excludes incomplete searches. */
  readonly unlimitedSearches: readonly UsableSearch[];
}

/** Groups searches that differ only in `display`. */
export const byDisplay: Pick<Comparison, "groupKey" | "hasPair"> = {
  groupKey: (search) => searchKey(search, { display: undefined }),
  hasPair: hasBoth(
    (search) => displayLimit(search) > 0,
    (search) => !limitsDisplay(search),
  ),
};

/** Returns the usable searches of a group, with and without `display`. */
export const splitByDisplay = (group: readonly ComparedSearch[]): DisplayGroup => ({
  limitedSearches: toUsableSearches(group.filter(({ search }) => displayLimit(search) > 0)),
  unlimitedSearches: toUsableSearches(group.filter(({ search }) => !limitsDisplay(search))).filter(
    ({ completeness }) => completeness !== "incomplete",
  ),
});

/**
 * Returns the searches without a limit that saw the same state of at least one repository as `search`. If `hasCommit`
 * is false, returns all of them if `search` was sent between them, otherwise none.
 */
export function findUnlimitedInSameState(
  search: UsableSearch,
  unlimitedSearches: readonly UsableSearch[],
  hasCommit: boolean,
): readonly UsableSearch[] {
  if (hasCommit) {
    return unlimitedSearches.filter(({ results }) => findSharedRepositories(results, search.results).size > 0);
  }
  return wasSentBetween(search, unlimitedSearches) ? unlimitedSearches : [];
}

/** Lists the ids of the first three searches for a message. */
export const listSearches = (searches: readonly UsableSearch[]): string => {
  const ids = searches.slice(0, 3).map(({ id }) => id);
  return `${ids.length > 1 ? "searches" : "search"} ${ids.join(", ")}`;
};
