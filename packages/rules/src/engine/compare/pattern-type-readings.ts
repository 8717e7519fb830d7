import type { Reporter } from "../reporter.ts";
import type { Comparison } from "./define-comparison.ts";
import { extractFilter } from "./query-filter.ts";
import { haveSameState, haveSameReading, isDistinguishable, reasonForIndistinguishable } from "./reading.ts";
import { searchKey, sentPatternType } from "./search.ts";
import type { Search } from "./search.ts";
import type { UsableSearch } from "./usable-search.ts";

/** Returns the pattern type filter of a query. */
export const patternTypeFilter = ({ parameters }: Search): ReturnType<typeof extractFilter> =>
  extractFilter(parameters.get("q") ?? "", "patterntype");

/** Returns the pattern type in the query, or undefined. */
export const queryPatternType = (search: Search): string | undefined => patternTypeFilter(search)?.value?.toLowerCase();

/** Pattern types other than the default. */
export const nonDefaultTypes = ["keyword", "regexp"] as const;

/** Reports whether `t` sets the type and the query does not. */
export const usesTypeParameter = (search: Search, type: string): boolean =>
  queryPatternType(search) === undefined && sentPatternType(search) === type;

/** Reports whether a query has the default type, which neither the query nor `t` changes. */
export const usesDefaultType = (search: Search): boolean =>
  queryPatternType(search) === undefined && (sentPatternType(search) ?? "standard") === "standard";

/** Groups searches whose queries differ only in their pattern type, set by `t` or by a filter. */
export const byPatternType: Comparison["groupKey"] = (search) => {
  const filter = patternTypeFilter(search);
  return filter === undefined ? undefined : searchKey(search, { q: filter.remainingQuery, t: undefined, v: undefined });
};

/** Searches that set a type by one method (`t` or filter), and those that set it by the other. */
export interface TypeSelections {
  readonly testedSearches: readonly UsableSearch[];
  readonly referenceSearches: readonly UsableSearch[];
  /** Describes the two methods. `tested` ends a sentence about a search, `reference` is its subject. */
  readonly descriptions: { readonly tested: string; readonly reference: string };
}

/**
 * Judges whether a query whose type is set by one method is interpreted with that type. If the other method finds
 * different results from the default, this one must too. If it finds exactly the default results, the type had no
 * effect.
 */
export function judgeSelection(
  searches: readonly UsableSearch[],
  { testedSearches, referenceSearches, descriptions }: TypeSelections,
  reportFor: (exchange: string) => Reporter,
): void {
  const defaultSearches = searches.filter(({ search }) => usesDefaultType(search));
  for (const search of testedSearches) {
    const report = reportFor(search.id);
    const conclusiveBases = defaultSearches.filter(
      (base) => haveSameState(search, base) && isDistinguishable(base, referenceSearches),
    );
    if (conclusiveBases.length === 0) {
      report.notTested(reasonForIndistinguishable(search, defaultSearches));
      continue;
    }
    report.observation();
    const unaffected = conclusiveBases.find((base) => haveSameReading(search, base));
    if (unaffected !== undefined) {
      const message = `search ${search.id} with ${descriptions.tested} finds exactly what search ${unaffected.id} without it finds, although ${descriptions.reference} finds different results`;
      report.violation({ message });
    }
  }
}
