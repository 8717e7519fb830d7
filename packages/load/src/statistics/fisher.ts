import { weightsFromMode } from "./weights-from-mode.ts";

/** How many of some tries had a property. */
export interface Share {
  readonly hits: number;
  readonly total: number;
}

/** Tables as likely as the one seen count as well; their weights differ by rounding alone. */
const rounding = 1 + 1e-7;

/**
 * Two-sided p-value of Fisher's exact test that both sides have the same share of hits: the chance of a table that is no more
 * likely than the one seen, all margins given. Exact for counts in the millions; 0 where it is below 1e-300. 1 when a side is
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
