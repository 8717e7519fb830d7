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
 * Reports whether `plain` returned less than half as much as `search`, counting only repositories that both report at
 * the same commit.
 */
function returnedLess(plain: UsableSearch, search: UsableSearch, unit: "lines" | "files"): boolean {
  const shared = sharedRepositories(plain.results, search.results);
  const [less, more] = [plain, search].map(({ results }) => countResults(resultsWithin(results, shared))[unit]);
  return 2 * (less ?? 0) < (more ?? 0);
}

/** Searches without a `display` limit, grouped by how they request that: without the parameter or with -1. */
interface UnlimitedSearches {
  /** Whether any search, in any group, names commits. */
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
 * Reports whether `plain` dropped matches that it had counted. Both searches counted the same number, in the same index
 * state as far as `plain` returned results, but `search` returned everything that `plain` did.
 */
function droppedCountedMatches(plain: UsableSearch, search: UsableSearch): boolean {
  const [less, more] = [plain.results, search.results];
  const shared = sharedRepositories(less, more);
  const isSame =
    less.unidentifiedCounts.size === 0 && countResults(resultsWithin(less, shared)).files === countResults(less).files;
  const isCounted = less.matchCount !== undefined && less.matchCount === more.matchCount;
  return isSame && isCounted && plain.isFinished && findMissing(more, less).count === 0;
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
  const droppedResults = (plain: UsableSearch): boolean =>
    droppedCountedMatches(plain, search) && countResults(plain.results)[unit] < returnedCount;
  const isLess = (plain: UsableSearch): boolean =>
    returnedLess(plain, search, unit) || droppedCountedMatches(plain, search);
  if (known.every(droppedResults) || (2 * max < returnedCount && (!hasCommit || known.every(isLess)))) {
    const message = `search ${search.id} with \`display=${displayLimit(
      search.search,
    )}\` returned ${returnedCount} matching ${unit}; ${label}, ${listSearches(searches)} returned at most ${max}`;
    report.violation({ message });
  }
}

/**
 * Without `display`, and with -1, everything is returned. Results vary between searches. The rule fails if every search
 * without a limit returned less than half of what the search with `display` returned, counting only repositories at the
 * same commit. It also fails for any shortfall if all searches counted the same number of matches. Source:
 * search-stream, sections 4 and 8.
 */
export const noDisplayNoLimit = defineComparison({
  id: "stream/no-display-no-limit",
  ...byDisplay,
  judge(group, reportFor) {
    const { limited, plain } = splitByDisplay(group);
    const hasCommit = haveCommits([...limited, ...plain]);
    for (const search of limited) {
      for (const unlimited of groupUnlimited(plain, hasCommit)) {
        judgeUnlimited(search, unlimited, reportFor(search.id));
      }
    }
  },
});

const foundTooLittle = "the search finds fewer than two lines; choose a `--query` that finds more";
