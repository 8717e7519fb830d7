import type { Reporter } from "../../engine/reporter.ts";
import { asksForAll, countedSearch, limitOf } from "../compare/count-limit.ts";
import { defineComparison, groupsOf, hasBoth } from "../compare/define-comparison.ts";
import type { ComparedSearch } from "../compare/compared-search.ts";
import { missingResultsOf, shownMissing } from "../compare/found-difference.ts";
import { keptCount, keptCountAll } from "../compare/kept-parameters.ts";
import { sizeOf } from "../compare/result-size.ts";
import {
  comparablePart,
  inStateOf,
  isCommitTold,
  notCompared,
  otherStateIn,
  sharedRepositories,
  tellsEveryCommit,
} from "../compare/same-state.ts";
import { bindsDisplay, equalKey, idleParameters, searchKey, timesSent } from "../compare/search.ts";
import type { Search } from "../compare/search.ts";
import { conclusive, isDuring, stableAmong, stableSearch } from "../compare/stable-search.ts";
import { usableOf } from "../compare/usable.ts";
import type { UsableSearch } from "../compare/usable.ts";

/** Whether both tell the commit of everything they found, so that nobody has to ask when they were sent. */
const areTold = (one: UsableSearch, other: UsableSearch): boolean =>
  isCommitTold([one]) && isCommitTold([other]) && tellsEveryCommit(one.results) && tellsEveryCommit(other.results);

/** The search for everything, sent once or more often, that tells the state that `other` met; all of its copies that do found the same. */
function toldBeside(other: UsableSearch, copies: readonly ComparedSearch[]): UsableSearch | undefined {
  const found = conclusive(usableOf(copies));
  const comparable = copies.length === 1 ? found.filter((all) => areTold(all, other)) : inStateOf(other, found);
  return comparable.length > 1 ? stableAmong(comparable)?.first : comparable[0];
}

/** A search that leaves nothing out, and one that finds what it may have left out, in the same state of the index. */
interface Pair {
  readonly all: UsableSearch;
  readonly other: UsableSearch;
}

/** Copies of one search. */
const copiesAmong = (searches: readonly ComparedSearch[]): readonly (readonly ComparedSearch[])[] =>
  groupsOf(searches, ({ search }) => searchKey(search));

/** Searches for everything between two others that found the same, where nobody tells commits. */
const between = (copies: readonly ComparedSearch[], others: readonly ComparedSearch[]): readonly Pair[] =>
  copiesAmong(others).flatMap((same) => {
    const stable = stableSearch(same);
    return stable === undefined
      ? []
      : conclusive(usableOf(copies))
          .filter((all) => isDuring(all, stable) && !isCommitTold([all, stable.first]))
          .map((all) => ({ all, other: stable.first }));
  });

/**
 * The pairs that can be held against each other: where commits are told, those of the same; else a search around whose copies, or
 * between whose copies, the other one was sent.
 */
function pairsOf(copies: readonly ComparedSearch[], others: readonly ComparedSearch[]): readonly Pair[] {
  const stable = stableSearch(copies);
  const beside = usableOf(others).flatMap((other): readonly Pair[] => {
    const all =
      toldBeside(other, copies) ?? (stable !== undefined && isDuring(other, stable) ? stable.first : undefined);
    return all === undefined ? [] : [{ all, other }];
  });
  return [...beside, ...between(copies, others)];
}

function judge({ all, other }: Pair, how: string, report: Reporter): void {
  const isTold = isCommitTold([all, other]);
  const lack = missingResultsOf(all.results, comparablePart(other, all, isTold));
  report.observation(Number(lack.lookedFor > 0));
  if (lack.lookedFor === 0) {
    report.notTested(notCompared.unknownState);
  }
  if (lack.count > 0) {
    const message = `search ${all.id} with \`${how}\` lacks what search ${other.id} finds: ${shownMissing(lack)}`;
    report.violation({ message });
  }
}

/** Equal for searches that deliver all they find and differ in the number that they want alone. */
const butForNumber = (search: Search): string | undefined =>
  bindsDisplay(search) ? undefined : countedSearch(search)?.key;

/**
 * `count:all` leaves nothing out that another number finds. Held against searches that tell the same commits, or, where none are told,
 * that were sent between two of its copies or found the same before and after it. Source: search-stream, sections 1 and 4.
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

/** Whether a search found less than its number, in whatever unit it counts, and says of no limit that it stopped it. */
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

/** A search that finds less than half of what an equal one finds is no chance. */
const clearlyLess = 2;

/** The number of a search and its idle parameters, with what separates them in a message. */
const shownSearch = ({ search }: UsableSearch): string =>
  [
    `count:${limitOf(search)}`,
    ...Object.keys(idleParameters(search)).flatMap((name) => {
      const value = search.parameters.get(name);
      return value === undefined ? [] : [`${name}=${value}`];
    }),
  ].join("` and `");

/** The searches of each list that are equal, if all of them stopped for no limit; otherwise the copies of each that did not. */
const equalSearches = (group: readonly ComparedSearch[]): readonly (readonly UsableSearch[])[] =>
  groupsOf(group, ({ search }) => equalKey(search)).flatMap((alike) => {
    const all = usableOf(alike);
    return all.every(isUnstopped)
      ? [all]
      : copiesAmong(alike)
          .map(usableOf)
          .filter((copies) => copies.every(isUnstopped));
  });

/** Equal searches that did not stop at their number, and name the same commits: none has far fewer lines than another one. */
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
 * A number of matches ends the search when they are found, and no earlier: one that found fewer has left out nothing that another
 * number finds. Source: search-stream, section 4.
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

/** Searches that differ in their number alone: who stopped for no limit lacks nothing that another one finds. */
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
