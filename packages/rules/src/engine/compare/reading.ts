import { compareResults } from "./found-difference.ts";
import { withSameState, hasCommits, notCompared, differentStateReason, compareStates } from "./same-state.ts";
import { timesSent } from "./search.ts";
import type { UsableSearch } from "./usable.ts";

/** Reports whether two complete searches are known to have seen the same state, as far as the target names states. */
export const haveSameState = (
  left: UsableSearch,
  right: UsableSearch,
  hasCommit = hasCommits([left, right]),
): boolean =>
  left.standing === "complete" &&
  right.standing === "complete" &&
  (!hasCommit || compareStates(left.results, right.results) === "same");

/**
 * Reports whether a query finds different results in one of these interpretations. If it does not, the results do not
 * show how it was interpreted.
 */
export const isDistinguishable = (search: UsableSearch, readings: readonly UsableSearch[]): boolean =>
  readings.some(
    (reading) =>
      haveSameState(search, reading, hasCommits([search, ...readings])) &&
      compareResults(reading.results, search.results).clause !== undefined,
  );

/** Reports whether two interpretations of a query returned the same results in the same state of the index. */
export function isSameReading(left: UsableSearch, right: UsableSearch): boolean {
  const { clause, isInconclusive } = compareResults(left.results, right.results);
  return haveSameState(left, right) && clause === undefined && !isInconclusive;
}

/** Returns the copies that are known to have seen the same state as `varied`, or the first copy if there are none. */
export function copiesWithSameState(varied: UsableSearch, copies: readonly UsableSearch[]): readonly UsableSearch[] {
  const known = withSameState(varied, copies);
  return known.length > 0 ? known : copies.slice(0, 1);
}

/**
 * The reason why these searches do not show how a query was interpreted: some saw different states, or they find the
 * same.
 */
export function reasonIndistinguishable(search: UsableSearch, readings: readonly UsableSearch[]): string {
  const isMoved = readings.some(({ results }) => compareStates(results, search.results) === "other");
  return isMoved ? differentStateReason(timesSent([search, ...readings])) : notCompared.sameReading;
}
