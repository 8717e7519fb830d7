import { patternTypes } from "@assay/contract";
import type { Reporter } from "../../engine/reporter.ts";
import { defineComparison } from "../../engine/compare/define-comparison.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { judgeSameResults } from "../../engine/compare/judge-same-results.ts";
import { overriddenTypeParameter } from "../../engine/compare/result-preserving-parameters.ts";
import { isOfType, queryPatternType, usesTypeFilter } from "../../engine/compare/pattern-type-selection.ts";
import { extractFilter } from "../../engine/compare/query-filter.ts";
import {
  selectRepeats,
  differsFromOtherInterpretations,
  reasonForSameResults,
} from "../../engine/compare/interpretation.ts";
import { searchKey, sentPatternType } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { toUsableSearches } from "../../engine/compare/usable-search.ts";

const documentedTypes: readonly string[] = patternTypes;

/** Reports whether `t` and the query set different documented pattern types. */
function hasContradictoryTypes(search: Search): boolean {
  const [type, filterType] = [sentPatternType(search) ?? "", queryPatternType(search)];
  return filterType !== undefined && documentedTypes.includes(type) && filterType !== type;
}

/** Reports whether a search shows what the filter finds. The default pattern type may be set by nothing. */
const showsFilter = (search: Search, filter: string | undefined): boolean =>
  usesTypeFilter(search, filter) || (filter === "standard" && isOfType(search, filter));

function judgeFilter(filter: string, group: readonly ComparedSearch[], reportFor: (id: string) => Reporter): void {
  const filteredSearches = group.filter(({ search }) => queryPatternType(search) === filter);
  const isFilterAlone = filteredSearches.some(({ search }) => usesTypeFilter(search, filter));
  const repeats = group.filter(({ search }) => (isFilterAlone ? usesTypeFilter : showsFilter)(search, filter));
  const usableRepeats = toUsableSearches(repeats);
  for (const variedSearch of usableRepeats.length === 0
    ? []
    : toUsableSearches(filteredSearches.filter(({ search }) => hasContradictoryTypes(search)))) {
    const type = sentPatternType(variedSearch.search);
    const referenceSearches = toUsableSearches(group.filter(({ search }) => isOfType(search, type)));
    // The results show which type applies only if `t` without the filter finds different results from the filter.
    if (
      selectRepeats(variedSearch, usableRepeats).some((repeat) =>
        differsFromOtherInterpretations(repeat, referenceSearches),
      )
    ) {
      const variation = `with \`t=${type}\`${isFilterAlone ? "" : ` and \`patternType:${filter}\``}`;
      judgeSameResults({ repeats, variedSearch, variation, referenceSearches }, reportFor(variedSearch.id));
    } else {
      reportFor(variedSearch.id).notTested(reasonForSameResults(variedSearch, referenceSearches));
    }
  }
}

/** `t` applies only to queries without their own `patternType:`. Source: search-stream, section 4. */
export const patternTypeFilterWins = defineComparison({
  id: "stream/pattern-type-filter-wins",
  groupKey(search) {
    const filter = extractFilter(search.parameters.get("q") ?? "", "patterntype");
    return filter === undefined ? undefined : searchKey(search, { q: filter.remainingQuery, t: undefined });
  },
  hasPair: (searches) =>
    searches.some(
      (search) =>
        hasContradictoryTypes(search) && searches.some((other) => showsFilter(other, queryPatternType(search))),
    ),
  resultPreservingParameters: [overriddenTypeParameter],
  judge(group, reportFor) {
    const filters = new Set(group.flatMap(({ search }) => queryPatternType(search) ?? []));
    for (const filter of filters) {
      judgeFilter(filter, group, reportFor);
    }
  },
});
