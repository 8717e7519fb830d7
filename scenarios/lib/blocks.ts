import type { LoadSide } from "@assay/contract";
import type { LoadBlocks } from "@assay/results";

/** Returns a generator of numbers from 0 to below 1 (mulberry32). */
function createSeededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Returns a seeded shuffle of `length` numbers below `kinds`, each equally often. If `length` is not a multiple of
 * `kinds`, the counts differ by at most one, and the seed determines which numbers are rarer.
 */
function shuffleSeeded(kinds: number, length: number, seed: number): readonly number[] {
  const random = createSeededRandom(seed);
  const firstNumber = Math.floor(random() * kinds);
  const order = Array.from({ length }, (_, index) => (firstNumber + index) % kinds);
  for (let lastIndex = length - 1; lastIndex > 0; lastIndex -= 1) {
    const swapIndex = Math.floor(random() * (lastIndex + 1));
    const lastNumber = order[lastIndex] ?? 0;
    order[lastIndex] = order[swapIndex] ?? 0;
    order[swapIndex] = lastNumber;
  }
  return order;
}

/** Mixes two numbers into one seed, so that neighbouring indexes produce different orders. */
const mixSeed = (seed: number, index: number): number =>
  Math.imul(seed ^ Math.imul(index + 1, 0x9e3779b1), 0x85ebca6b) ^ (seed >>> 13);

/** The position of one arrival in a paired comparison. */
export interface BlockSlot {
  readonly block: number;
  readonly pair: number;
  readonly side: LoadSide;
  readonly phase: "warmup" | "measure";
  /** Index of the query. */
  readonly query: number;
}

/** Counts the arrivals up to the last one that sends a request, gaps included. */
export const blockArrivals = ({ pairs, warmupPairs, requestsPerBlock, gapRequests }: LoadBlocks): number => {
  const blocks = 2 * (pairs + warmupPairs);
  return blocks * requestsPerBlock + (blocks - 1) * gapRequests;
};

/** Alternates base, head, head, base, and so on, so that a steady drift affects both sides equally. */
const selectBlockSide = (block: number): LoadSide => (block % 4 === 0 || block % 4 === 3 ? "base" : "head");

const queryOrders = new Map<string, readonly number[]>();

/** Returns the order of the queries in a pair. Cached. */
function getQueryOrder({ seed, requestsPerBlock }: LoadBlocks, pair: number, queries: number): readonly number[] {
  const key = `${seed}/${requestsPerBlock}/${queries}/${pair}`;
  const cachedOrder = queryOrders.get(key);
  if (cachedOrder !== undefined) {
    return cachedOrder;
  }
  const order = shuffleSeeded(queries, requestsPerBlock, mixSeed(seed, pair));
  // A virtual user visits the pairs in order, so the last few are enough.
  if (queryOrders.size > 3) {
    queryOrders.clear();
  }
  queryOrders.set(key, order);
  return order;
}

/**
 * Returns the slot of the arrival with this index, from 0. Undefined in a gap and after the end, where nothing is sent.
 * Both blocks of a pair have the same order, which contains each query equally often.
 */
export function blockSlot(blocks: LoadBlocks, queries: number, arrival: number): BlockSlot | undefined {
  const { requestsPerBlock, gapRequests, warmupPairs } = blocks;
  const stride = requestsPerBlock + gapRequests;
  const block = Math.floor(arrival / stride);
  const indexInBlock = arrival % stride;
  if (indexInBlock >= requestsPerBlock || arrival >= blockArrivals(blocks)) {
    return undefined;
  }
  const pair = Math.floor(block / 2);
  return {
    block,
    pair,
    side: selectBlockSide(block),
    phase: pair < warmupPairs ? "warmup" : "measure",
    query: getQueryOrder(blocks, pair, queries)[indexInBlock] ?? 0,
  };
}
