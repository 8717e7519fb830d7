import type { RuleId } from "@assay/contract";
import type { ExchangeRule } from "../../engine/rule.ts";
import { isCutReason } from "../../engine/skipped-entry.ts";
import { requestsAll, parseCountedSearch, haveDifferentLimits, countLimit } from "../../engine/compare/count-limit.ts";
import { defineComparison, hasBoth } from "../../engine/compare/define-comparison.ts";
import type { Comparison } from "../../engine/compare/define-comparison.ts";
import { findMissing, describeMissing } from "../../engine/compare/result-difference.ts";
import { countResults } from "../../engine/compare/result-size.ts";
import {
  comparableResults,
  resultsInRepositories,
  incompleteReason,
  wasSentBetween,
  hasAnyCommit,
  findSharedRepositories,
} from "../../engine/compare/same-state.ts";
import {
  equalResultsKey,
  hasSmallDisplay,
  ineffectiveParameters,
  limitsDisplay,
  maxTimesSent,
} from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { mayHaveReachedCount, toUsableSearches } from "../../engine/compare/usable-search.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";

/**
 * Describes the results that only the wide search returned. It returns undefined if there is any other difference, or
 * none.
 */
function describeCutOff(narrowSearch: UsableSearch, wideSearch: UsableSearch, hasCommit: boolean): string | undefined {
  const [narrowResults, wideResults] = [
    comparableResults(narrowSearch, wideSearch, hasCommit),
    comparableResults(wideSearch, narrowSearch, hasCommit),
  ];
  const missing = findMissing(narrowResults, wideResults);
  const isSubset = findMissing(wideResults, narrowResults).count === 0;
  return isSubset && missing.count > 0 ? describeMissing(missing) : undefined;
}

/** Reports whether any skipped entry reports that results were cut off. */
const reportsCut = ({ results }: UsableSearch): boolean =>
  [...results.skippedReasons].some((reason) => isCutReason(reason));

/** Searches that may omit results of others, and how messages describe them. */
interface CutRule {
  readonly id: RuleId;
  readonly hasPair: Comparison["hasPair"];
  readonly appliesTo: (search: UsableSearch) => boolean;
  readonly isWider: (search: UsableSearch, reference: UsableSearch) => boolean;
  readonly describe: (search: UsableSearch) => string;
}

const defineCutRule = ({ id, hasPair, appliesTo, isWider, describe }: CutRule): ExchangeRule =>
  defineComparison({
    id,
    groupKey: (search) =>
      hasSmallDisplay(search)
        ? undefined
        : parseCountedSearch(search, { ...ineffectiveParameters(search), display: undefined })?.key,
    hasPair,
    judge(group, reportFor) {
      const searches = toUsableSearches(group);
      const hasCommit = hasAnyCommit(searches);
      // A stream without its final `progress` event is incomplete, which `stream/final-progress-before-done` reports.
      for (const narrowSearch of searches.filter((search) => appliesTo(search) && search.isFinished)) {
        const widerSearches = searches
          .filter((search) => isWider(search, narrowSearch))
          .filter((search) => describeCutOff(narrowSearch, search, hasCommit) !== undefined);
        // If no commits are named, searches before and after must both find more.
        const wideSearch = hasCommit || wasSentBetween(narrowSearch, widerSearches) ? widerSearches[0] : undefined;
        const isReported = reportsCut(narrowSearch);
        // A reported problem also explains missing results.
        const isExplained = narrowSearch.completeness === "incomplete" && !isReported;
        const report = reportFor(narrowSearch.id);
        if (wideSearch === undefined || isExplained) {
          report.notTested(isExplained ? incompleteReason(maxTimesSent(searches)) : nothingCutReason);
          continue;
        }
        report.observation();
        if (!isReported) {
          const message = `search ${narrowSearch.id} ${describe(narrowSearch)} has no skipped entry although it omits results of search ${wideSearch.id}: ${describeCutOff(narrowSearch, wideSearch, hasCommit)}`;
          report.violation({ message });
        }
      }
    },
  });

/** Factor that rules out coincidence when equal searches are compared. */
const minFactor = 2;

/**
 * Reports whether `search` must return the same results as `reference` but found more than twice as many lines.
 * Considers only repositories for which both searches name the same commit.
 */
function foundFarMore(search: UsableSearch, reference: UsableSearch): boolean {
  const sharedNames = findSharedRepositories(search.results, reference.results);
  const [searchLines = 0, referenceLines = 0] = [search, reference].map(
    ({ results }) => countResults(resultsInRepositories(results, sharedNames)).lines,
  );
  return (
    equalResultsKey(search.search) === equalResultsKey(reference.search) &&
    sharedNames.size > 0 &&
    searchLines > minFactor * referenceLines
  );
}

/**
 * Reports whether the searches differ only in their `count:`. The reference may lack a `display` that the other one has: whatever a
 * search finds with it, the reference must find.
 */
const differOnlyInCount = ({ search }: UsableSearch, { search: reference }: UsableSearch): boolean => {
  const changes = limitsDisplay(reference) ? {} : { display: undefined };
  return parseCountedSearch(search, changes)?.key === parseCountedSearch(reference, changes)?.key;
};

const omitsCount = (search: Search): boolean => countLimit(search) === Infinity && !requestsAll(search);

/**
 * A search without `count:` requests everything. If the same search with `count:` returns additional results in the
 * same index state, the target cut results off, which it must report. The same applies if an equal search returns far
 * more results. A match without a subject may be any match. Source: search-stream, sections 7 and 8.
 */
export const cutResultsAreNamed = defineCutRule({
  id: "stream/cut-results-are-named",
  hasPair: hasBoth(omitsCount, (search) => !omitsCount(search)),
  appliesTo: ({ search, results }) => omitsCount(search) && results.unidentifiedCounts.size === 0,
  isWider: (search, reference) =>
    (!omitsCount(search.search) && differOnlyInCount(search, reference)) || foundFarMore(search, reference),
  describe: () => "without a number",
});

/**
 * A search that stops at the requested number reports it. The specification does not say whether this counts as cutting
 * results off, because the client requested it. It does not mention `display` either. Source: search-stream, sections
 * 4, 7 and 8.
 */
export const countCutIsNamed = defineCutRule({
  id: "stream/count-cut-is-named",
  hasPair: haveDifferentLimits,
  appliesTo: mayHaveReachedCount,
  isWider: (search, reference) =>
    countLimit(search.search) > countLimit(reference.search) && differOnlyInCount(search, reference),
  describe: ({ search }) => `with \`count:${countLimit(search)}\``,
});

const nothingCutReason =
  "no search is known to have omitted results that another search finds in the same state of a repository; choose a `--query` that finds many lines of a file";
