import type { Reporter } from "../reporter.ts";
import type { ComparedSearch } from "./compared-search.ts";
import { compareResults } from "./result-difference.ts";
import { countResults } from "./result-size.ts";
import { notCompared } from "./same-state.ts";
import { findBaseline } from "./stable-search.ts";
import type { StableSearch } from "./stable-search.ts";
import type { UsableSearch } from "./usable-search.ts";

/** A search and its variation, which must return the same results. */
export interface EqualResultsPair {
  /** All repeats of the search without the variation. */
  readonly repeats: readonly ComparedSearch[];
  readonly variedSearch: UsableSearch;
  /** Describes the variation for messages, such as "with `v=V3`". */
  readonly variation: string;
  /** Returns the code of a special difference, or undefined for `finds-less`, `finds-more` or `finds-other-things`. */
  readonly differenceCode?: (pair: {
    readonly base: StableSearch;
    readonly variedSearch: UsableSearch;
  }) => string | undefined;
  /** Other searches of the group, which may show that the target names commits. */
  readonly referenceSearches?: readonly UsableSearch[];
}

/** Returns the baseline for `variedSearch`. If there is none, reports the rule as not tested, with the reason. */
export function findBaselineOrReport(
  { repeats, variedSearch, referenceSearches }: EqualResultsPair,
  report: Reporter,
): StableSearch | undefined {
  const baseline = findBaseline(variedSearch, repeats, referenceSearches);
  if (baseline.kind === "none") {
    report.notTested(baseline.reason);
    return undefined;
  }
  return baseline.base;
}

/**
 * Reports whether the two searches definitely returned different results. Such a difference is evidence even if equal
 * results would prove nothing. Searches without results are ignored, because they may have seen a different index
 * state.
 */
export function haveDifferentResults({ repeats, variedSearch, referenceSearches }: EqualResultsPair): boolean {
  const baseline = findBaseline(variedSearch, repeats, referenceSearches);
  if (baseline.kind === "none") {
    return false;
  }
  const { results } = baseline.base.first;
  const haveResults = [results, variedSearch.results].every((facts) => countResults(facts).files > 0);
  return haveResults && compareResults(variedSearch.results, results).difference !== undefined;
}

/**
 * Reports a violation if the two searches differ. Reports the rule as not tested if a difference could have gone
 * unnoticed.
 */
export function judgeSameResults(pair: EqualResultsPair, report: Reporter): void {
  const base = findBaselineOrReport(pair, report);
  if (base === undefined) {
    return;
  }
  const { variedSearch, variation, differenceCode } = pair;
  const { difference, code, isInconclusive } = compareResults(variedSearch.results, base.first.results);
  report.observation(Number(difference !== undefined || !isInconclusive));
  if (difference !== undefined) {
    const message = `search ${variedSearch.id} ${variation} finds different results from search ${base.first.id} without it: it ${difference}`;
    report.violation({ message, code: differenceCode?.({ base, variedSearch }) ?? code });
  } else if (isInconclusive) {
    report.notTested(notCompared.unidentified);
  }
}
