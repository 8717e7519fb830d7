import { defineComparison } from "../../engine/compare/define-comparison.ts";
import { queryTypeParameter } from "../../engine/compare/result-preserving-parameters.ts";
import {
  byPatternType,
  usesTypeParameter,
  judgeSelection,
  usesTypeFilter,
  nonDefaultTypes,
} from "../../engine/compare/pattern-type-selection.ts";
import { toUsableSearches } from "../../engine/compare/usable-search.ts";

/**
 * `t` applies only to queries without `patternType:`, so the filter sets the type of a query that contains it. If `t`
 * with the same type finds different results from the default, the filter must too. Source: search-stream, section 4.
 */
export const patternTypeFilterSelects = defineComparison({
  id: "stream/pattern-type-filter-selects",
  groupKey: byPatternType,
  hasPair: (searches) =>
    nonDefaultTypes.some(
      (type) =>
        searches.some((search) => usesTypeParameter(search, type)) &&
        searches.some((search) => usesTypeFilter(search, type)),
    ),
  resultPreservingParameters: [queryTypeParameter],
  judge(group, reportFor) {
    const searches = toUsableSearches(group);
    for (const type of nonDefaultTypes) {
      const selections = {
        testedSearches: searches.filter(({ search }) => usesTypeFilter(search, type)),
        referenceSearches: searches.filter(({ search }) => usesTypeParameter(search, type)),
        descriptions: {
          tested: `\`patternType:${type}\` in its query`,
          reference: `\`t=${type}\``,
        },
      };
      judgeSelection(searches, selections, reportFor);
    }
  },
});
