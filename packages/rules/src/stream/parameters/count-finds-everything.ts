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

/** Reports whether both name the commit of all their results, so that their times do not matter. */
const haveAllCommits = (left: UsableSearch, right: UsableSearch): boolean =>
  haveCommits([left]) && haveCommits([right]) && namesEveryCommit(left.results) && namesEveryCommit(right.results);

/** Returns the exhaustive search in the state of `reference`. Uses all of its copies in that state. */
function findInSameState(reference: UsableSearch, copies: readonly ComparedSearch[]): UsableSearch | undefined {
  const complete = withoutIncomplete(usableSearches(copies));
  const comparable =
    copies.length === 1
      ? complete.filter((search) => haveAllCommits(search, reference))
      : withSameState(reference, complete);
  return comparable.length > 1 ? stableSearchFrom(comparable)?.first : comparable[0];
}

/** An exhaustive search, and a search whose results it may lack, in the same state of the index. */
interface Pair {
  readonly exhaustive: UsableSearch;
  readonly reference: UsableSearch;
}

/** Returns the copies of each search. */
const groupCopies = (searches: readonly ComparedSearch[]): readonly (readonly ComparedSearch[])[] =>
  groupBy(searches, ({ search }) => searchKey(search));

/** Exhaustive searches sent between two others with the same results, without commits. */
const pairBetween = (copies: readonly ComparedSearch[], others: readonly ComparedSearch[]): readonly Pair[] =>
  groupCopies(others).flatMap((copiesOfOther) => {
    const stable = stableSearch(copiesOfOther);
    return stable === undefined
      ? []
      : withoutIncomplete(usableSearches(copies))
          .filter((exhaustive) => wasSentDuring(exhaustive, stable) && !haveCommits([exhaustive, stable.first]))
          .map((exhaustive) => ({ exhaustive, reference: stable.first }));
  });

/**
 * Returns the pairs that can be compared: searches with the same commits, if commits are named, or otherwise a search that was
 * sent between copies of the other one.
 */
function pairSearches(copies: readonly ComparedSearch[], others: readonly ComparedSearch[]): readonly Pair[] {
  const stable = stableSearch(copies);
  const sameStatePairs = usableSearches(others).flatMap((reference): readonly Pair[] => {
    const exhaustive =
      findInSameState(reference, copies) ??
      (stable !== undefined && wasSentDuring(reference, stable) ? stable.first : undefined);
    return exhaustive === undefined ? [] : [{ exhaustive, reference }];
  });
  return [...sameStatePairs, ...pairBetween(copies, others)];
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
 * `count:all` finds everything that a different number finds. It is compared with searches with the same commits.
 * Without commits, it is compared with searches sent between two of its copies, or with searches that returned the same
 * results before and after it. Source: search-stream, sections 1 and 4.
 */
export const countAllFindsEverything = defineComparison({
  id: "stream/count-all-finds-everything",
  groupKey: keyWithoutNumber,
  hasPair: hasBoth(requestsAll, (search) => !requestsAll(search)),
  resultPreservingParameters: [countAllParameter],
  judge(group, reportFor) {
    const copies = group.filter(({ search }) => requestsAll(search));
    reportFor("").notTested(differentStateReason(maxTimesSent(copies)));
    for (const pair of pairSearches(
      copies,
      group.filter(({ search }) => !requestsAll(search)),
    )) {
      judge(pair, "count:all", reportFor(pair.exhaustive.id));
    }
  },
});

/** Reports whether a search found less than its number in any unit, and reports no limit. */
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

/** Returns the number of a search and its parameters without effect, with separators for messages. */
const describeSearch = ({ search }: UsableSearch): string =>
  [
    `count:${countLimit(search)}`,
    ...Object.keys(ineffectiveParameters(search)).flatMap((name) => {
      const value = search.parameters.get(name);
      return value === undefined ? [] : [`${name}=${value}`];
    }),
  ].join("` and `");

/** Returns the equal searches of each list, if none stopped at a limit. Otherwise the copies of each search that did not. */
const equalSearches = (group: readonly ComparedSearch[]): readonly (readonly UsableSearch[])[] =>
  groupBy(group, ({ search }) => equalResultsKey(search)).flatMap((equalCopies) => {
    const usable = usableSearches(equalCopies);
    return usable.every(ranToEnd)
      ? [usable]
      : groupCopies(equalCopies)
          .map(usableSearches)
          .filter((copies) => copies.every(ranToEnd));
  });

/**
 * Equal searches that did not stop at their number and name the same commits must not have far fewer lines than each
 * other.
 */
function judgeEqual(copies: readonly UsableSearch[], reportFor: (exchange: string) => Reporter): void {
  for (const search of copies) {
    const larger = copies.find((copy) => {
      const haveSameState = sharedRepositories(copy.results, search.results).size > 0;
      const [more = 0, less = 0] = [comparablePart(copy, search, true), comparablePart(search, copy, true)].map(
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
 * A number ends the search when it is reached, and not earlier. A search that found fewer omitted nothing that a
 * different number finds. Source: search-stream, section 4.
 */
export const countStopsNoEarlier = defineComparison({
  id: "stream/count-stops-no-earlier",
  groupKey: (search) => (limitsDisplay(search) ? undefined : countedSearch(search, ineffectiveParameters(search))?.key),
  hasPair: (searches) => new Set(searches.map((search) => searchKey(search))).size > 1,
  resultPreservingParameters: [countParameter],
  judge(group, reportFor) {
    reportFor("").notTested(allStoppedReason);
    for (const copies of equalSearches(group.filter(({ search }) => !requestsAll(search)))) {
      judgeEqual(copies, reportFor);
    }
    for (const searches of groupBy(group, ({ search }) => keyWithoutNumber(search))) {
      judgeNumbers(searches, reportFor);
    }
  },
});

/**
 * Judges searches that differ only in their number. A search that did not stop at a limit lacks nothing that another
 * finds.
 */
function judgeNumbers(group: readonly ComparedSearch[], reportFor: (exchange: string) => Reporter): void {
  for (const searches of groupCopies(group)) {
    const copies = usableSearches(searches);
    const [first] = copies;
    if (first === undefined || requestsAll(first.search) || !copies.every(ranToEnd)) {
      continue;
    }
    const otherSearches = group.filter(({ search }) => searchKey(search) !== searchKey(first.search));
    for (const pair of pairSearches(searches, otherSearches)) {
      judge(pair, `count:${countLimit(first.search)}`, reportFor(pair.exhaustive.id));
    }
  }
}
