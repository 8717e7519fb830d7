import type { Reporter } from "../../engine/reporter.ts";
import { requestsAll, countedSearch, limitOf } from "../../engine/compare/count-limit.ts";
import { defineComparison, groupBy, hasBoth } from "../../engine/compare/define-comparison.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { findMissing, describeMissing } from "../../engine/compare/found-difference.ts";
import { countParameter, countAllParameter } from "../../engine/compare/non-emptying-parameters.ts";
import { countResults } from "../../engine/compare/result-size.ts";
import {
  comparablePart,
  withSameState,
  hasCommits,
  notCompared,
  differentStateReason,
  sharedRepositories,
  hasEveryCommit,
} from "../../engine/compare/same-state.ts";
import { limitsDisplay, equalKey, idleParameters, searchKey, timesSent } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { conclusive, isDuring, stableSearchFrom, stableSearch } from "../../engine/compare/stable-search.ts";
import { usableCopies } from "../../engine/compare/usable.ts";
import type { UsableSearch } from "../../engine/compare/usable.ts";

/** Reports whether both name the commit of all their results, so that their times do not matter. */
const haveAllCommits = (left: UsableSearch, right: UsableSearch): boolean =>
  hasCommits([left]) && hasCommits([right]) && hasEveryCommit(left.results) && hasEveryCommit(right.results);

/** The exhaustive search in the state of `other`. Uses all of its copies in that state. */
function sameStateAs(other: UsableSearch, copies: readonly ComparedSearch[]): UsableSearch | undefined {
  const complete = conclusive(usableCopies(copies));
  const comparable =
    copies.length === 1 ? complete.filter((all) => haveAllCommits(all, other)) : withSameState(other, complete);
  return comparable.length > 1 ? stableSearchFrom(comparable)?.first : comparable[0];
}

/** An exhaustive search, and a search whose results it may lack, in the same state of the index. */
interface Pair {
  readonly all: UsableSearch;
  readonly other: UsableSearch;
}

/** The copies of each search. */
const groupCopies = (searches: readonly ComparedSearch[]): readonly (readonly ComparedSearch[])[] =>
  groupBy(searches, ({ search }) => searchKey(search));

/** Exhaustive searches sent between two others with the same results, without commits. */
const between = (copies: readonly ComparedSearch[], others: readonly ComparedSearch[]): readonly Pair[] =>
  groupCopies(others).flatMap((same) => {
    const stable = stableSearch(same);
    return stable === undefined
      ? []
      : conclusive(usableCopies(copies))
          .filter((all) => isDuring(all, stable) && !hasCommits([all, stable.first]))
          .map((all) => ({ all, other: stable.first }));
  });

/**
 * The pairs that can be compared: searches with the same commits, if commits are named, or otherwise a search that was
 * sent between copies of the other one.
 */
function pairSearches(copies: readonly ComparedSearch[], others: readonly ComparedSearch[]): readonly Pair[] {
  const stable = stableSearch(copies);
  const simultaneous = usableCopies(others).flatMap((other): readonly Pair[] => {
    const all =
      sameStateAs(other, copies) ?? (stable !== undefined && isDuring(other, stable) ? stable.first : undefined);
    return all === undefined ? [] : [{ all, other }];
  });
  return [...simultaneous, ...between(copies, others)];
}

function judge({ all, other }: Pair, label: string, report: Reporter): void {
  const hasCommit = hasCommits([all, other]);
  const missing = findMissing(all.results, comparablePart(other, all, hasCommit));
  report.observation(Number(missing.comparedCount > 0));
  if (missing.comparedCount === 0) {
    report.notTested(notCompared.unknownState);
  }
  if (missing.count > 0) {
    const message = `search ${all.id} with \`${label}\` lacks results of search ${other.id}: ${describeMissing(missing)}`;
    report.violation({ message });
  }
}

/** The key shared by searches that return everything and differ only in the requested number. */
const keyWithoutNumber = (search: Search): string | undefined =>
  limitsDisplay(search) ? undefined : countedSearch(search)?.key;

/**
 * `count:all` finds everything that a different number finds. It is compared with searches with the same commits.
 * Without commits, it is compared with searches sent between two of its copies, or with searches that returned the same
 * before and after it. Source: search-stream, sections 1 and 4.
 */
export const countAllFindsEverything = defineComparison({
  id: "stream/count-all-finds-everything",
  groupOf: keyWithoutNumber,
  hasPair: hasBoth(requestsAll, (search) => !requestsAll(search)),
  kept: [countAllParameter],
  judge(group, reportFor) {
    const copies = group.filter(({ search }) => requestsAll(search));
    reportFor("").notTested(differentStateReason(timesSent(copies)));
    for (const pair of pairSearches(
      copies,
      group.filter(({ search }) => !requestsAll(search)),
    )) {
      judge(pair, "count:all", reportFor(pair.all.id));
    }
  },
});

/** Reports whether a search found less than its number in any unit, and reports no limit. */
function isUnstopped({ search, results, standing, isFinished }: UsableSearch): boolean {
  const limit = limitOf(search);
  const counted = results.matchCount ?? limit;
  return (
    isFinished &&
    standing === "complete" &&
    Number.isFinite(limit) &&
    counted < limit &&
    countResults(results).highlights < limit
  );
}

/** Factor that rules out coincidence when equal searches are compared. */
const clearlyLess = 2;

/** The number of a search and its parameters without effect, with separators for messages. */
const describeSearch = ({ search }: UsableSearch): string =>
  [
    `count:${limitOf(search)}`,
    ...Object.keys(idleParameters(search)).flatMap((name) => {
      const value = search.parameters.get(name);
      return value === undefined ? [] : [`${name}=${value}`];
    }),
  ].join("` and `");

/** The equal searches of each list, if none stopped at a limit. Otherwise the copies of each search that did not. */
const equalSearches = (group: readonly ComparedSearch[]): readonly (readonly UsableSearch[])[] =>
  groupBy(group, ({ search }) => equalKey(search)).flatMap((alike) => {
    const all = usableCopies(alike);
    return all.every(isUnstopped)
      ? [all]
      : groupCopies(alike)
          .map(usableCopies)
          .filter((copies) => copies.every(isUnstopped));
  });

/**
 * Equal searches that did not stop at their number and name the same commits must not have far fewer lines than each
 * other.
 */
function judgeEqual(copies: readonly UsableSearch[], reportFor: (exchange: string) => Reporter): void {
  for (const all of copies) {
    const other = copies.find((copy) => {
      const isSame = sharedRepositories(copy.results, all.results).size > 0;
      const [more = 0, less = 0] = [comparablePart(copy, all, true), comparablePart(all, copy, true)].map(
        (part) => countResults(part).lines,
      );
      return isSame && more > clearlyLess * less;
    });
    if (other !== undefined) {
      judge({ all, other }, describeSearch(all), reportFor(all.id));
    }
  }
}

const allStopped =
  "no search found fewer matches than its number without reporting a limit, in a state of the index that another search saw; choose a `--query` that finds fewer than 1,000 matches";

/**
 * A number ends the search when it is reached, and not earlier. A search that found fewer omitted nothing that a
 * different number finds. Source: search-stream, section 4.
 */
export const countStopsNoEarlier = defineComparison({
  id: "stream/count-stops-no-earlier",
  groupOf: (search) => (limitsDisplay(search) ? undefined : countedSearch(search, idleParameters(search))?.key),
  hasPair: (searches) => new Set(searches.map((search) => searchKey(search))).size > 1,
  kept: [countParameter],
  judge(group, reportFor) {
    reportFor("").notTested(allStopped);
    for (const copies of equalSearches(group.filter(({ search }) => !requestsAll(search)))) {
      judgeEqual(copies, reportFor);
    }
    for (const alike of groupBy(group, ({ search }) => keyWithoutNumber(search))) {
      judgeNumbers(alike, reportFor);
    }
  },
});

/**
 * Judges searches that differ only in their number. A search that did not stop at a limit lacks nothing that another
 * finds.
 */
function judgeNumbers(group: readonly ComparedSearch[], reportFor: (exchange: string) => Reporter): void {
  for (const searches of groupCopies(group)) {
    const copies = usableCopies(searches);
    const [first] = copies;
    if (first === undefined || requestsAll(first.search) || !copies.every(isUnstopped)) {
      continue;
    }
    const otherSearches = group.filter(({ search }) => searchKey(search) !== searchKey(first.search));
    for (const pair of pairSearches(searches, otherSearches)) {
      judge(pair, `count:${limitOf(first.search)}`, reportFor(pair.all.id));
    }
  }
}
