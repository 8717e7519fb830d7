import type { RuleId } from "@assay/contract";
import type { ExchangeRule } from "../../engine/rule.ts";
import { isCutReason } from "../../engine/skipped-entry.ts";
import { asksForAll, countedSearch, haveNarrow, limitOf } from "../../engine/compare/count-limit.ts";
import { defineComparison, hasBoth } from "../../engine/compare/define-comparison.ts";
import type { Comparison } from "../../engine/compare/define-comparison.ts";
import { missingResultsOf, shownMissing } from "../../engine/compare/found-difference.ts";
import { sizeOf } from "../../engine/compare/result-size.ts";
import {
  comparablePart,
  foundWithin,
  incompleteIn,
  isBetween,
  hasCommits,
  sharedRepositories,
} from "../../engine/compare/same-state.ts";
import { bindsDisplay, equalKey, idleParameters, timesSent } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { usableOf } from "../../engine/compare/usable.ts";
import type { UsableSearch } from "../../engine/compare/usable.ts";

/** Additional results of the wide search; undefined unless that is the only difference. */
function cutOff(narrow: UsableSearch, wide: UsableSearch, hasCommit: boolean): string | undefined {
  const [less, more] = [comparablePart(narrow, wide, hasCommit), comparablePart(wide, narrow, hasCommit)];
  const lack = missingResultsOf(less, more);
  const isWithin = missingResultsOf(more, less).count === 0;
  return isWithin && lack.count > 0 ? shownMissing(lack) : undefined;
}

/** Reports whether a skipped entry is not only about excluded results. */
const namesCut = ({ results }: UsableSearch): boolean =>
  [...results.skippedReasons].some((reason) => isCutReason(reason));

/** Searches that leave out results of others, with their name in messages. */
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
      const hasCommit = hasCommits(searches);
      // Without its final progress a stream is incomplete; another rule reports that.
      for (const narrow of searches.filter((search) => isMeant(search) && search.isFinished)) {
        const wider = searches
          .filter((search) => isWider(search, narrow))
          .filter((search) => cutOff(narrow, search, hasCommit) !== undefined);
        // Without commits, more must be found before and after.
        const wide = hasCommit || isBetween(narrow, wider) ? wider[0] : undefined;
        const isNamed = namesCut(narrow);
        // A reported problem explains missing results too.
        const isExplained = narrow.standing === "incomplete" && !isNamed;
        const report = reportFor(narrow.id);
        if (wide === undefined || isExplained) {
          report.notTested(isExplained ? incompleteIn(timesSent(searches)) : nothingCut);
          continue;
        }
        report.observation();
        if (!isNamed) {
          const message = `search ${narrow.id} ${shown(narrow)} has no skipped entry although it left out results of search ${wide.id}: ${cutOff(narrow, wide, hasCommit)}`;
          report.violation({ message });
        }
      }
    },
  });

/** Reports whether the search reached its number in any unit. No unit has more than highlights. */
const isFull = ({ search, results: { highlights, matchCount = 0 } }: UsableSearch): boolean =>
  Math.max(highlights, matchCount) >= limitOf(search);

/** Finding less than half of an equal search is no coincidence. */
const clearlyLess = 2;

/**
 * Reports whether an equal search found more than twice as many lines, in repositories for which both name the same
 * commit.
 */
function isFarMore(search: UsableSearch, than: UsableSearch): boolean {
  const shared = sharedRepositories(search.results, than.results);
  const [more = 0, less = 0] = [search, than].map(({ results }) => sizeOf(foundWithin(results, shared)).lines);
  return equalKey(search.search) === equalKey(than.search) && shared.size > 0 && more > clearlyLess * less;
}

/** Reports whether the searches only differ in their number. */
const differInNumber = (one: UsableSearch, other: UsableSearch): boolean =>
  countedSearch(one.search)?.key === countedSearch(other.search)?.key;

const hasNoNumber = (search: Search): boolean => limitOf(search) === Infinity && !asksForAll(search);

/**
 * A search without a number requests everything. Additional results of a search with a number, in the same state,
 * were cut off by a limit or a problem of the target, which must be reported. The same applies to far more results of
 * an equal search. A match without a subject may be any match. Source: search-stream, sections 7 and 8.
 */
export const cutResultsAreNamed = defineCutRule({
  id: "stream/cut-results-are-named",
  hasPair: hasBoth(hasNoNumber, (search) => !hasNoNumber(search)),
  isMeant: ({ search, results }) => hasNoNumber(search) && results.unidentified.size === 0,
  isWider: (search, than) => (!hasNoNumber(search.search) && differInNumber(search, than)) || isFarMore(search, than),
  shown: () => "without a number",
});

/**
 * A search that stops at the requested number reports it. The specification does not say whether this is cutting off:
 * `count:` stops the search as the caller requests, and `display` is not mentioned either. Source: search-stream,
 * sections 4, 7 and 8.
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
