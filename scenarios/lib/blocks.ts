import type { LoadArm, LoadBlocks } from "@assay/results";

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
function seededOrder(kinds: number, length: number, seed: number): readonly number[] {
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
const mixedSeed = (seed: number, index: number): number =>
  Math.imul(seed ^ Math.imul(index + 1, 0x9e3779b1), 0x85ebca6b) ^ (seed >>> 13);

/** What one arrival of a paired comparison is for. */
export interface BlockSlot {
  readonly block: number;
  readonly pair: number;
  readonly arm: LoadArm;
  readonly phase: "warmup" | "measure";
  /** Index of the query. */
  readonly query: number;
}

/** Arrivals from the first to the last that is for something. */
export const blockArrivals = ({ pairs, warmupPairs, requestsPerBlock, gapRequests }: LoadBlocks): number => {
  const blocks = 2 * (pairs + warmupPairs);
  return blocks * requestsPerBlock + (blocks - 1) * gapRequests;
};

/** A B B A A B B A: what drifts evenly hits both arms alike. */
const armOf = (block: number): LoadArm => (block % 4 === 0 || block % 4 === 3 ? "a" : "b");

const orders = new Map<string, readonly number[]>();

/** The order of a pair, worked out once. */
function orderOf({ seed, requestsPerBlock }: LoadBlocks, pair: number, queries: number): readonly number[] {
  const key = `${seed}/${requestsPerBlock}/${queries}/${pair}`;
  const known = orders.get(key);
  if (known !== undefined) {
    return known;
  }
  const order = seededOrder(queries, requestsPerBlock, mixedSeed(seed, pair));
  // A virtual user goes through the pairs in turn: the last few are enough, and its memory stays small.
  if (orders.size > 3) {
    orders.clear();
  }
  orders.set(key, order);
  return order;
}

/**
 * What the arrival with this index (from 0) is for; undefined for one in a gap or after the end, which sends nothing. Both
 * blocks of a pair have the same order of queries, which holds each query equally often.
 */
export function blockSlot(blocks: LoadBlocks, queries: number, arrival: number): BlockSlot | undefined {
  const { requestsPerBlock, gapRequests, warmupPairs } = blocks;
  const stride = requestsPerBlock + gapRequests;
  const block = Math.floor(arrival / stride);
  const inside = arrival % stride;
  if (inside >= requestsPerBlock || arrival >= blockArrivals(blocks)) {
    return undefined;
  }
  const pair = Math.floor(block / 2);
  return {
    block,
    pair,
    arm: armOf(block),
    phase: pair < warmupPairs ? "warmup" : "measure",
    query: orderOf(blocks, pair, queries)[inside] ?? 0,
  };
}
