import { weightsFromMode } from "./weights-from-mode.ts";

/** A number of hits among a total. */
export interface Share {
  readonly hits: number;
  readonly total: number;
}

/** Tables as likely as the observed one are included, although rounding makes their weights differ. */
const roundingTolerance = 1 + 1e-7;

/**
 * Returns the two-sided p-value of Fisher's exact test for equal shares of hits: the probability of all tables with the same
 * margins that are at most as likely as the observed table. Exact for counts in the millions. Returns 0 below 1e-300, and
 * 1 if a side is empty.
 */
export const fisherPValue = (left: Share, right: Share): number => {
  const hits = left.hits + right.hits;
  const sampleSize = left.total + right.total;
  const minRightMisses = right.total - hits;
  const { from, weights, total } = weightsFromMode({
    from: Math.max(0, -minRightMisses),
    to: Math.min(left.total, hits),
    mode: Math.floor(((left.total + 1) * (hits + 1)) / (sampleSize + 2)),
    ratio: (at) => ((left.total - at) * (hits - at)) / ((at + 1) * (minRightMisses + at + 1)),
  });
  const observedWeight = (weights[left.hits - from] ?? 0) * roundingTolerance;
  const tailWeight = weights.reduce((sum, weight) => sum + (weight <= observedWeight ? weight : 0), 0);
  return Math.min(1, tailWeight / total);
};
