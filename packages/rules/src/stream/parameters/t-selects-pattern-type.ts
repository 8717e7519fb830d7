import { defineComparison } from "../compare/define-comparison.ts";
import { byPatternType, isAskedByT, judgeSelection, ownType, selectedTypes } from "../compare/pattern-type-readings.ts";
import { typeOf } from "../compare/search.ts";
import { usableOf } from "../compare/usable.ts";

/**
 * A query without `patternType:` is read as `t` says. Where the filter for the same type finds other things than the query by
 * default, `t` for this type does so as well. Source: search-stream, section 4.
 */
export const tSelectsPatternType = defineComparison({
  id: "stream/t-selects-pattern-type",
  groupOf: byPatternType,
  hasPair: (searches) =>
    selectedTypes.some(
      (type) =>
        searches.some((search) => isAskedByT(search, type)) && searches.some((search) => ownType(search) === type),
    ),
  judge(group, reportFor) {
    const searches = usableOf(group);
    for (const type of selectedTypes) {
      const ways = {
        tried: searches.filter(({ search }) => isAskedByT(search, type)),
        others: searches.filter(({ search }) => ownType(search) === type && (typeOf(search) ?? type) === type),
        words: { tried: `\`t=${type}\``, others: `\`patternType:${type}\` in the query` },
      };
      judgeSelection(searches, ways, reportFor);
    }
  },
});
