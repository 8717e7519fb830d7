import type { LoadArm, LoadBlocks } from "@assay/results";
import { mixedSeed, seededOrder } from "./seeded-order.ts";

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
