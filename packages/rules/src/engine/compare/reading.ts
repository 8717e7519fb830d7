import { compareResults } from "./result-difference.ts";
import { withSameState, haveCommits, notCompared, differentStateReason, compareStates } from "./same-state.ts";
import { maxTimesSent } from "./search.ts";
import type { UsableSearch } from "./usable-search.ts";

/** Reports whether the evidence shows that two complete searches saw the same state, as far as the target names states. */
export const haveSameState = (
  left: UsableSearch,
  right: UsableSearch,
  hasCommit = haveCommits([left, right]),
): boolean =>
  left.completeness === "complete" &&
  right.completeness === "complete" &&
  (!hasCommit || compareStates(left.results, right.results) === "same");

/**
 * Reports whether a query finds different results in one of these interpretations. If it does not, the results do not
 * show how it was interpreted.
 */
export const isDistinguishable = (search: UsableSearch, readings: readonly UsableSearch[]): boolean =>
  readings.some(
    (reading) =>
      haveSameState(search, reading, haveCommits([search, ...readings])) &&
      compareResults(reading.results, search.results).clause !== undefined,
  );

/** Reports whether two interpretations of a query returned the same results in the same state of the index. */
export function haveSameReading(left: UsableSearch, right: UsableSearch): boolean {
  const { clause, isInconclusive } = compareResults(left.results, right.results);
  return haveSameState(left, right) && clause === undefined && !isInconclusive;
}

/** Returns the copies that demonstrably saw the same state as `varied`, or the first copy if there are none. */
export function copiesWithSameState(varied: UsableSearch, copies: readonly UsableSearch[]): readonly UsableSearch[] {
  const sameStateCopies = withSameState(varied, copies);
  return sameStateCopies.length > 0 ? sameStateCopies : copies.slice(0, 1);
}

/**
 * Returns why these searches do not show how a query was interpreted: some saw different states, or they return
 * the same results.
 */
export function reasonForIndistinguishable(search: UsableSearch, readings: readonly UsableSearch[]): string {
  const hasStateChanged = readings.some(({ results }) => compareStates(results, search.results) === "other");
  return hasStateChanged ? differentStateReason(maxTimesSent([search, ...readings])) : notCompared.sameReading;
}
