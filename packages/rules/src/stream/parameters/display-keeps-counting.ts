import type { Reporter } from "../../engine/reporter.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import {
  byDisplay,
  splitByDisplay,
  findUnlimitedInSameState,
  listSearches,
} from "../../engine/compare/display-pairs.ts";
import { compareResults } from "../../engine/compare/result-difference.ts";
import { displayParameter } from "../../engine/compare/result-preserving-parameters.ts";
import {
  resultsInRepositories,
  hasAnyCommit,
  findSharedRepositories,
  compareStates,
  reasonForUnknownState,
} from "../../engine/compare/same-state.ts";
import { countResults } from "../../engine/compare/result-size.ts";
import type { SizeUnit } from "../../engine/compare/result-size.ts";
import { toBase, wasSentDuring, toStableSearch } from "../../engine/compare/stable-search.ts";
import type { StableSearch } from "../../engine/compare/stable-search.ts";
import { displayLimit } from "../../engine/compare/search.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";

interface SearchWithCount {
  readonly search: UsableSearch;
  readonly count: number;
}

const findSearchesWithCount = (searches: readonly UsableSearch[]): readonly SearchWithCount[] =>
  searches.flatMap((search) => {
    const count = search.results.matchCount;
    return count === undefined ? [] : [{ search, count }];
  });

/**
 * Returns the smallest possible unit of `matchCount`. A search without `display` counts at least as many matches as it
 * returns in that unit.
 */
const determineUnit = (unlimitedSearches: readonly SearchWithCount[]): SizeUnit =>
  (["highlights", "lines"] as const).find((unit) =>
    unlimitedSearches.every(({ search, count }) => count >= countResults(search.results)[unit]),
  ) ?? "files";

/**
 * Reports whether `display` may have limited the returned matches. Counts in other units never exceed the highlights.
 */
const isLimitedByDisplay = ({ search, results }: UsableSearch): boolean => results.highlights >= displayLimit(search);

const notLimitedReason =
  "no search with `display` returned that number of matches although there are more; choose a `--query` that finds many lines";

/**
 * Reports whether any of the searches found more than this search counted. Considers only repositories that both
 * searches report at the same commit.
 */
const isCountExceeded = (
  { search, count }: SearchWithCount,
  searches: readonly UsableSearch[],
  unit: SizeUnit,
): boolean =>
  searches.some(({ results }) => {
    const size = countResults(resultsInRepositories(results, findSharedRepositories(results, search.results)));
    // Highlights are not counted by repository.
    return size[unit === "files" ? "files" : "lines"] > count;
  });

/** The searches without a `display` limit, and their counts. */
interface UnlimitedBaseline {
  readonly searches: readonly UsableSearch[];
  readonly countedSearches: readonly SearchWithCount[];
  /** Set if all searches returned the same results and counts. There are at least two if no commits are named. */
  readonly stableSearch: StableSearch | undefined;
  readonly unit: SizeUnit;
  readonly minCount: number;
  readonly hasCommit: boolean;
}

function createBaseline(searches: readonly UsableSearch[], hasCommit: boolean): UnlimitedBaseline {
  const countedSearches = findSearchesWithCount(searches);
  const counts = new Set(searches.map(({ results }) => `${results.matchCount} ${results.repositoriesCount}`));
  return {
    searches,
    countedSearches,
    stableSearch: counts.size === 1 ? (hasCommit ? toBase(searches) : toStableSearch(searches)) : undefined,
    unit: determineUnit(countedSearches),
    minCount: Math.min(...countedSearches.map(({ count }) => count)),
    hasCommit,
  };
}

/** A count that is smaller by this factor cannot be coincidence, wherever the search stopped. */
const minFactor = 2;

/**
 * Reports whether the search counted fewer matches than the searches without `display`, and the difference is certain:
 * it counted at most as many as it returned, it counted less than half, or no search stopped early and all counts
 * without `display` are equal.
 */
function countedTooFew(
  countedSearch: SearchWithCount,
  sameStateSearches: readonly UsableSearch[],
  baseline: UnlimitedBaseline,
): boolean {
  const { search, count } = countedSearch;
  const { minCount, stableSearch, unit, hasCommit } = baseline;
  const areComplete = search.completeness === "complete" && stableSearch?.first.completeness === "complete";
  const isFewer = count <= countResults(search.results)[unit] || minFactor * count < minCount || areComplete;
  return count < minCount && isFewer && (!hasCommit || isCountExceeded(countedSearch, sameStateSearches, unit));
}

/**
 * Describes a count that differs from the count of a search without `display`, although both searches returned the same
 * results in the same index state.
 */
function describeOtherCount(search: UsableSearch, { stableSearch, hasCommit }: UnlimitedBaseline): string | undefined {
  if (stableSearch === undefined || search.completeness !== "complete") {
    return undefined;
  }
  const { first } = stableSearch;
  const { difference, isInconclusive } = compareResults(search.results, first.results);
  const haveSameState = hasCommit
    ? compareStates(search.results, first.results) === "same"
    : wasSentDuring(search, stableSearch);
  if (difference !== undefined || isInconclusive || !haveSameState || first.completeness !== "complete") {
    return undefined;
  }
  const name = (["matchCount", "repositoriesCount"] as const).find((key) => {
    const [limitedCount, fullCount] = [search.results[key], first.results[key]];
    return limitedCount !== undefined && fullCount !== undefined && limitedCount !== fullCount;
  });
  return name === undefined
    ? undefined
    : `search ${search.id} with \`display=${displayLimit(search.search)}\` has \`${name}\` ${search.results[name]}, but search ${first.id}, which returned the same without it, has ${first.results[name]}`;
}

function judgeCount(search: UsableSearch, baseline: UnlimitedBaseline, report: Reporter): void {
  const difference = describeOtherCount(search, baseline);
  if (difference !== undefined) {
    report.observation();
    report.violation({ message: difference });
    return;
  }
  const count = search.results.matchCount;
  if (count === undefined || !isLimitedByDisplay(search)) {
    return;
  }
  const { searches, minCount, unit, hasCommit } = baseline;
  const searchesWithCount = baseline.countedSearches.map((counted) => counted.search);
  const maxCount = Math.max(0, ...searchesWithCount.map(({ results }) => countResults(results)[unit]));
  const returnedCount = countResults(search.results)[unit];
  const sameStateSearches = findUnlimitedInSameState(search, searchesWithCount, hasCommit);
  if (maxCount <= returnedCount || sameStateSearches.length === 0) {
    report.notTested(maxCount <= returnedCount ? notLimitedReason : reasonForUnknownState(search, searches));
    return;
  }
  report.observation();
  if (countedTooFew({ search, count }, sameStateSearches, baseline)) {
    const message = `search ${search.id} with \`display=${displayLimit(search.search)}\` returned ${returnedCount} matches and counted ${count}; without it, ${listSearches(searches)} counted at least ${minCount}`;
    report.violation({ message });
  }
}

/**
 * `display` does not change the count, because the search continues after the limit. A search must not count fewer
 * matches than the same search without `display` found in the same index state. If both searches returned the same
 * results, their counts must be equal. Source: search-stream, section 4.
 */
export const displayKeepsCounting = defineComparison({
  id: "stream/display-keeps-counting",
  ...byDisplay,
  resultPreservingParameters: [displayParameter],
  judge(group, reportFor) {
    const { limitedSearches, unlimitedSearches } = splitByDisplay(group);
    const baseline = createBaseline(unlimitedSearches, hasAnyCommit([...limitedSearches, ...unlimitedSearches]));
    for (const search of limitedSearches.filter(({ completeness }) => completeness !== "incomplete")) {
      judgeCount(search, baseline, reportFor(search.id));
    }
  },
});
