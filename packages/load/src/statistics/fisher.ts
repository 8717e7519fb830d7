import { weightsFromMode } from "./weights-from-mode.ts";

/** A number of hits among a total. */
export interface Share {
  readonly hits: number;
  readonly total: number;
}

/** Equally likely tables count too, and their weights differ by rounding. */
const rounding = 1 + 1e-7;

/**
 * Two-sided p-value of Fisher's exact test for equal shares of hits: the probability of tables that are at most as
 * likely as the observed one, given all margins. Exact for counts in the millions; 0 below 1e-300; 1 if a side is
 * empty.
 */
export const fisherPValue = (one: Share, other: Share): number => {
  const hits = one.hits + other.hits;
  const all = one.total + other.total;
  const missing = other.total - hits;
  const { from, weights, total } = weightsFromMode({
    from: Math.max(0, -missing),
    to: Math.min(one.total, hits),
    mode: Math.floor(((one.total + 1) * (hits + 1)) / (all + 2)),
    ratio: (at) => ((one.total - at) * (hits - at)) / ((at + 1) * (missing + at + 1)),
  });
  const seen = (weights[one.hits - from] ?? 0) * rounding;
  const asRare = weights.reduce((sum, weight) => sum + (weight <= seen ? weight : 0), 0);
  return Math.min(1, asRare / total);
};
