/** A number from 0 to below 1 that follows from the seed; the next one follows from it (mulberry32). */
function seededNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * The numbers below `kinds`, `length` of them in an order that follows from the seed, each equally often: their counts differ
 * by one at most where `length` is no multiple, and which ones are rarer follows from the seed as well.
 */
export function seededOrder(kinds: number, length: number, seed: number): readonly number[] {
  const random = seededNumbers(seed);
  const first = Math.floor(random() * kinds);
  const order = Array.from({ length }, (_, index) => (first + index) % kinds);
  for (let last = length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    const kept = order[last] ?? 0;
    order[last] = order[other] ?? 0;
    order[other] = kept;
  }
  return order;
}

/** One seed out of two numbers, so that neighbouring ones give unlike orders. */
export const mixedSeed = (seed: number, index: number): number =>
  Math.imul(seed ^ Math.imul(index + 1, 0x9e3779b1), 0x85ebca6b) ^ (seed >>> 13);
