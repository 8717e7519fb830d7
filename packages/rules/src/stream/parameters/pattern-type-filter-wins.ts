import { patternTypes } from "@assay/contract";
import type { Reporter } from "../../engine/reporter.ts";
import { defineComparison, hasBoth } from "../../engine/compare/define-comparison.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { judgeSameResults } from "../../engine/compare/judge-same-results.ts";
import { keptTypeBesideFilter } from "../../engine/compare/kept-parameters.ts";
import { ownType } from "../../engine/compare/pattern-type-readings.ts";
import { takeFilter } from "../../engine/compare/query-filter.ts";
import { copiesInStateOf, isDistinguishable, reasonIndistinguishable } from "../../engine/compare/reading.ts";
import { searchKey, typeOf } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { usableOf } from "../../engine/compare/usable.ts";
import type { UsableSearch } from "../../engine/compare/usable.ts";

const documented: readonly string[] = patternTypes;

/** Reports whether the parameter sets another type than the query. */
function isContradicted(search: Search): boolean {
  const [asked, own] = [typeOf(search) ?? "", ownType(search)];
  return own !== undefined && documented.includes(asked) && own !== asked;
}

/** Searches without the filter whose `t` sets this type; without `t` it is the default. */
const unfilteredOf = (group: readonly ComparedSearch[], asked: string | undefined): readonly UsableSearch[] =>
  usableOf(group.filter(({ search }) => ownType(search) === undefined && (typeOf(search) ?? "standard") === asked));

function judgeFilter(filter: string, group: readonly ComparedSearch[], reportFor: (id: string) => Reporter): void {
  const filtered = group.filter(({ search }) => ownType(search) === filter);
  const copies = filtered.filter(({ search }) => typeOf(search) === undefined);
  const bases = usableOf(copies);
  for (const varied of bases.length === 0 ? [] : usableOf(filtered.filter(({ search }) => isContradicted(search)))) {
    const asked = typeOf(varied.search);
    const witnesses = unfilteredOf(group, asked);
    // Only if the type of the parameter alone finds other results than the filter, the results show which of them
    // counts.
    if (copiesInStateOf(varied, bases).some((base) => isDistinguishable(base, witnesses))) {
      judgeSameResults({ copies, varied, how: `with \`t=${asked}\``, witnesses }, reportFor(varied.id));
    } else {
      reportFor(varied.id).notTested(reasonIndistinguishable(varied, witnesses));
    }
  }
}

/** `t` only applies to queries without their own `patternType:`. Source: search-stream, section 4. */
export const patternTypeFilterWins = defineComparison({
  id: "stream/pattern-type-filter-wins",
  groupOf(search) {
    const taken = takeFilter(search.parameters.get("q") ?? "", "patterntype");
    return taken === undefined ? undefined : searchKey(search, { q: taken.rest, t: undefined });
  },
  hasPair: hasBoth(isContradicted, (search) => typeOf(search) === undefined && ownType(search) !== undefined),
  kept: [keptTypeBesideFilter],
  judge(group, reportFor) {
    const filters = new Set(group.flatMap(({ search }) => ownType(search) ?? []));
    for (const filter of filters) {
      judgeFilter(filter, group, reportFor);
    }
  },
});
