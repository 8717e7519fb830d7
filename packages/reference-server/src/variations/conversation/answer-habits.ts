import { type Random, seededRandom } from "../../service/seeded-random.ts";
import { createDice, type Dice } from "../dice.ts";

/** Variations that are constant for a server, because its responses would otherwise contradict each other. */
export interface AnswerHabits {
  /** Whether conversation names use `~self` for the user. */
  readonly usesSelf: boolean;
  /** Probability that a member is added to an object. */
  readonly addedMemberProbability: number;
  /** Probability that an optional member is omitted, null, or added. */
  readonly otherOptionalProbability: number;
  /** Probability that a part of a response has a different form. */
  readonly otherFormProbability: number;
  /** Returns random choices that are the same for equal values in all responses. */
  readonly diceFor: (value: unknown) => Dice;
}

/** Returns the habits of one server. */
export const answerHabits = (random: Random): AnswerHabits => {
  const dice = createDice(random);
  const salt = dice.integer(0, 999_999);
  return {
    usesSelf: dice.chance(0.3),
    addedMemberProbability: dice.pick([0, 0.1, 0.5]),
    otherOptionalProbability: dice.pick([0, 0.3, 0.6]),
    otherFormProbability: dice.pick([0, 0.3, 0.7]),
    diceFor: (value) => createDice(seededRandom(salt, JSON.stringify(value) ?? "")),
  };
};

/** The variation of one response. */
export interface AnswerVariation {
  readonly dice: Dice;
  readonly habits: AnswerHabits;
  readonly operation: string;
}
