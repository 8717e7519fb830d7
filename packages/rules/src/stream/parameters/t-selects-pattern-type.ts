import type { Reporter } from "../../engine/reporter.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { haveDifferentResults, judgeSameResults } from "../../engine/compare/judge-same-results.ts";
import { regexpTypeParameter } from "../../engine/compare/non-emptying-parameters.ts";
import {
  byPatternType,
  isSetByT,
  isByDefault,
  judgeSelection,
  ownType,
  selectedTypes,
} from "../../engine/compare/pattern-type-readings.ts";
import { isSameReading } from "../../engine/compare/reading.ts";
import { typeOf } from "../../engine/compare/search.ts";
import { usableCopies } from "../../engine/compare/usable.ts";

/** Judges whether `t` returns the same results as the filter for the same type, if both are known to have seen the same state. */
function judgeAsFilter(
  type: string,
  group: readonly ComparedSearch[],
  reportFor: (exchange: string) => Reporter,
): void {
  const copies = group.filter(({ search }) => ownType(search) === type && typeOf(search) === undefined);
  const variation = `with \`t=${type}\` instead of \`patternType:${type}\``;
  const plain = usableCopies(group.filter(({ search }) => isByDefault(search)));
  // A filter with the default results may have had no effect, which another rule reports.
  const hasEffect = usableCopies(copies).every((copy) => !plain.some((base) => isSameReading(copy, base)));
  for (const varied of usableCopies(group.filter(({ search }) => isSetByT(search, type)))) {
    const pair = {
      copies,
      varied,
      variation,
      codeOf: (): string => "other-than-filter",
    };
    if (hasEffect && haveDifferentResults(pair)) {
      judgeSameResults(pair, reportFor(varied.id));
    }
  }
}

/**
 * `t` sets the type of a query without `patternType:`. If the filter for the same type finds different results from the
 * default, so does `t`, and both return the same results. Source: search-stream, section 4.
 */
export const tSelectsPatternType = defineComparison({
  id: "stream/t-selects-pattern-type",
  groupOf: byPatternType,
  hasPair: (searches) =>
    selectedTypes.some(
      (type) =>
        searches.some((search) => isSetByT(search, type)) && searches.some((search) => ownType(search) === type),
    ),
  kept: [regexpTypeParameter],
  judge(group, reportFor) {
    const searches = usableCopies(group);
    for (const type of selectedTypes) {
      const methods = {
        tried: searches.filter(({ search }) => isSetByT(search, type)),
        others: searches.filter(({ search }) => ownType(search) === type && (typeOf(search) ?? type) === type),
        words: {
          tried: `\`t=${type}\``,
          others: `\`patternType:${type}\` in the query`,
        },
      };
      judgeSelection(searches, methods, reportFor);
      judgeAsFilter(type, group, reportFor);
    }
  },
});
