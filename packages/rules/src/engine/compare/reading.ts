import { differenceOf } from "./found-difference.ts";
import { inStateOf, hasCommits, notCompared, otherStateIn, stateOf } from "./same-state.ts";
import { timesSent } from "./search.ts";
import type { UsableSearch } from "./usable.ts";

/** Reports whether two complete searches certainly met the same state, as far as the target names states. */
export const haveSameState = (one: UsableSearch, other: UsableSearch, hasCommit = hasCommits([one, other])): boolean =>
  one.standing === "complete" &&
  other.standing === "complete" &&
  (!hasCommit || stateOf(one.results, other.results) === "same");

/**
 * Reports whether a query finds other results if it is read differently, by one of these searches. Only then the
 * results show how it was read.
 */
export const isDistinguishable = (search: UsableSearch, readings: readonly UsableSearch[]): boolean =>
  readings.some(
    (reading) =>
      haveSameState(search, reading, hasCommits([search, ...readings])) &&
      differenceOf(reading.results, search.results).clause !== undefined,
  );

/** Reports whether two readings of a query found the same in the same state of the index. */
export function isSameReading(one: UsableSearch, other: UsableSearch): boolean {
  const { clause, isInconclusive } = differenceOf(one.results, other.results);
  return haveSameState(one, other) && clause === undefined && !isInconclusive;
}

/** Copies of a search in the state of `varied`; the first copy if none is certain. */
export function copiesInStateOf(varied: UsableSearch, copies: readonly UsableSearch[]): readonly UsableSearch[] {
  const known = inStateOf(varied, copies);
  return known.length > 0 ? known : copies.slice(0, 1);
}

/** Why these searches do not show how a query was read: some met other states, or they find the same. */
export function reasonIndistinguishable(search: UsableSearch, readings: readonly UsableSearch[]): string {
  const isMoved = readings.some(({ results }) => stateOf(results, search.results) === "other");
  return isMoved ? otherStateIn(timesSent([search, ...readings])) : notCompared.sameReading;
}
