import { type Random, seededRandom } from "../../service/seeded-random.ts";
import { createDice, type Dice } from "../dice.ts";

/** What the answers of one server have in common, where they would contradict each other otherwise. */
export interface AnswerHabits {
  /** Whether names have `~self` for the user, which is the same wherever a conversation is shown. */
  readonly saysSelf: boolean;
  /** How often objects get a member more. */
  readonly addedMembers: number;
  /** How often what need not be there is left out, null, or there all the same. */
  readonly otherOptionals: number;
  /** How often a part of an answer comes in another form. */
  readonly otherForms: number;
  /** Dice for what has to come out the same for equal values, whichever answer they are in. */
  readonly diceFor: (value: unknown) => Dice;
}

/** The habits of one server. */
export const answerHabits = (random: Random): AnswerHabits => {
  const dice = createDice(random);
  const salt = dice.whole(0, 999_999);
  return {
    saysSelf: dice.chance(0.3),
    addedMembers: dice.pick([0, 0.1, 0.5]),
    otherOptionals: dice.pick([0, 0.3, 0.6]),
    otherForms: dice.pick([0, 0.3, 0.7]),
    diceFor: (value) => createDice(seededRandom(salt, JSON.stringify(value) ?? "")),
  };
};

/** How one answer is varied. */
export interface AnswerVariation {
  readonly dice: Dice;
  readonly habits: AnswerHabits;
  readonly operation: string;
}
