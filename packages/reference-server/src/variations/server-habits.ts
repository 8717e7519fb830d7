import type { Random } from "../service/seeded-random.ts";
import { createDice } from "./dice.ts";

/** Variations that are constant for a server, because its searches could otherwise not be compared. */
export interface ServerHabits {
  /** Factor for every `matchCount`, because the specification does not define the unit of a match. */
  readonly countFactor: number;
  /** Whether it sometimes sends alerts, errors and skipped entries. Such searches are not compared. */
  readonly reportsProblems: boolean;
  /** Determines, together with a match, the form in which the match is sent. */
  readonly salt: number;
  /** The form of commits in matches. A commit identifies the state of the index, so it must not be random. */
  readonly commitForm: "full" | "omitted" | "abbreviated";
}

/** Creates the habits of one server. Their random numbers are independent of those of streams. */
export const serverHabits = (random: Random): ServerHabits => {
  const dice = createDice(random);
  return {
    countFactor: dice.pick([1, 1, 1, 2, 7]),
    reportsProblems: dice.chance(0.5),
    salt: dice.integer(0, 999_999),
    commitForm: dice.pick(["full", "full", "omitted", "abbreviated"]),
  };
};
