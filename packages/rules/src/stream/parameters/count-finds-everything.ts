import type { Reporter } from "../../engine/reporter.ts";
import { requestsAll, countedSearch, countLimit } from "../../engine/compare/count-limit.ts";
import { defineComparison, groupBy, hasBoth } from "../../engine/compare/define-comparison.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { findMissing, describeMissing } from "../../engine/compare/result-difference.ts";
import { countParameter, countAllParameter } from "../../engine/compare/result-preserving-parameters.ts";
import { countResults } from "../../engine/compare/result-size.ts";
import {
  comparablePart,
  withSameState,
  haveCommits,
  notCompared,
  differentStateReason,
  sharedRepositories,
  namesEveryCommit,
} from "../../engine/compare/same-state.ts";
import {
  limitsDisplay,
  equalResultsKey,
  ineffectiveParameters,
  searchKey,
  maxTimesSent,
} from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import {
  withoutIncomplete,
  wasSentDuring,
  stableSearchFrom,
  stableSearch,
} from "../../engine/compare/stable-search.ts";
import { usableSearches } from "../../engine/compare/usable-search.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";

/** Reports whether both searches name the commit of all results. Their sending times then do not matter. */
const haveAllCommits = (left: UsableSearch, right: UsableSearch): boolean =>
  haveCommits([left]) && haveCommits([right]) && namesEveryCommit(left.results) && namesEveryCommit(right.results);

/** Returns the exhaustive search in the index state of `reference`. All repeats in that state must agree. */
function findInSameState(reference: UsableSearch, repeats: readonly ComparedSearch[]): UsableSearch | undefined {
  const complete = withoutIncomplete(usableSearches(repeats));
  const comparable =
    repeats.length === 1
      ? complete.filter((search) => haveAllCommits(search, reference))
      : withSameState(reference, complete);
  return comparable.length > 1 ? stableSearchFrom(comparable)?.first : comparable[0];
}

/** Two searches in the same index state. The exhaustive search must not lack results of the reference search. */
interface Pair {
  readonly exhaustive: UsableSearch;
  readonly reference: UsableSearch;
}

/** Groups the repeats of each search. */
const groupRepeats = (searches: readonly ComparedSearch[]): readonly (readonly ComparedSearch[])[] =>
  groupBy(searches, ({ search }) => searchKey(search));

/**
 * Pairs exhaustive searches with another search whose repeats before and after returned the same results. For results
 * without commits.
 */
const pairBetween = (repeats: readonly ComparedSearch[], others: readonly ComparedSearch[]): readonly Pair[] =>
  groupRepeats(others).flatMap((repeatsOfOther) => {
    const stable = stableSearch(repeatsOfOther);
    return stable === undefined
      ? []
      : withoutIncomplete(usableSearches(repeats))
          .filter((exhaustive) => wasSentDuring(exhaustive, stable) && !haveCommits([exhaustive, stable.first]))
          .map((exhaustive) => ({ exhaustive, reference: stable.first }));
  });

/**
 * Returns the pairs that can be compared. If commits are named, both searches must have the same ones. Otherwise one
 * search must have been sent between repeats of the other search.
 */
function pairSearches(repeats: readonly ComparedSearch[], others: readonly ComparedSearch[]): readonly Pair[] {
  const stable = stableSearch(repeats);
  const sameStatePairs = usableSearches(others).flatMap((reference): readonly Pair[] => {
    const exhaustive =
      findInSameState(reference, repeats) ??
      (stable !== undefined && wasSentDuring(reference, stable) ? stable.first : undefined);
    return exhaustive === undefined ? [] : [{ exhaustive, reference }];
  });
  return [...sameStatePairs, ...pairBetween(repeats, others)];
}

function judge({ exhaustive, reference }: Pair, label: string, report: Reporter): void {
  const hasCommit = haveCommits([exhaustive, reference]);
  const missing = findMissing(exhaustive.results, comparablePart(reference, exhaustive, hasCommit));
  report.observation(Number(missing.comparedCount > 0));
  if (missing.comparedCount === 0) {
    report.notTested(notCompared.unknownState);
  }
  if (missing.count > 0) {
    const message = `search ${exhaustive.id} with \`${label}\` lacks results of search ${reference.id}: ${describeMissing(missing)}`;
    report.violation({ message });
  }
}

/** Returns the key shared by searches that return everything and differ only in the requested number. */
const keyWithoutNumber = (search: Search): string | undefined =>
  limitsDisplay(search) ? undefined : countedSearch(search)?.key;

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
      judge(pair, "count:all", reportFor(pair.exhaustive.id));
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

/** Returns the `count:` of a search and its parameters without effect, separated for messages. */
const describeSearch = ({ search }: UsableSearch): string =>
  [
    `count:${countLimit(search)}`,
    ...Object.keys(ineffectiveParameters(search)).flatMap((name) => {
      const value = search.parameters.get(name);
      return value === undefined ? [] : [`${name}=${value}`];
    }),
  ].join("` and `");

/**
 * Groups searches that must return the same results and that stopped at no limit. If any of a group stopped at one,
 * only its repeats that all ran to the end are grouped.
 */
const equalSearches = (group: readonly ComparedSearch[]): readonly (readonly UsableSearch[])[] =>
  groupBy(group, ({ search }) => equalResultsKey(search)).flatMap((equalRepeats) => {
    const usable = usableSearches(equalRepeats);
    return usable.every(ranToEnd)
      ? [usable]
      : groupRepeats(equalRepeats)
          .map(usableSearches)
          .filter((repeats) => repeats.every(ranToEnd));
  });

/**
 * Judges searches that must return the same results and did not stop at their `count:`. In the same commits, none may
 * have less than half the lines of another.
 */
function judgeEqual(repeats: readonly UsableSearch[], reportFor: (exchange: string) => Reporter): void {
  for (const search of repeats) {
    const larger = repeats.find((repeat) => {
      const haveSameState = sharedRepositories(repeat.results, search.results).size > 0;
      const [more = 0, less = 0] = [comparablePart(repeat, search, true), comparablePart(search, repeat, true)].map(
        (part) => countResults(part).lines,
      );
      return haveSameState && more > minFactor * less;
    });
    if (larger !== undefined) {
      judge({ exhaustive: search, reference: larger }, describeSearch(search), reportFor(search.id));
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
  groupKey: (search) => (limitsDisplay(search) ? undefined : countedSearch(search, ineffectiveParameters(search))?.key),
  hasPair: (searches) => new Set(searches.map((search) => searchKey(search))).size > 1,
  resultPreservingParameters: [countParameter],
  judge(group, reportFor) {
    reportFor("").notTested(allStoppedReason);
    for (const repeats of equalSearches(group.filter(({ search }) => !requestsAll(search)))) {
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
    const repeats = usableSearches(searches);
    const [first] = repeats;
    if (first === undefined || requestsAll(first.search) || !repeats.every(ranToEnd)) {
      continue;
    }
    const otherSearches = group.filter(({ search }) => searchKey(search) !== searchKey(first.search));
    for (const pair of pairSearches(searches, otherSearches)) {
      judge(pair, `count:${countLimit(first.search)}`, reportFor(pair.exhaustive.id));
    }
  }
}
