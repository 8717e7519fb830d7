import { defineComparison, hasBoth } from "./define-comparison.ts";
import { differenceOf } from "./found-difference.ts";
import { judgeSameResults } from "./judge-same-results.ts";
import { mentionsFilter } from "./query-filter.ts";
import { searchKey } from "./search.ts";
import type { Search } from "./search.ts";
import { stableSearch } from "./stable-search.ts";
import { usableOf } from "./usable.ts";
import type { UsableSearch } from "./usable.ts";

const typeOf = ({ parameters }: Search): string | undefined => parameters.get("t");

const isVersion3 = ({ parameters }: Search): boolean => (parameters.get("v") ?? "V3") === "V3";

/** Whether another pattern type finds other things: only then could anybody tell which one a search without `t` has. */
const tellsApart = (standard: UsableSearch, others: readonly UsableSearch[]): boolean =>
  others.some(
    ({ standing, results }) => standing === "complete" && differenceOf(results, standard.results).clause !== undefined,
  );

/** Left out, `t` is `standard`. Source: search-stream, section 4. */
export const omittedTIsStandard = defineComparison({
  id: "stream/omitted-t-is-standard",
  groupOf(search) {
    const isAsked = isVersion3(search) && !mentionsFilter(search.parameters.get("q") ?? "", "patterntype");
    return isAsked ? searchKey(search, { t: undefined }) : undefined;
  },
  hasPair: hasBoth(
    (search) => typeOf(search) === undefined,
    (search) => typeOf(search) === "standard",
  ),
  judge(group, reportFor) {
    const base = stableSearch(group.filter(({ search }) => typeOf(search) === undefined));
    const others = usableOf(group.filter(({ search }) => ["keyword", "regexp"].includes(typeOf(search) ?? "")));
    const standard = usableOf(group.filter(({ search }) => typeOf(search) === "standard"));
    if (base === undefined) {
      return;
    }
    for (const varied of standard.filter((search) => tellsApart(search, others))) {
      judgeSameResults({ base, varied, how: "with `t=standard`" }, reportFor(base.first.id));
    }
  },
});
