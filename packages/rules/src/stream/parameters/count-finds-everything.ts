import type { Reporter } from "../../engine/reporter.ts";
import { requestsAll, parseCountedSearch, countLimit } from "../../engine/compare/count-limit.ts";
import { defineComparison, groupBy, hasBoth } from "../../engine/compare/define-comparison.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { findMissing, describeMissing } from "../../engine/compare/result-difference.ts";
import { countParameter, countAllParameter } from "../../engine/compare/result-preserving-parameters.ts";
import { countResults } from "../../engine/compare/result-size.ts";
import {
  comparableResults,
  searchesInSameState,
  hasAnyCommit,
  notCompared,
  differentStateReason,
  findSharedRepositories,
  namesEveryCommit,
} from "../../engine/compare/same-state.ts";
import {
  hasSmallDisplay,
  equalResultsKey,
  ineffectiveParameters,
  searchKey,
  maxTimesSent,
} from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import {
  withoutIncomplete,
  wasSentDuring,
  toStableSearch,
  findStableSearch,
} from "../../engine/compare/stable-search.ts";
import { toUsableSearches } from "../../engine/compare/usable-search.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";

/** Reports whether both searches name the commit of all results. Their sending times then do not matter. */
const haveAllCommits = (left: UsableSearch, right: UsableSearch): boolean =>
  hasAnyCommit([left]) && hasAnyCommit([right]) && namesEveryCommit(left.results) && namesEveryCommit(right.results);

/** Returns the exhaustive search in the index state of `reference`. All repeats in that state must agree. */
function findExhaustiveInSameState(
  reference: UsableSearch,
  repeats: readonly ComparedSearch[],
): UsableSearch | undefined {
  const completeSearches = withoutIncomplete(toUsableSearches(repeats));
  const comparableSearches =
    repeats.length === 1
      ? completeSearches.filter((search) => haveAllCommits(search, reference))
      : searchesInSameState(reference, completeSearches);
  return comparableSearches.length > 1 ? toStableSearch(comparableSearches)?.first : comparableSearches[0];
}

/** Two searches in the same index state. The exhaustive search must not lack results of the reference search. */
interface Pair {
  readonly exhaustiveSearch: UsableSearch;
  readonly referenceSearch: UsableSearch;
}

/** Groups the repeats of each search. */
const groupRepeats = (searches: readonly ComparedSearch[]): readonly (readonly ComparedSearch[])[] =>
  groupBy(searches, ({ search }) => searchKey(search));

/**
 * Pairs exhaustive searches without commits with another search whose repeats before and after returned the same
 * results.
 */
const pairByTime = (repeats: readonly ComparedSearch[], others: readonly ComparedSearch[]): readonly Pair[] =>
  groupRepeats(others).flatMap((repeatsOfOther) => {
    const stableOther = findStableSearch(repeatsOfOther);
    return stableOther === undefined
      ? []
      : withoutIncomplete(toUsableSearches(repeats))
          .filter((search) => wasSentDuring(search, stableOther) && !hasAnyCommit([search, stableOther.first]))
          .map((exhaustiveSearch) => ({ exhaustiveSearch, referenceSearch: stableOther.first }));
  });

/**
 * Returns the pairs that can be compared. If commits are named, both searches must have the same ones. Otherwise one
 * search must have been sent between repeats of the other search.
 */
function pairSearches(repeats: readonly ComparedSearch[], others: readonly ComparedSearch[]): readonly Pair[] {
  const stableRepeats = findStableSearch(repeats);
  const sameStatePairs = toUsableSearches(others).flatMap((referenceSearch): readonly Pair[] => {
    const exhaustiveSearch =
      findExhaustiveInSameState(referenceSearch, repeats) ??
      (stableRepeats !== undefined && wasSentDuring(referenceSearch, stableRepeats) ? stableRepeats.first : undefined);
    return exhaustiveSearch === undefined ? [] : [{ exhaustiveSearch, referenceSearch }];
  });
  return [...sameStatePairs, ...pairByTime(repeats, others)];
}

function judgePair({ exhaustiveSearch, referenceSearch }: Pair, label: string, report: Reporter): void {
  const hasCommit = hasAnyCommit([exhaustiveSearch, referenceSearch]);
  const missing = findMissing(
    exhaustiveSearch.results,
    comparableResults(referenceSearch, exhaustiveSearch, hasCommit),
  );
  report.observation(Number(missing.comparedCount > 0));
  if (missing.comparedCount === 0) {
    report.notTested(notCompared.unknownState);
  }
  if (missing.count > 0) {
    const message = `search ${exhaustiveSearch.id} with \`${label}\` lacks results of search ${referenceSearch.id}: ${describeMissing(missing)}`;
    report.violation({ message });
  }
}

/** Returns the key shared by searches that return everything and differ only in the requested number. */
const keyWithoutNumber = (search: Search): string | undefined =>
  hasSmallDisplay(search) ? undefined : parseCountedSearch(search)?.key;

/**
 * `count:all` finds everything that the same search with a number finds. Compares searches with the same commits. If no
 * commits are named, one of the two searches must have been sent between repeats of the other that returned the same
 * results. Source: search-stream, sections 1 and 4.
 */
export const countAllFindsEverything = defineComparison({
  id: "stream/count-all-finds-everything",
  groupKey: keyWithoutNumber,
  hasPair: hasBoth(requestsAll, (search) => !requestsAll(search)),
  resultPreservingParameters: [countAllParameter],
  judge(group, reportFor) {
    const repeats = group.filter(({ search }) => requestsAll(search));
    reportFor("").notTested(differentStateReason(maxTimesSent(repeats)));
    for (const pair of pairSearches(
      repeats,
      group.filter(({ search }) => !requestsAll(search)),
    )) {
      judgePair(pair, "count:all", reportFor(pair.exhaustiveSearch.id));
    }
  },
});

/** Reports whether a search found fewer matches than its `count:` in every unit, and reports no limit. */
function ranToEnd({ search, results, completeness, isFinished }: UsableSearch): boolean {
  const limit = countLimit(search);
  const matchCount = results.matchCount ?? limit;
  return (
    isFinished &&
    completeness === "complete" &&
    Number.isFinite(limit) &&
    matchCount < limit &&
    countResults(results).highlights < limit
  );
}

/** Factor that rules out coincidence when equal searches are compared. */
const minFactor = 2;

/** Lists the `count:` of a search and its parameters without effect. A message encloses the list in backticks. */
const describeSearch = ({ search }: UsableSearch): string =>
  [
    `count:${countLimit(search)}`,
    ...Object.keys(ineffectiveParameters(search)).flatMap((name) => {
      const value = search.parameters.get(name);
      return value === undefined ? [] : [`${name}=${value}`];
    }),
  ].join("` and `");

/**
 * Groups searches that must return the same results. If any search of a group stopped at a limit, splits the group into
 * repeats of the same search, and keeps those of which all ran to the end.
 */
const groupEqualSearches = (group: readonly ComparedSearch[]): readonly (readonly UsableSearch[])[] =>
  groupBy(group, ({ search }) => equalResultsKey(search)).flatMap((equalRepeats) => {
    const usableRepeats = toUsableSearches(equalRepeats);
    return usableRepeats.every(ranToEnd)
      ? [usableRepeats]
      : groupRepeats(equalRepeats)
          .map(toUsableSearches)
          .filter((repeats) => repeats.every(ranToEnd));
  });

/**
 * Judges searches that must return the same results and did not stop at their `count:`. At the same commits, none may
 * have less than half the lines of another.
 */
function judgeEqual(repeats: readonly UsableSearch[], reportFor: (exchange: string) => Reporter): void {
  for (const search of repeats) {
    const largerSearch = repeats.find((repeat) => {
      const haveSameState = findSharedRepositories(repeat.results, search.results).size > 0;
      const [repeatLines = 0, searchLines = 0] = [
        comparableResults(repeat, search, true),
        comparableResults(search, repeat, true),
      ].map((part) => countResults(part).lines);
      return haveSameState && repeatLines > minFactor * searchLines;
    });
    if (largerSearch !== undefined) {
      judgePair(
        { exhaustiveSearch: search, referenceSearch: largerSearch },
        describeSearch(search),
        reportFor(search.id),
      );
    }
  }
}

const allStoppedReason =
  "no search found fewer matches than its number without reporting a limit, in a state of the index that another search saw; choose a `--query` that finds fewer than 1,000 matches";

/**
 * `count:` ends the search when that number is reached, and not earlier. A search that found fewer matches must not
 * omit results that the same search with another number finds. Source: search-stream, section 4.
 */
export const countStopsNoEarlier = defineComparison({
  id: "stream/count-stops-no-earlier",
  groupKey: (search) =>
    hasSmallDisplay(search) ? undefined : parseCountedSearch(search, ineffectiveParameters(search))?.key,
  hasPair: (searches) => new Set(searches.map((search) => searchKey(search))).size > 1,
  resultPreservingParameters: [countParameter],
  judge(group, reportFor) {
    reportFor("").notTested(allStoppedReason);
    for (const repeats of groupEqualSearches(group.filter(({ search }) => !requestsAll(search)))) {
      judgeEqual(repeats, reportFor);
    }
    for (const searches of groupBy(group, ({ search }) => keyWithoutNumber(search))) {
      judgeNumbers(searches, reportFor);
    }
  },
});

/**
 * Judges searches that differ only in their `count:`. A search that did not stop at a limit must not lack results of
 * another search.
 */
function judgeNumbers(group: readonly ComparedSearch[], reportFor: (exchange: string) => Reporter): void {
  for (const searches of groupRepeats(group)) {
    const repeats = toUsableSearches(searches);
    const [first] = repeats;
    if (first === undefined || requestsAll(first.search) || !repeats.every(ranToEnd)) {
      continue;
    }
    const otherSearches = group.filter(({ search }) => searchKey(search) !== searchKey(first.search));
    for (const pair of pairSearches(searches, otherSearches)) {
      judgePair(pair, `count:${countLimit(first.search)}`, reportFor(pair.exhaustiveSearch.id));
    }
  }
}
