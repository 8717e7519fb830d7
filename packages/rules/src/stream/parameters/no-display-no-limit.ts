import type { Reporter } from "../../engine/reporter.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import {
  byDisplay,
  splitByDisplay,
  findUnlimitedInSameState,
  listSearches,
} from "../../engine/compare/display-pairs.ts";
import { findMissing } from "../../engine/compare/result-difference.ts";
import { hasAllLines, countResults } from "../../engine/compare/result-size.ts";
import {
  resultsInRepositories,
  hasAnyCommit,
  reasonForUnknownState,
  findSharedRepositories,
} from "../../engine/compare/same-state.ts";
import { displayLimit } from "../../engine/compare/search.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";

/**
 * Reports whether `unlimitedSearch` returned less than half as much as `search`. Considers only repositories that both
 * searches report at the same commit.
 */
function returnedLessThanHalf(unlimitedSearch: UsableSearch, search: UsableSearch, unit: "lines" | "files"): boolean {
  const sharedNames = findSharedRepositories(unlimitedSearch.results, search.results);
  const [unlimitedCount, limitedCount] = [unlimitedSearch, search].map(
    ({ results }) => countResults(resultsInRepositories(results, sharedNames))[unit],
  );
  return 2 * (unlimitedCount ?? 0) < (limitedCount ?? 0);
}

/** Searches without a `display` limit that all omit the parameter or all send -1. */
interface UnlimitedSearches {
  /** Whether any compared search names commits. */
  readonly hasCommit: boolean;
  readonly searches: readonly UsableSearch[];
  readonly label: string;
}

const setsDisplay = ({ search }: UsableSearch): boolean => search.parameters.has("display");

function groupUnlimited(searches: readonly UsableSearch[], hasCommit: boolean): readonly UnlimitedSearches[] {
  return [
    {
      searches: searches.filter((search) => !setsDisplay(search)),
      label: "without it",
      hasCommit,
    },
    { searches: searches.filter(setsDisplay), label: "with `display=-1`", hasCommit },
  ].filter((group) => group.searches.length > 0);
}

/** Reports whether a search counted matches and returned none. A different index state cannot explain that. */
const countedButReturnedNone = ({ results, isFinished }: UsableSearch): boolean =>
  isFinished && countResults(results).files === 0 && (results.matchCount ?? 0) > 0;

/**
 * Reports whether `unlimitedSearch` may have dropped matches that it had counted: both searches counted the same
 * number, `search` returned every result of `unlimitedSearch`, and both searches name the same commit for all results
 * of `unlimitedSearch`.
 */
function droppedCountedMatches(unlimitedSearch: UsableSearch, search: UsableSearch): boolean {
  const [unlimitedResults, limitedResults] = [unlimitedSearch.results, search.results];
  const sharedNames = findSharedRepositories(unlimitedResults, limitedResults);
  const areAllShared =
    unlimitedResults.unidentifiedCounts.size === 0 &&
    countResults(resultsInRepositories(unlimitedResults, sharedNames)).files === countResults(unlimitedResults).files;
  const isCounted =
    unlimitedResults.matchCount !== undefined && unlimitedResults.matchCount === limitedResults.matchCount;
  return (
    areAllShared && isCounted && unlimitedSearch.isFinished && findMissing(limitedResults, unlimitedResults).count === 0
  );
}

function judgeUnlimited(
  search: UsableSearch,
  { searches, label, hasCommit }: UnlimitedSearches,
  report: Reporter,
): void {
  const unit = [search, ...searches].every(({ results }) => hasAllLines(results)) ? "lines" : "files";
  const returnedCount = countResults(search.results)[unit];
  const emptySearch = searches.find(countedButReturnedNone);
  if (emptySearch !== undefined && returnedCount > 0) {
    report.observation();
    const message = `search ${search.id} with \`display=${displayLimit(
      search.search,
    )}\` returned ${returnedCount} matching ${unit}; ${label}, search ${
      emptySearch.id
    } counted ${emptySearch.results.matchCount} matches and returned none`;
    report.violation({ message });
    return;
  }
  const sameStateSearches = findUnlimitedInSameState(search, searches, hasCommit);
  if (sameStateSearches.length === 0 || returnedCount < 2) {
    report.notTested(returnedCount < 2 ? tooFewLinesReason : reasonForUnknownState(search, searches));
    return;
  }
  const maxReturnedCount = Math.max(...searches.map(({ results }) => countResults(results)[unit]));
  report.observation();
  const droppedSomeResults = (unlimitedSearch: UsableSearch): boolean =>
    droppedCountedMatches(unlimitedSearch, search) && countResults(unlimitedSearch.results)[unit] < returnedCount;
  const returnedTooLittle = (unlimitedSearch: UsableSearch): boolean =>
    returnedLessThanHalf(unlimitedSearch, search, unit) || droppedCountedMatches(unlimitedSearch, search);
  if (
    sameStateSearches.every(droppedSomeResults) ||
    (2 * maxReturnedCount < returnedCount && (!hasCommit || sameStateSearches.every(returnedTooLittle)))
  ) {
    const message = `search ${search.id} with \`display=${displayLimit(
      search.search,
    )}\` returned ${returnedCount} matching ${unit}; ${label}, ${listSearches(searches)} returned at most ${maxReturnedCount}`;
    report.violation({ message });
  }
}

/**
 * Without `display`, and with -1, everything is returned. Results vary between searches, so the rule fails only if
 * every search without a limit returned less than half as much as the search with `display`, in repositories at the
 * same commit. If all searches counted the same number of matches, it fails for any shortfall. Source: search-stream,
 * sections 4 and 8.
 */
export const noDisplayNoLimit = defineComparison({
  id: "stream/no-display-no-limit",
  ...byDisplay,
  judge(group, reportFor) {
    const { limitedSearches, unlimitedSearches } = splitByDisplay(group);
    const hasCommit = hasAnyCommit([...limitedSearches, ...unlimitedSearches]);
    for (const search of limitedSearches) {
      for (const unlimitedGroup of groupUnlimited(unlimitedSearches, hasCommit)) {
        judgeUnlimited(search, unlimitedGroup, reportFor(search.id));
      }
    }
  },
});

const tooFewLinesReason = "the search finds fewer than two lines; choose a `--query` that finds more";
