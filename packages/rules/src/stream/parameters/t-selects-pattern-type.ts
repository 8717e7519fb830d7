import { defineComparison } from "../compare/define-comparison.ts";
import { takeFilter } from "../compare/query-filter.ts";
import { haveSameState, isSameReading, isToldApart } from "../compare/reading.ts";
import { notCompared } from "../compare/same-state.ts";
import { searchKey } from "../compare/search.ts";
import type { Search } from "../compare/search.ts";
import { usableOf } from "../compare/usable.ts";
import type { UsableSearch } from "../compare/usable.ts";

const typeOf = ({ parameters }: Search): string | undefined => parameters.get("t");

const ownType = ({ parameters }: Search): string | undefined =>
  takeFilter(parameters.get("q") ?? "", "patterntype")?.value?.toLowerCase();

/** Types other than the one that is used without `t`. */
const selected = ["keyword", "regexp"] as const;

const isDefault = ({ search }: UsableSearch): boolean =>
  ownType(search) === undefined && (typeOf(search) ?? "standard") === "standard";

/**
 * A query without `patternType:` is read as `t` says. Where the filter for the same type finds other things than the query by
 * default, `t` for this type does so as well; what finds exactly what the query finds by default was not read as asked.
 * Source: search-stream, section 4.
 */
export const tSelectsPatternType = defineComparison({
  id: "stream/t-selects-pattern-type",
  groupOf(search) {
    const taken = takeFilter(search.parameters.get("q") ?? "", "patterntype");
    return taken === undefined ? undefined : searchKey(search, { q: taken.rest, t: undefined, v: undefined });
  },
  hasPair: (searches) =>
    selected.some(
      (type) =>
        searches.some((search) => ownType(search) === undefined && typeOf(search) === type) &&
        searches.some((search) => ownType(search) === type),
    ),
  judge(group, reportFor) {
    const searches = usableOf(group);
    const plain = searches.filter(isDefault);
    for (const type of selected) {
      const filtered = searches.filter(({ search }) => ownType(search) === type && (typeOf(search) ?? type) === type);
      for (const asked of searches.filter(({ search }) => ownType(search) === undefined && typeOf(search) === type)) {
        const report = reportFor(asked.id);
        const telling = plain.filter((one) => haveSameState(asked, one) && isToldApart(one, filtered));
        const same = telling.find((one) => isSameReading(asked, one));
        if (telling.length === 0) {
          report.unobserved(notCompared.sameReading);
          continue;
        }
        report.observe();
        if (same !== undefined) {
          const message = `search ${asked.id} with \`t=${type}\` finds what search ${same.id} without it finds, and nothing else, although \`patternType:${type}\` in the query finds other things`;
          report.violation({ message });
        }
      }
    }
  },
});
