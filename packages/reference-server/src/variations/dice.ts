import type { Random } from "../service/seeded-random.ts";

/** Variants of choosing at random; how many random numbers a call takes depends on nothing but its arguments. */
export interface Dice {
  /** True with this probability. */
  readonly chance: (probability: number) => boolean;
  /** A whole number from `least` to `most`, both possible. */
  readonly whole: (least: number, most: number) => number;
  readonly pick: <Value>(values: readonly [Value, ...Value[]]) => Value;
  readonly shuffled: <Value>(values: readonly Value[]) => readonly Value[];
}

/** Dice over a source of random numbers. */
export const createDice = (random: Random): Dice => {
  const whole = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
  return {
    chance: (probability) => random() < probability,
    whole,
    pick: (values) => values[whole(0, values.length - 1)] ?? values[0],
    shuffled: (values) =>
      values
        .map((value) => ({ value, rank: random() }))
        .toSorted((one, other) => one.rank - other.rank)
        .map(({ value }) => value),
  };
};
