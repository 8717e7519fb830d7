import { patternTypes } from "@assay/contract";
import type { Reporter } from "../../engine/reporter.ts";
import { defineComparison, hasBoth } from "../../engine/compare/define-comparison.ts";
import type { ComparedSearch } from "../../engine/compare/compared-search.ts";
import { judgeSameResults } from "../../engine/compare/judge-same-results.ts";
import { overriddenTypeParameter } from "../../engine/compare/result-preserving-parameters.ts";
import { queryPatternType } from "../../engine/compare/pattern-type-selection.ts";
import { extractFilter } from "../../engine/compare/query-filter.ts";
import {
  selectRepeats,
  differsFromOtherInterpretations,
  reasonForSameResults,
} from "../../engine/compare/interpretation.ts";
import { searchKey, sentPatternType } from "../../engine/compare/search.ts";
import type { Search } from "../../engine/compare/search.ts";
import { toUsableSearches } from "../../engine/compare/usable-search.ts";
import type { UsableSearch } from "../../engine/compare/usable-search.ts";

const documentedTypes: readonly string[] = patternTypes;

/** Reports whether `t` and the query set different documented pattern types. */
function hasContradictoryTypes(search: Search): boolean {
  const [type, filterType] = [sentPatternType(search) ?? "", queryPatternType(search)];
  return filterType !== undefined && documentedTypes.includes(type) && filterType !== type;
}

/** Returns the searches without the filter whose `t` is `type`. An absent `t` counts as the default. */
const searchesWithoutFilter = (group: readonly ComparedSearch[], type: string | undefined): readonly UsableSearch[] =>
  toUsableSearches(
    group.filter(
      ({ search }) => queryPatternType(search) === undefined && (sentPatternType(search) ?? "standard") === type,
    ),
  );

function judgeFilter(filter: string, group: readonly ComparedSearch[], reportFor: (id: string) => Reporter): void {
  const filteredSearches = group.filter(({ search }) => queryPatternType(search) === filter);
  const repeats = filteredSearches.filter(({ search }) => sentPatternType(search) === undefined);
  const usableRepeats = toUsableSearches(repeats);
  for (const variedSearch of usableRepeats.length === 0
    ? []
    : toUsableSearches(filteredSearches.filter(({ search }) => hasContradictoryTypes(search)))) {
    const type = sentPatternType(variedSearch.search);
    const referenceSearches = searchesWithoutFilter(group, type);
    // The results show which type applies only if `t` without the filter finds different results from the filter.
    if (
      selectRepeats(variedSearch, usableRepeats).some((repeat) =>
        differsFromOtherInterpretations(repeat, referenceSearches),
      )
    ) {
      judgeSameResults(
        { repeats, variedSearch, variation: `with \`t=${type}\``, referenceSearches },
        reportFor(variedSearch.id),
      );
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
  hasPair: hasBoth(
    hasContradictoryTypes,
    (search) => sentPatternType(search) === undefined && queryPatternType(search) !== undefined,
  ),
  resultPreservingParameters: [overriddenTypeParameter],
  judge(group, reportFor) {
    const filters = new Set(group.flatMap(({ search }) => queryPatternType(search) ?? []));
    for (const filter of filters) {
      judgeFilter(filter, group, reportFor);
    }
  },
});
