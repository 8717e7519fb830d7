import { compareResults } from "./result-difference.ts";
import { searchesInSameState, hasAnyCommit, notCompared, differentStateReason, compareStates } from "./same-state.ts";
import { maxTimesSent } from "./search.ts";
import type { UsableSearch } from "./usable-search.ts";

/**
 * Reports whether two searches are complete and the evidence shows that they saw the same index state. If `hasCommit`
 * is false, the target names no states, so completeness is enough.
 */
export const haveSameState = (
  left: UsableSearch,
  right: UsableSearch,
  hasCommit = hasAnyCommit([left, right]),
): boolean =>
  left.completeness === "complete" &&
  right.completeness === "complete" &&
  (!hasCommit || compareStates(left.results, right.results) === "same");

/**
 * Reports whether a search returned different results from one of its other interpretations in the same index state. If
 * all results are equal, they do not show how the target interpreted the query.
 */
export const isDistinguishable = (search: UsableSearch, interpretations: readonly UsableSearch[]): boolean =>
  interpretations.some(
    (interpretation) =>
      haveSameState(search, interpretation, hasAnyCommit([search, ...interpretations])) &&
      compareResults(interpretation.results, search.results).clause !== undefined,
  );

/** Reports whether two searches returned the same results in the same index state. */
export function haveSameResultsAndState(left: UsableSearch, right: UsableSearch): boolean {
  const { clause, isInconclusive } = compareResults(left.results, right.results);
  return haveSameState(left, right) && clause === undefined && !isInconclusive;
}

/**
 * Returns the repeats that provably saw the same index state as `variedSearch`. If there are none, returns the first
 * repeat.
 */
export function repeatsToCompare(
  variedSearch: UsableSearch,
  repeats: readonly UsableSearch[],
): readonly UsableSearch[] {
  const sameStateRepeats = searchesInSameState(variedSearch, repeats);
  return sameStateRepeats.length > 0 ? sameStateRepeats : repeats.slice(0, 1);
}

/**
 * Returns why the results do not show how the target interpreted a query: the searches saw different index states, or
 * all interpretations return the same results.
 */
export function reasonForIndistinguishable(search: UsableSearch, interpretations: readonly UsableSearch[]): string {
  const hasStateChanged = interpretations.some(({ results }) => compareStates(results, search.results) === "different");
  return hasStateChanged ? differentStateReason(maxTimesSent([search, ...interpretations])) : notCompared.sameResults;
}
