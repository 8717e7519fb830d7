import type { Random } from "../service/seeded-random.ts";
import { createDice } from "./dice.ts";

/** What the streams of one server have in common, where searches could not be compared otherwise. */
export interface ServerHabits {
  /** Every `matchCount` is multiplied by it: what counts as one match is left open. */
  readonly countFactor: number;
  /** Whether it sends alerts, errors and reasons for missing results now and then, after which nobody compares its searches. */
  readonly isTalkative: boolean;
  /** Decides together with a match in which form it is sent. */
  readonly salt: number;
  /** What matches tell of their commit: it names the state of the index, so it is no matter of chance. */
  readonly commits: "told" | "left-out" | "abbreviated";
}

/** The habits of one server; a source of random numbers of its own keeps them apart from those of a stream. */
export const serverHabits = (random: Random): ServerHabits => {
  const dice = createDice(random);
  return {
    countFactor: dice.pick([1, 1, 1, 2, 7]),
    isTalkative: dice.chance(0.5),
    salt: dice.whole(0, 999_999),
    commits: dice.pick(["told", "told", "left-out", "abbreviated"]),
  };
};
