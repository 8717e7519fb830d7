import type { Reporter } from "../../engine/reporter.ts";
import { asksForAll, countedSearch, limitOf } from "../../engine/compare/count-limit.ts";
import { defineComparison, groupsOf, hasBoth } from "../../engine/compare/define-comparison.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { missingResultsOf, shownMissing } from "../../engine/compare/found-difference.ts";
import { keptCount, keptCountAll } from "../../engine/compare/kept-parameters.ts";
import { sizeOf } from "../../engine/compare/result-size.ts";
import {
  comparablePart,
  inStateOf,
  hasCommits,
  notCompared,
  otherStateIn,
  sharedRepositories,
  hasEveryCommit,
} from "../../engine/compare/same-state.ts";
import { bindsDisplay, equalKey, idleParameters, searchKey, timesSent } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { conclusive, isDuring, stableAmong, stableSearch } from "../../engine/compare/stable-search.ts";
import { usableOf } from "../../engine/compare/usable.ts";
import type { UsableSearch } from "../../engine/compare/usable.ts";

/** Reports whether both name the commit of all their results, so that their times do not matter. */
const haveAllCommits = (one: UsableSearch, other: UsableSearch): boolean =>
  hasCommits([one]) && hasCommits([other]) && hasEveryCommit(one.results) && hasEveryCommit(other.results);

/** The exhaustive search in the state of `other`; all of its copies in that state. */
function sameStateAs(other: UsableSearch, copies: readonly ComparedSearch[]): UsableSearch | undefined {
  const found = conclusive(usableOf(copies));
  const comparable = copies.length === 1 ? found.filter((all) => haveAllCommits(all, other)) : inStateOf(other, found);
  return comparable.length > 1 ? stableAmong(comparable)?.first : comparable[0];
}

/** An exhaustive search, and one with results that it may lack, in the same state of the index. */
interface Pair {
  readonly all: UsableSearch;
  readonly other: UsableSearch;
}

/** Copies of one search. */
const copiesAmong = (searches: readonly ComparedSearch[]): readonly (readonly ComparedSearch[])[] =>
  groupsOf(searches, ({ search }) => searchKey(search));

/** Exhaustive searches between two others with the same results, without commits. */
const between = (copies: readonly ComparedSearch[], others: readonly ComparedSearch[]): readonly Pair[] =>
  copiesAmong(others).flatMap((same) => {
    const stable = stableSearch(same);
    return stable === undefined
      ? []
      : conclusive(usableOf(copies))
          .filter((all) => isDuring(all, stable) && !hasCommits([all, stable.first]))
          .map((all) => ({ all, other: stable.first }));
  });

/**
 * Comparable pairs: with the same commits, if they are named; else a search that was sent between copies of the other
 * one.
 */
function pairsOf(copies: readonly ComparedSearch[], others: readonly ComparedSearch[]): readonly Pair[] {
  const stable = stableSearch(copies);
  const beside = usableOf(others).flatMap((other): readonly Pair[] => {
    const all =
      sameStateAs(other, copies) ?? (stable !== undefined && isDuring(other, stable) ? stable.first : undefined);
    return all === undefined ? [] : [{ all, other }];
  });
  return [...beside, ...between(copies, others)];
}

function judge({ all, other }: Pair, how: string, report: Reporter): void {
  const hasCommit = hasCommits([all, other]);
  const lack = missingResultsOf(all.results, comparablePart(other, all, hasCommit));
  report.observation(Number(lack.lookedFor > 0));
  if (lack.lookedFor === 0) {
    report.notTested(notCompared.unknownState);
  }
  if (lack.count > 0) {
    const message = `search ${all.id} with \`${how}\` lacks what search ${other.id} finds: ${shownMissing(lack)}`;
    report.violation({ message });
  }
}

/** Key of searches that return everything and only differ in the requested number. */
const butForNumber = (search: Search): string | undefined =>
  bindsDisplay(search) ? undefined : countedSearch(search)?.key;

/**
 * `count:all` finds everything that another number finds. Compared with searches with the same commits; without
 * commits, with searches that were sent between two of its copies, or found the same before and after it. Source:
 * search-stream, sections 1 and 4.
 */
export const countAllFindsEverything = defineComparison({
  id: "stream/count-all-finds-everything",
  groupOf: butForNumber,
  hasPair: hasBoth(asksForAll, (search) => !asksForAll(search)),
  kept: [keptCountAll],
  judge(group, reportFor) {
    const copies = group.filter(({ search }) => asksForAll(search));
    reportFor("").notTested(otherStateIn(timesSent(copies)));
    for (const pair of pairsOf(
      copies,
      group.filter(({ search }) => !asksForAll(search)),
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
    sizeOf(results).highlights < limit
  );
}

/** Finding less than half of an equal search is no coincidence. */
const clearlyLess = 2;

/** The number of a search and its parameters without effect, with separators for messages. */
const shownSearch = ({ search }: UsableSearch): string =>
  [
    `count:${limitOf(search)}`,
    ...Object.keys(idleParameters(search)).flatMap((name) => {
      const value = search.parameters.get(name);
      return value === undefined ? [] : [`${name}=${value}`];
    }),
  ].join("` and `");

/** The equal searches of each list, if none stopped at a limit; otherwise the copies of each that did not. */
const equalSearches = (group: readonly ComparedSearch[]): readonly (readonly UsableSearch[])[] =>
  groupsOf(group, ({ search }) => equalKey(search)).flatMap((alike) => {
    const all = usableOf(alike);
    return all.every(isUnstopped)
      ? [all]
      : copiesAmong(alike)
          .map(usableOf)
          .filter((copies) => copies.every(isUnstopped));
  });

/**
 * Equal searches that did not stop at their number, and name the same commits: none has far fewer lines than another.
 */
function judgeEqual(copies: readonly UsableSearch[], reportFor: (exchange: string) => Reporter): void {
  for (const all of copies) {
    const other = copies.find((one) => {
      const isSame = sharedRepositories(one.results, all.results).size > 0;
      const [more = 0, less = 0] = [comparablePart(one, all, true), comparablePart(all, one, true)].map(
        (part) => sizeOf(part).lines,
      );
      return isSame && more > clearlyLess * less;
    });
    if (other !== undefined) {
      judge({ all, other }, shownSearch(all), reportFor(all.id));
    }
  }
}

const allStopped =
  "no search found fewer matches than its number without naming a limit, in a state of the index that another search met; choose a `--query` that finds fewer than 1,000 matches";

/**
 * A number ends the search when it is reached, and not earlier: a search that found fewer left out nothing that
 * another number finds. Source: search-stream, section 4.
 */
export const countStopsNoEarlier = defineComparison({
  id: "stream/count-stops-no-earlier",
  groupOf: (search) => (bindsDisplay(search) ? undefined : countedSearch(search, idleParameters(search))?.key),
  hasPair: (searches) => new Set(searches.map((search) => searchKey(search))).size > 1,
  kept: [keptCount],
  judge(group, reportFor) {
    reportFor("").notTested(allStopped);
    for (const copies of equalSearches(group.filter(({ search }) => !asksForAll(search)))) {
      judgeEqual(copies, reportFor);
    }
    for (const alike of groupsOf(group, ({ search }) => butForNumber(search))) {
      judgeNumbers(alike, reportFor);
    }
  },
});

/** Searches that only differ in their number: one that stopped at no limit lacks nothing that another finds. */
function judgeNumbers(group: readonly ComparedSearch[], reportFor: (exchange: string) => Reporter): void {
  for (const same of copiesAmong(group)) {
    const copies = usableOf(same);
    const [first] = copies;
    if (first === undefined || asksForAll(first.search) || !copies.every(isUnstopped)) {
      continue;
    }
    const others = group.filter(({ search }) => searchKey(search) !== searchKey(first.search));
    for (const pair of pairsOf(same, others)) {
      judge(pair, `count:${limitOf(first.search)}`, reportFor(pair.all.id));
    }
  }
}
