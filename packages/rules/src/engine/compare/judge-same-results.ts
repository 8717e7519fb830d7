import type { Reporter } from "../reporter.ts";
import type { ComparedSearch } from "./compared-search.ts";
import { compareResults } from "./result-difference.ts";
import { countResults } from "./result-size.ts";
import { notCompared } from "./same-state.ts";
import { findBaseline } from "./stable-search.ts";
import type { StableSearch } from "./stable-search.ts";
import type { UsableSearch } from "./usable-search.ts";

/** Two searches that must return the same results. */
export interface ExpectedMatch {
  /** All repeats of the search without the variation. */
  readonly repeats: readonly ComparedSearch[];
  readonly varied: UsableSearch;
  /** Describes the variation, such as "with `v=V3`". */
  readonly variation: string;
  /** Returns the code of a special difference, or undefined for `finds-less`, `finds-more` or `finds-other-things`. */
  readonly differenceCode?: (pair: {
    readonly base: StableSearch;
    readonly varied: UsableSearch;
  }) => string | undefined;
  /** Other searches of the group, which may show that the target names commits. */
  readonly referenceSearches?: readonly UsableSearch[];
}

/** Returns the baseline of the varied search. If there is none, reports the rule as not tested, with the reason. */
export function findComparableBase(
  { repeats, varied, referenceSearches }: ExpectedMatch,
  report: Reporter,
): StableSearch | undefined {
  const baseline = findBaseline(varied, repeats, referenceSearches);
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
export function haveDifferentResults({ repeats, varied, referenceSearches }: ExpectedMatch): boolean {
  const baseline = findBaseline(varied, repeats, referenceSearches);
  if (baseline.kind === "none") {
    return false;
  }
  const { results } = baseline.base.first;
  const haveResults = [results, varied.results].every((facts) => countResults(facts).files > 0);
  return haveResults && compareResults(varied.results, results).clause !== undefined;
}

/** Reports a violation if the two searches differ. Reports the rule as not tested if a difference could have gone unnoticed. */
export function judgeSameResults(pair: ExpectedMatch, report: Reporter): void {
  const base = findComparableBase(pair, report);
  if (base === undefined) {
    return;
  }
  const { varied, variation, differenceCode } = pair;
  const { clause, code, isInconclusive } = compareResults(varied.results, base.first.results);
  report.observation(Number(clause !== undefined || !isInconclusive));
  if (clause !== undefined) {
    const message = `search ${varied.id} ${variation} finds different results from search ${base.first.id} without it: it ${clause}`;
    report.violation({ message, code: differenceCode?.({ base, varied }) ?? code });
  } else if (isInconclusive) {
    report.notTested(notCompared.unidentified);
  }
}
