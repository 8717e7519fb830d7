import type { Reporter } from "../../engine/reporter.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { haveDifferentResults, judgeSameResults } from "../../engine/compare/judge-same-results.ts";
import { regexpTypeParameter } from "../../engine/compare/result-preserving-parameters.ts";
import {
  byPatternType,
  usesTypeParameter,
  usesDefaultType,
  usesTypeFilter,
  judgeSelection,
  queryPatternType,
  nonDefaultTypes,
} from "../../engine/compare/pattern-type-selection.ts";
import { haveSameResultsAndState } from "../../engine/compare/interpretation.ts";
import { sentPatternType } from "../../engine/compare/search.ts";
import { toUsableSearches } from "../../engine/compare/usable-search.ts";

/**
 * Checks that `t` returns the same results as the filter for the same type, if both searches saw the same index state.
 */
function judgeAsFilter(
  type: string,
  group: readonly ComparedSearch[],
  reportFor: (exchange: string) => Reporter,
): void {
  const repeats = group.filter(({ search }) => usesTypeFilter(search, type));
  const variation = `with \`t=${type}\` instead of \`patternType:${type}\``;
  const defaultSearches = toUsableSearches(group.filter(({ search }) => usesDefaultType(search)));
  // A filter with the default results may have had no effect, which `stream/pattern-type-filter-selects` reports.
  const hasEffect = toUsableSearches(repeats).every(
    (repeat) => !defaultSearches.some((defaultSearch) => haveSameResultsAndState(repeat, defaultSearch)),
  );
  for (const variedSearch of toUsableSearches(group.filter(({ search }) => usesTypeParameter(search, type)))) {
    const pair = { repeats, variedSearch, variation };
    if (hasEffect && haveDifferentResults(pair)) {
      judgeSameResults(pair, reportFor(variedSearch.id));
    }
  }
}

/**
 * `t` sets the pattern type of a query without `patternType:`. If the filter for the same type finds different results
 * from the default, `t` must find the same results as the filter. Source: search-stream, section 4.
 */
export const tSelectsPatternType = defineComparison({
  id: "stream/t-selects-pattern-type",
  groupKey: byPatternType,
  hasPair: (searches) =>
    nonDefaultTypes.some(
      (type) =>
        searches.some((search) => usesTypeParameter(search, type)) &&
        searches.some((search) => queryPatternType(search) === type),
    ),
  resultPreservingParameters: [regexpTypeParameter],
  judge(group, reportFor) {
    const searches = toUsableSearches(group);
    for (const type of nonDefaultTypes) {
      const selections = {
        testedSearches: searches.filter(({ search }) => usesTypeParameter(search, type)),
        referenceSearches: searches.filter(
          ({ search }) => queryPatternType(search) === type && (sentPatternType(search) ?? type) === type,
        ),
        descriptions: {
          tested: `\`t=${type}\``,
          reference: `\`patternType:${type}\` in the query`,
        },
      };
      judgeSelection(searches, selections, reportFor);
      judgeAsFilter(type, group, reportFor);
    }
  },
});
