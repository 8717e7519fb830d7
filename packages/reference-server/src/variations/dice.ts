import type { Random } from "../service/seeded-random.ts";

/** Random choices. The number of random numbers that a call consumes depends only on its arguments. */
export interface Dice {
  /** Returns true with this probability. */
  readonly chance: (probability: number) => boolean;
  /** Returns a whole number from `min` to `max`, inclusive. */
  readonly integer: (min: number, max: number) => number;
  readonly pick: <Value>(values: readonly [Value, ...Value[]]) => Value;
  readonly shuffle: <Value>(values: readonly Value[]) => readonly Value[];
}

/** Creates random choices from a source of random numbers. */
export const createDice = (random: Random): Dice => {
  const integer = (min: number, max: number): number => min + Math.floor(random() * (max - min + 1));
  return {
    chance: (probability) => random() < probability,
    integer,
    pick: (values) => values[integer(0, values.length - 1)] ?? values[0],
    shuffle: (values) =>
      values
        .map((value) => ({ value, rank: random() }))
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ value }) => value),
  };
};
