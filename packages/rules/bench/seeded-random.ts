/** Random numbers that depend on the seed alone. */
export interface SeededRandom {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** An integer between both ends, which are included. */
  integer(from: number, to: number): number;
  /** Whether an event of this probability happens. */
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

/** A generator with 32 bits of state (splitmix32): quick, and good enough for test data. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const integer = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick(items) {
      const item = items[integer(0, items.length - 1)];
      if (item === undefined) {
        throw new RangeError("there is nothing to pick from");
      }
      return item;
    },
  };
}

/** As many items as asked for. */
export const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));
