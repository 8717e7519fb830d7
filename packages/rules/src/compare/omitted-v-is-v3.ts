import { defineComparison, hasBoth } from "./define-comparison.ts";
import { judgeSameResults } from "./judge-same-results.ts";
import { mentionsFilter } from "./query-filter.ts";
import { searchKey } from "./search.ts";
import type { Search } from "./search.ts";
import { stableSearch } from "./stable-search.ts";
import { usableOf } from "./usable.ts";

const isSilent = ({ parameters }: Search): boolean => !parameters.has("v");

const isExplicit = ({ parameters }: Search): boolean => parameters.get("v") === "V3";

/**
 * Left out, `v` is `V3`. The version decides how a query is read, so searches that say so themselves, by `t` or by a filter,
 * are not asked. Source: search-stream, sections 4 and 9.
 */
export const omittedVIsV3 = defineComparison({
  id: "stream/omitted-v-is-v3",
  groupOf(search) {
    const { parameters } = search;
    const isAsked = !parameters.has("t") && !mentionsFilter(parameters.get("q") ?? "", "patterntype");
    return isAsked ? searchKey(search, { v: undefined }) : undefined;
  },
  hasPair: hasBoth(isSilent, isExplicit),
  judge(group, reportFor) {
    const base = stableSearch(group.filter(({ search }) => isSilent(search)));
    const explicit = usableOf(group.filter(({ search }) => isExplicit(search)));
    if (base === undefined) {
      return;
    }
    for (const varied of explicit) {
      judgeSameResults({ base, varied, how: "with `v=V3`" }, reportFor(base.first.id));
    }
  },
});
