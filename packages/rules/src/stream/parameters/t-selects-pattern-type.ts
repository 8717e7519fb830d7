import type { Reporter } from "../../engine/reporter.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { areOthers, judgeSameResults } from "../../engine/compare/judge-same-results.ts";
import { keptType } from "../../engine/compare/kept-parameters.ts";
import {
  byPatternType,
  isAskedByT,
  isByDefault,
  judgeSelection,
  ownType,
  selectedTypes,
} from "../../engine/compare/pattern-type-readings.ts";
import { isSameReading } from "../../engine/compare/reading.ts";
import { typeOf } from "../../engine/compare/search.ts";
import { usableOf } from "../../engine/compare/usable.ts";

/** `t` finds the same as the filter for the same type, if both certainly met the same state. */
function judgeAsFilter(
  type: string,
  group: readonly ComparedSearch[],
  reportFor: (exchange: string) => Reporter,
): void {
  const copies = group.filter(({ search }) => ownType(search) === type && typeOf(search) === undefined);
  const how = `with \`t=${type}\` instead of \`patternType:${type}\``;
  const plain = usableOf(group.filter(({ search }) => isByDefault(search)));
  // A filter with the default results may have had no effect, which another rule reports.
  const hasEffect = usableOf(copies).every((copy) => !plain.some((one) => isSameReading(copy, one)));
  for (const varied of usableOf(group.filter(({ search }) => isAskedByT(search, type)))) {
    const pair = {
      copies,
      varied,
      how,
      codeOf: (): string => "other-than-filter",
    };
    if (hasEffect && areOthers(pair)) {
      judgeSameResults(pair, reportFor(varied.id));
    }
  }
}

/**
 * `t` sets the type of a query without `patternType:`. If the filter for the same type finds other results than the
 * default, so does `t`, and both find the same. Source: search-stream, section 4.
 */
export const tSelectsPatternType = defineComparison({
  id: "stream/t-selects-pattern-type",
  groupOf: byPatternType,
  hasPair: (searches) =>
    selectedTypes.some(
      (type) =>
        searches.some((search) => isAskedByT(search, type)) && searches.some((search) => ownType(search) === type),
    ),
  kept: [keptType],
  judge(group, reportFor) {
    const searches = usableOf(group);
    for (const type of selectedTypes) {
      const ways = {
        tried: searches.filter(({ search }) => isAskedByT(search, type)),
        others: searches.filter(({ search }) => ownType(search) === type && (typeOf(search) ?? type) === type),
        words: {
          tried: `\`t=${type}\``,
          others: `\`patternType:${type}\` in the query`,
        },
      };
      judgeSelection(searches, ways, reportFor);
      judgeAsFilter(type, group, reportFor);
    }
  },
});
