import type { RuleId } from "@assay/contract";
import type { ExchangeRule } from "../../engine/rule.ts";
import { isCutReason } from "../../engine/skipped-entry.ts";
import { asksForAll, countedSearch, haveNarrow, limitOf } from "../compare/count-limit.ts";
import { defineComparison, hasBoth } from "../compare/define-comparison.ts";
import type { Comparison } from "../compare/define-comparison.ts";
import { missingResultsOf, shownMissing } from "../compare/found-difference.ts";
import { sizeOf } from "../compare/result-size.ts";
import {
  comparablePart,
  foundWithin,
  incompleteIn,
  isBetween,
  isCommitTold,
  sharedRepositories,
} from "../compare/same-state.ts";
import { bindsDisplay, equalKey, idleParameters, timesSent } from "../compare/search.ts";
import type { Search } from "../compare/search.ts";
import { usableOf } from "../compare/usable.ts";
import type { UsableSearch } from "../compare/usable.ts";

/** What the wide search has besides all that the narrow one has; `undefined` unless that is the only difference. */
function cutOff(narrow: UsableSearch, wide: UsableSearch, isTold: boolean): string | undefined {
  const [less, more] = [comparablePart(narrow, wide, isTold), comparablePart(wide, narrow, isTold)];
  const lack = missingResultsOf(less, more);
  const isWithin = missingResultsOf(more, less).count === 0;
  return isWithin && lack.count > 0 ? shownMissing(lack) : undefined;
}

/** Whether a skipped entry says more than what was not asked for anyway. */
const namesCut = ({ results }: UsableSearch): boolean =>
  [...results.skippedReasons].some((reason) => isCutReason(reason));

/** Searches that leave out what others find, and how they are called in a message. */
interface CutSearches {
  readonly id: RuleId;
  readonly hasPair: Comparison["hasPair"];
  readonly isMeant: (search: UsableSearch) => boolean;
  readonly isWider: (search: UsableSearch, than: UsableSearch) => boolean;
  readonly shown: (search: UsableSearch) => string;
}

const defineCutRule = ({ id, hasPair, isMeant, isWider, shown }: CutSearches): ExchangeRule =>
  defineComparison({
    id,
    groupOf: (search) => (bindsDisplay(search) ? undefined : countedSearch(search, idleParameters(search))?.key),
    hasPair,
    judge(group, reportFor) {
      const searches = usableOf(group);
      const isTold = isCommitTold(searches);
      // Without its final progress a stream has not told everything yet; another rule misses that.
      for (const narrow of searches.filter((search) => isMeant(search) && search.isFinished)) {
        const wider = searches
          .filter((search) => isWider(search, narrow))
          .filter((search) => cutOff(narrow, search, isTold) !== undefined);
        // Where no commits are told, more has to be found before and after.
        const wide = isTold || isBetween(narrow, wider) ? wider[0] : undefined;
        const isNamed = namesCut(narrow);
        // A problem that was told of explains what is missing as well.
        const isExplained = narrow.standing === "incomplete" && !isNamed;
        const report = reportFor(narrow.id);
        if (wide === undefined || isExplained) {
          report.notTested(isExplained ? incompleteIn(timesSent(searches)) : nothingCut);
          continue;
        }
        report.observation();
        if (!isNamed) {
          const message = `search ${narrow.id} ${shown(narrow)} has no skipped entry about it although it left out what search ${wide.id} finds: ${cutOff(narrow, wide, isTold)}`;
          report.violation({ message });
        }
      }
    },
  });

/** Whether the search came as far as its number lets it, in whatever unit that is meant: there is nothing more of than highlights. */
const isFull = ({ search, results: { highlights, matchCount = 0 } }: UsableSearch): boolean =>
  Math.max(highlights, matchCount) >= limitOf(search);

/** A search that finds less than half of what an equal one finds is no chance. */
const clearlyLess = 2;

/** True if an equal search found more than twice as many lines, in repositories of which both name the same commit. */
function isFarMore(search: UsableSearch, than: UsableSearch): boolean {
  const shared = sharedRepositories(search.results, than.results);
  const [more = 0, less = 0] = [search, than].map(({ results }) => sizeOf(foundWithin(results, shared)).lines);
  return equalKey(search.search) === equalKey(than.search) && shared.size > 0 && more > clearlyLess * less;
}

/** True if the searches differ in their number alone. */
const differInNumber = (one: UsableSearch, other: UsableSearch): boolean =>
  countedSearch(one.search)?.key === countedSearch(other.search)?.key;

const hasNoNumber = (search: Search): boolean => limitOf(search) === Infinity && !asksForAll(search);

/**
 * Who sets no number asks for everything there is: what a search with a number finds besides, in the same state, was cut off by a limit
 * or a problem of the target, and is told of. So is far more that an equal search finds. A match that does not say what it is a match of may be any. Source: search-stream,
 * sections 7 and 8.
 */
export const cutResultsAreNamed = defineCutRule({
  id: "stream/cut-results-are-named",
  hasPair: hasBoth(hasNoNumber, (search) => !hasNoNumber(search)),
  isMeant: ({ search, results }) => hasNoNumber(search) && results.unidentified.size === 0,
  isWider: (search, than) => (!hasNoNumber(search.search) && differInNumber(search, than)) || isFarMore(search, than),
  shown: () => "without a number",
});

/**
 * A search that stops at the number that was asked for tells of it. Whether this is cutting off is not said: `count:` stops the
 * search, as the caller wants it to, and of `display` nothing of the sort is said either. Source: search-stream, sections 4, 7 and 8.
 */
export const countCutIsNamed = defineCutRule({
  id: "stream/count-cut-is-named",
  hasPair: haveNarrow,
  isMeant: isFull,
  isWider: (search, than) => limitOf(search.search) > limitOf(than.search) && differInNumber(search, than),
  shown: ({ search }) => `with \`count:${limitOf(search)}\``,
});

const nothingCut =
  "no search is known to have left out anything that another one finds in the same state of a repository; choose a `--query` that finds many lines of a file";
