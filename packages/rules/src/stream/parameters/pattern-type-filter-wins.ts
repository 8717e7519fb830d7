import { patternTypes } from "@assay/contract";
import type { Reporter } from "../../engine/reporter.ts";
import { defineComparison, hasBoth } from "../compare/define-comparison.ts";
import type { ComparedSearch } from "../compare/define-comparison.ts";
import { differenceOf } from "../compare/found-difference.ts";
import { judgeSameResults } from "../compare/judge-same-results.ts";
import { takeFilter } from "../compare/query-filter.ts";
import { searchKey } from "../compare/search.ts";
import type { Search } from "../compare/search.ts";
import { stableSearch } from "../compare/stable-search.ts";
import type { StableSearch } from "../compare/stable-search.ts";
import { usableOf } from "../compare/usable.ts";
import type { UsableSearch } from "../compare/usable.ts";

const documented: readonly string[] = patternTypes;

const typeOf = ({ parameters }: Search): string | undefined => parameters.get("t");

/** The pattern type that the query itself asks for; `undefined` when it asks for none. */
const ownType = ({ parameters }: Search): string | undefined =>
  takeFilter(parameters.get("q") ?? "", "patterntype")?.value?.toLowerCase();

/** Whether the parameter asks for another type than the query does. */
function isContradicted(search: Search): boolean {
  const [asked, own] = [typeOf(search) ?? "", ownType(search)];
  return own !== undefined && documented.includes(asked) && own !== asked;
}

interface FilteredSearch {
  readonly base: StableSearch;
  /** The same searches without the filter, whatever their `t`. */
  readonly unfiltered: readonly UsableSearch[];
}

/** Whether the type of the parameter alone finds other things than the filter: only then could anybody tell which counts. */
const tellsApart = ({ base, unfiltered }: FilteredSearch, asked: string | undefined): boolean =>
  unfiltered.some(
    ({ search, standing, results }) =>
      (typeOf(search) ?? "standard") === asked &&
      standing === "complete" &&
      differenceOf(results, base.first.results).clause !== undefined,
  );

function judgeFilter(filter: string, group: readonly ComparedSearch[], reportFor: (id: string) => Reporter): void {
  const filtered = group.filter(({ search }) => ownType(search) === filter);
  const base = stableSearch(filtered.filter(({ search }) => typeOf(search) === undefined));
  if (base === undefined) {
    return;
  }
  const unfiltered = usableOf(group.filter(({ search }) => ownType(search) === undefined));
  for (const varied of usableOf(filtered.filter(({ search }) => isContradicted(search)))) {
    const asked = typeOf(varied.search);
    if (tellsApart({ base, unfiltered }, asked)) {
      judgeSameResults({ base, varied, how: `with \`t=${asked}\`` }, reportFor(varied.id));
    }
  }
}

/** `t` is for queries without a `patternType:` of their own. Source: search-stream, section 4. */
export const patternTypeFilterWins = defineComparison({
  id: "stream/pattern-type-filter-wins",
  groupOf(search) {
    const taken = takeFilter(search.parameters.get("q") ?? "", "patterntype");
    return taken === undefined ? undefined : searchKey(search, { q: taken.rest, t: undefined });
  },
  hasPair: hasBoth(isContradicted, (search) => typeOf(search) === undefined && ownType(search) !== undefined),
  judge(group, reportFor) {
    const filters = new Set(group.flatMap(({ search }) => ownType(search) ?? []));
    for (const filter of filters) {
      judgeFilter(filter, group, reportFor);
    }
  },
});
