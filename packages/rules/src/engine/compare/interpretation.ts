import { compareResults } from "./result-difference.ts";
import { searchesInSameState, hasAnyCommit, notCompared, differentStateReason, compareStates } from "./same-state.ts";
import { maxTimesSent } from "./search.ts";
import type { UsableSearch } from "./usable-search.ts";

/**
 * Reports whether two searches are complete and the evidence shows that they saw the same index state. If `hasCommit`
 * is false, the target does not report commits, so two complete searches count as the same state.
 */
export const completeInSameState = (
  left: UsableSearch,
  right: UsableSearch,
  hasCommit = hasAnyCommit([left, right]),
): boolean =>
  left.completeness === "complete" &&
  right.completeness === "complete" &&
  (!hasCommit || compareStates(left.results, right.results) === "same");

/**
 * Reports whether some other interpretation of the query returns different results in the same index state. Identical
 * results cannot show which interpretation the target used.
 */
export const differsFromOtherInterpretations = (
  search: UsableSearch,
  interpretations: readonly UsableSearch[],
): boolean =>
  interpretations.some(
    (interpretation) =>
      completeInSameState(search, interpretation, hasAnyCommit([search, ...interpretations])) &&
      compareResults(interpretation.results, search.results).difference !== undefined,
  );

/**
 * Reports whether two searches returned the same results in the same index state. Returns false if the comparison is
 * inconclusive.
 */
export function haveSameResultsAndState(left: UsableSearch, right: UsableSearch): boolean {
  const { difference, isInconclusive } = compareResults(left.results, right.results);
  return completeInSameState(left, right) && difference === undefined && !isInconclusive;
}

/**
 * Returns the repeats known to have run on the same index state as `variedSearch`. If there are none, returns the
 * first repeat.
 */
export function selectRepeats(variedSearch: UsableSearch, repeats: readonly UsableSearch[]): readonly UsableSearch[] {
  const sameStateRepeats = searchesInSameState(variedSearch, repeats);
  return sameStateRepeats.length > 0 ? sameStateRepeats : repeats.slice(0, 1);
}

/**
 * Returns the reason the results do not show how the target interpreted a query. Either the index state changed, or
 * all interpretations return the same results.
 */
export function reasonForSameResults(search: UsableSearch, interpretations: readonly UsableSearch[]): string {
  const hasStateChanged = interpretations.some(({ results }) => compareStates(results, search.results) === "different");
  return hasStateChanged ? differentStateReason(maxTimesSent([search, ...interpretations])) : notCompared.sameResults;
}
