import type { Reporter } from "../../engine/reporter.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import {
  byDisplay,
  splitByDisplay,
  displayLimit,
  findSameState,
  listSearches,
} from "../../engine/compare/display-pairs.ts";
import { findMissing } from "../../engine/compare/result-difference.ts";
import { hasAllLines, countResults } from "../../engine/compare/result-size.ts";
import {
  resultsWithin,
  haveCommits,
  reasonForUnknownState,
  sharedRepositories,
} from "../../engine/compare/same-state.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";

/**
 * Reports whether `unlimited` returned less than half as much as `search`. Considers only repositories that both
 * searches report at the same commit.
 */
function returnedLess(unlimited: UsableSearch, search: UsableSearch, unit: "lines" | "files"): boolean {
  const shared = sharedRepositories(unlimited.results, search.results);
  const [less, more] = [unlimited, search].map(({ results }) => countResults(resultsWithin(results, shared))[unit]);
  return 2 * (less ?? 0) < (more ?? 0);
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
  ].filter(({ searches }) => searches.length > 0);
}

/** Reports whether a search counted matches and returned none. A different index state cannot explain that. */
const countedButReturnedNone = ({ results, isFinished }: UsableSearch): boolean =>
  isFinished && countResults(results).files === 0 && (results.matchCount ?? 0) > 0;

/**
 * Reports whether `unlimited` may have dropped matches that it had counted: both searches counted the same number,
 * `search` returned every result of `unlimited`, and all results of `unlimited` are in the same index state.
 */
function droppedCountedMatches(unlimited: UsableSearch, search: UsableSearch): boolean {
  const [less, more] = [unlimited.results, search.results];
  const shared = sharedRepositories(less, more);
  const isSame =
    less.unidentifiedCounts.size === 0 && countResults(resultsWithin(less, shared)).files === countResults(less).files;
  const isCounted = less.matchCount !== undefined && less.matchCount === more.matchCount;
  return isSame && isCounted && unlimited.isFinished && findMissing(more, less).count === 0;
}

function judgeUnlimited(
  search: UsableSearch,
  { searches, label, hasCommit }: UnlimitedSearches,
  report: Reporter,
): void {
  const unit = [search, ...searches].every(({ results }) => hasAllLines(results)) ? "lines" : "files";
  const returnedCount = countResults(search.results)[unit];
  const empty = searches.find(countedButReturnedNone);
  if (empty !== undefined && returnedCount > 0) {
    report.observation();
    const message = `search ${search.id} with \`display=${displayLimit(
      search.search,
    )}\` returned ${returnedCount} matching ${unit}; ${label}, search ${
      empty.id
    } counted ${empty.results.matchCount} matches and returned none`;
    report.violation({ message });
    return;
  }
  const known = findSameState(search, searches, hasCommit);
  if (known.length === 0 || returnedCount < 2) {
    report.notTested(returnedCount < 2 ? foundTooLittle : reasonForUnknownState(search, searches));
    return;
  }
  const max = Math.max(...searches.map(({ results }) => countResults(results)[unit]));
  report.observation();
  const droppedResults = (unlimited: UsableSearch): boolean =>
    droppedCountedMatches(unlimited, search) && countResults(unlimited.results)[unit] < returnedCount;
  const isLess = (unlimited: UsableSearch): boolean =>
    returnedLess(unlimited, search, unit) || droppedCountedMatches(unlimited, search);
  if (known.every(droppedResults) || (2 * max < returnedCount && (!hasCommit || known.every(isLess)))) {
    const message = `search ${search.id} with \`display=${displayLimit(
      search.search,
    )}\` returned ${returnedCount} matching ${unit}; ${label}, ${listSearches(searches)} returned at most ${max}`;
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
    const { limited, unlimited } = splitByDisplay(group);
    const hasCommit = haveCommits([...limited, ...unlimited]);
    for (const search of limited) {
      for (const unlimitedGroup of groupUnlimited(unlimited, hasCommit)) {
        judgeUnlimited(search, unlimitedGroup, reportFor(search.id));
      }
    }
  },
});

const foundTooLittle = "the search finds fewer than two lines; choose a `--query` that finds more";
