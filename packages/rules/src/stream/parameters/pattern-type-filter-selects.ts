import { defineComparison } from "../../engine/compare/define-comparison.ts";
import { typeFilterParameter } from "../../engine/compare/non-emptying-parameters.ts";
import {
  byPatternType,
  isSetByT,
  judgeSelection,
  ownType,
  selectedTypes,
} from "../../engine/compare/pattern-type-readings.ts";
import { typeOf } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { usableCopies } from "../../engine/compare/usable.ts";

const isFiltered = (search: Search, type: string): boolean => ownType(search) === type && typeOf(search) === undefined;

/**
 * `t` applies only to queries without `patternType:`, so that filter sets the type of its query. If `t` with the same
 * type finds different results from the default, so does the filter. Source: search-stream, section 4.
 */
export const patternTypeFilterSelects = defineComparison({
  id: "stream/pattern-type-filter-selects",
  groupOf: byPatternType,
  hasPair: (searches) =>
    selectedTypes.some(
      (type) =>
        searches.some((search) => isSetByT(search, type)) && searches.some((search) => isFiltered(search, type)),
    ),
  kept: [typeFilterParameter],
  judge(group, reportFor) {
    const searches = usableCopies(group);
    for (const type of selectedTypes) {
      const methods = {
        tried: searches.filter(({ search }) => isFiltered(search, type)),
        others: searches.filter(({ search }) => isSetByT(search, type)),
        words: {
          tried: `\`patternType:${type}\` in its query`,
          others: `\`t=${type}\``,
        },
      };
      judgeSelection(searches, methods, reportFor);
    }
  },
});
