import { differenceOf } from "./found-difference.ts";
import { inStateOf, isCommitTold, notCompared, otherStateIn, stateOf } from "./same-state.ts";
import { timesSent } from "./search.ts";
import type { UsableSearch } from "./usable.ts";

/** Whether two searches that came to their end are known to have met the same state, as far as the target tells of states. */
export const haveSameState = (one: UsableSearch, other: UsableSearch, isTold = isCommitTold([one, other])): boolean =>
  one.standing === "complete" &&
  other.standing === "complete" &&
  (!isTold || stateOf(one.results, other.results) === "same");

/**
 * Whether a query that is read in another way finds other things, by one of these searches: only then could anybody tell
 * which way it was read.
 */
export const isToldApart = (search: UsableSearch, readings: readonly UsableSearch[]): boolean =>
  readings.some(
    (reading) =>
      haveSameState(search, reading, isCommitTold([search, ...readings])) &&
      differenceOf(reading.results, search.results).clause !== undefined,
  );

/** Whether two ways to read a query found the same things in the same state of the index. */
export function isSameReading(one: UsableSearch, other: UsableSearch): boolean {
  const { clause, isInconclusive } = differenceOf(one.results, other.results);
  return haveSameState(one, other) && clause === undefined && !isInconclusive;
}

/** Copies of a search that met the state that `varied` met; where none is known to, the first one stands for them. */
export function copiesBeside(varied: UsableSearch, copies: readonly UsableSearch[]): readonly UsableSearch[] {
  const known = inStateOf(varied, copies);
  return known.length > 0 ? known : copies.slice(0, 1);
}

/** Why nobody could tell by these readings how a query was read: some met other states, or they find the same. */
export function whyNotToldApart(search: UsableSearch, readings: readonly UsableSearch[]): string {
  const isMoved = readings.some(({ results }) => stateOf(results, search.results) === "other");
  return isMoved ? otherStateIn(timesSent([search, ...readings])) : notCompared.sameReading;
}
