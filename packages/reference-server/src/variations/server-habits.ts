import type { Random } from "../service/seeded-random.ts";
import { createDice } from "./dice.ts";

/** Variations that are constant for a server, because its searches could not be compared otherwise. */
export interface ServerHabits {
  /** Factor on every `matchCount`; the specification does not define what counts as one match. */
  readonly countFactor: number;
  /** Whether it sometimes sends alerts, errors and skipped entries. Such searches are not compared. */
  readonly reportsProblems: boolean;
  /** With a match, decides the form in which it is sent. */
  readonly salt: number;
  /** How matches report their commit. It identifies the state of the index, so it must not be random. */
  readonly commits: "full" | "omitted" | "abbreviated";
}

/** The habits of one server. They have their own random numbers, apart from those of streams. */
export const serverHabits = (random: Random): ServerHabits => {
  const dice = createDice(random);
  return {
    countFactor: dice.pick([1, 1, 1, 2, 7]),
    reportsProblems: dice.chance(0.5),
    salt: dice.whole(0, 999_999),
    commits: dice.pick(["full", "full", "omitted", "abbreviated"]),
  };
};
