import type { RuleId } from "@assay/contract";
import type { ExchangeRule } from "../../engine/rule.ts";
import { isCutReason } from "../../engine/skipped-entry.ts";
import { requestsAll, countedSearch, haveDifferentLimits, limitOf } from "../../engine/compare/count-limit.ts";
import { defineComparison, hasBoth } from "../../engine/compare/define-comparison.ts";
import type { Comparison } from "../../engine/compare/define-comparison.ts";
import { findMissing, describeMissing } from "../../engine/compare/found-difference.ts";
import { countResults } from "../../engine/compare/result-size.ts";
import {
  comparablePart,
  foundWithin,
  incompleteReason,
  isBetween,
  hasCommits,
  sharedRepositories,
} from "../../engine/compare/same-state.ts";
import { limitsDisplay, equalKey, idleParameters, timesSent } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { usableCopies } from "../../engine/compare/usable.ts";
import type { UsableSearch } from "../../engine/compare/usable.ts";

/** Describes the additional results of the wide search. Undefined unless they are the only difference. */
function describeCutOff(narrow: UsableSearch, wide: UsableSearch, hasCommit: boolean): string | undefined {
  const [less, more] = [comparablePart(narrow, wide, hasCommit), comparablePart(wide, narrow, hasCommit)];
  const missing = findMissing(less, more);
  const isWithin = findMissing(more, less).count === 0;
  return isWithin && missing.count > 0 ? describeMissing(missing) : undefined;
}

/** Reports whether a skipped entry is not only about excluded results. */
const reportsCut = ({ results }: UsableSearch): boolean =>
  [...results.skippedReasons].some((reason) => isCutReason(reason));

/** Searches that may omit results of others, and how messages describe them. */
interface CutSearches {
  readonly id: RuleId;
  readonly hasPair: Comparison["hasPair"];
  readonly applies: (search: UsableSearch) => boolean;
  readonly isWider: (search: UsableSearch, than: UsableSearch) => boolean;
  readonly describe: (search: UsableSearch) => string;
}

const defineCutRule = ({ id, hasPair, applies, isWider, describe }: CutSearches): ExchangeRule =>
  defineComparison({
    id,
    groupOf: (search) => (limitsDisplay(search) ? undefined : countedSearch(search, idleParameters(search))?.key),
    hasPair,
    judge(group, reportFor) {
      const searches = usableCopies(group);
      const hasCommit = hasCommits(searches);
      // A stream without its final `progress` event is incomplete. Another rule reports that.
      for (const narrow of searches.filter((search) => applies(search) && search.isFinished)) {
        const wider = searches
          .filter((search) => isWider(search, narrow))
          .filter((search) => describeCutOff(narrow, search, hasCommit) !== undefined);
        // Without commits, more must be found both before and after.
        const wide = hasCommit || isBetween(narrow, wider) ? wider[0] : undefined;
        const isReported = reportsCut(narrow);
        // A reported problem also explains missing results.
        const isExplained = narrow.standing === "incomplete" && !isReported;
        const report = reportFor(narrow.id);
        if (wide === undefined || isExplained) {
          report.notTested(isExplained ? incompleteReason(timesSent(searches)) : nothingCut);
          continue;
        }
        report.observation();
        if (!isReported) {
          const message = `search ${narrow.id} ${describe(narrow)} has no skipped entry although it omits results of search ${wide.id}: ${describeCutOff(narrow, wide, hasCommit)}`;
          report.violation({ message });
        }
      }
    },
  });

/** Reports whether the search reached its number in any unit. No unit has more than highlights. */
const isFull = ({ search, results: { highlights, matchCount = 0 } }: UsableSearch): boolean =>
  Math.max(highlights, matchCount) >= limitOf(search);

/** Factor that rules out coincidence when equal searches are compared. */
const clearlyLess = 2;

/**
 * Reports whether an equal search found more than twice as many lines, in repositories for which both name the same
 * commit.
 */
function isFarMore(search: UsableSearch, than: UsableSearch): boolean {
  const shared = sharedRepositories(search.results, than.results);
  const [more = 0, less = 0] = [search, than].map(({ results }) => countResults(foundWithin(results, shared)).lines);
  return equalKey(search.search) === equalKey(than.search) && shared.size > 0 && more > clearlyLess * less;
}

/** Reports whether the searches differ only in their number. */
const differOnlyInNumber = (left: UsableSearch, right: UsableSearch): boolean =>
  countedSearch(left.search)?.key === countedSearch(right.search)?.key;

const hasNoNumber = (search: Search): boolean => limitOf(search) === Infinity && !requestsAll(search);

/**
 * A search without a number requests everything. If a search with a number returns additional results in the same
 * state, they were cut off by a limit or a problem of the target, which must be reported. The same applies to far more
 * results of an equal search. A match without a subject may be any match. Source: search-stream, sections 7 and 8.
 */
export const cutResultsAreNamed = defineCutRule({
  id: "stream/cut-results-are-named",
  hasPair: hasBoth(hasNoNumber, (search) => !hasNoNumber(search)),
  applies: ({ search, results }) => hasNoNumber(search) && results.unidentified.size === 0,
  isWider: (search, than) =>
    (!hasNoNumber(search.search) && differOnlyInNumber(search, than)) || isFarMore(search, than),
  describe: () => "without a number",
});

/**
 * A search that stops at the requested number reports it. The specification does not say whether this is cutting off:
 * `count:` stops the search as the client requests, and `display` is not mentioned either. Source: search-stream,
 * sections 4, 7 and 8.
 */
export const countCutIsNamed = defineCutRule({
  id: "stream/count-cut-is-named",
  hasPair: haveDifferentLimits,
  applies: isFull,
  isWider: (search, than) => limitOf(search.search) > limitOf(than.search) && differOnlyInNumber(search, than),
  describe: ({ search }) => `with \`count:${limitOf(search)}\``,
});

const nothingCut =
  "no search is known to have omitted results that another search finds in the same state of a repository; choose a `--query` that finds many lines of a file";
