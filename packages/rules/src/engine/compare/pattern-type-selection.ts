import type { Reporter } from "../reporter.ts";
import type { Comparison } from "./define-comparison.ts";
import { extractFilter } from "./query-filter.ts";
import {
  completeInSameState,
  haveSameResultsAndState,
  differsFromOtherInterpretations,
  reasonForSameResults,
} from "./interpretation.ts";
import { searchKey, sentPatternType } from "./search.ts";
import type { Search } from "./search.ts";
import type { UsableSearch } from "./usable-search.ts";

/** Returns the `patternType:` filter of a query. */
export const patternTypeFilter = ({ parameters }: Search): ReturnType<typeof extractFilter> =>
  extractFilter(parameters.get("q") ?? "", "patterntype");

/** Returns the pattern type that the query sets, in lower case, or undefined. */
export const queryPatternType = (search: Search): string | undefined => patternTypeFilter(search)?.value?.toLowerCase();

/** Pattern types other than the default. */
export const nonDefaultTypes = ["keyword", "regexp"] as const;

/** Reports whether `t` sets this pattern type and the query sets none. */
export const usesTypeParameter = (search: Search, type: string): boolean =>
  queryPatternType(search) === undefined && sentPatternType(search) === type;

/** Reports whether the query of a search sets no pattern type, and its `t` is `type`. An absent `t` counts as the default. */
export const isOfType = (search: Search, type: string | undefined): boolean =>
  queryPatternType(search) === undefined && (sentPatternType(search) ?? "standard") === type;

/** Reports whether a search uses the default pattern type: the query sets none, and `t` is absent or `standard`. */
export const usesDefaultType = (search: Search): boolean => isOfType(search, "standard");

/** Reports whether the query of a search sets this pattern type, and there is no `t`. */
export const usesTypeFilter = (search: Search, type: string | undefined): boolean =>
  queryPatternType(search) === type && sentPatternType(search) === undefined;

/** Groups searches whose queries differ only in their pattern type, set by `t` or by a filter. */
export const byPatternType: Comparison["groupKey"] = (search) => {
  const filter = patternTypeFilter(search);
  return filter === undefined ? undefined : searchKey(search, { q: filter.remainingQuery, t: undefined, v: undefined });
};

/** The same searches with the pattern type set in two ways: by `t` and by a filter. */
export interface TypeSelections {
  readonly testedSearches: readonly UsableSearch[];
  readonly referenceSearches: readonly UsableSearch[];
  /**
   * Clauses for the message: `tested` completes "search X with …", `reference` completes "although … finds different
   * results".
   */
  readonly descriptions: { readonly tested: string; readonly reference: string };
}

/**
 * Checks that the tested method takes effect. If the reference method finds different results from the default, the
 * tested method must too. A search that finds exactly the default results fails.
 */
export function judgeSelection(
  searches: readonly UsableSearch[],
  { testedSearches, referenceSearches, descriptions }: TypeSelections,
  reportFor: (exchange: string) => Reporter,
): void {
  const defaultSearches = searches.filter(({ search }) => usesDefaultType(search));
  for (const search of testedSearches) {
    const report = reportFor(search.id);
    const comparableDefaults = defaultSearches.filter(
      (defaultSearch) =>
        completeInSameState(search, defaultSearch) && differsFromOtherInterpretations(defaultSearch, referenceSearches),
    );
    if (comparableDefaults.length === 0) {
      report.notTested(reasonForSameResults(search, defaultSearches));
      continue;
    }
    report.observation();
    const unaffectedSearch = comparableDefaults.find((defaultSearch) => haveSameResultsAndState(search, defaultSearch));
    if (unaffectedSearch !== undefined) {
      const message = `search ${search.id} with ${descriptions.tested} finds exactly what search ${unaffectedSearch.id} without it finds, although ${descriptions.reference} finds different results`;
      report.violation({ message });
    }
  }
}
