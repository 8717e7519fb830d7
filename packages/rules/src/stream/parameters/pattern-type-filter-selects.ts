import { defineComparison } from "../compare/define-comparison.ts";
import { takeFilter } from "../compare/query-filter.ts";
import { haveSameState, isSameReading, isToldApart } from "../compare/reading.ts";
import { notCompared } from "../compare/same-state.ts";
import { searchKey, typeOf } from "../compare/search.ts";
import type { Search } from "../compare/search.ts";
import { usableOf } from "../compare/usable.ts";
import type { UsableSearch } from "../compare/usable.ts";

const ownType = ({ parameters }: Search): string | undefined =>
  takeFilter(parameters.get("q") ?? "", "patterntype")?.value?.toLowerCase();

/** Types other than the one that is used without `t`. */
const selected = ["keyword", "regexp"] as const;

const isDefault = ({ search }: UsableSearch): boolean =>
  ownType(search) === undefined && (typeOf(search) ?? "standard") === "standard";

const isAsked = (search: Search, type: string): boolean => ownType(search) === undefined && typeOf(search) === type;

const isFiltered = (search: Search, type: string): boolean => ownType(search) === type && typeOf(search) === undefined;

/**
 * As `t` is for queries without `patternType:`, that filter says how its query is read. Where `t` for the same type finds other things
 * than the query by default, the filter does so as well. Source: search-stream, section 4.
 */
export const patternTypeFilterSelects = defineComparison({
  id: "stream/pattern-type-filter-selects",
  groupOf(search) {
    const taken = takeFilter(search.parameters.get("q") ?? "", "patterntype");
    return taken === undefined ? undefined : searchKey(search, { q: taken.rest, t: undefined, v: undefined });
  },
  hasPair: (searches) =>
    selected.some(
      (type) => searches.some((search) => isAsked(search, type)) && searches.some((search) => isFiltered(search, type)),
    ),
  judge(group, reportFor) {
    const searches = usableOf(group);
    for (const type of selected) {
      const asked = searches.filter(({ search }) => isAsked(search, type));
      for (const filtered of searches.filter(({ search }) => isFiltered(search, type))) {
        const report = reportFor(filtered.id);
        const telling = searches.filter(
          (one) => isDefault(one) && haveSameState(filtered, one) && isToldApart(one, asked),
        );
        const same = telling.find((one) => isSameReading(filtered, one));
        if (telling.length === 0) {
          report.unobserved(notCompared.sameReading);
          continue;
        }
        report.observe();
        if (same !== undefined) {
          const message = `search ${filtered.id} with \`patternType:${type}\` in its query finds what search ${same.id} without it finds, and nothing else, although \`t=${type}\` finds other things`;
          report.violation({ message });
        }
      }
    }
  },
});
