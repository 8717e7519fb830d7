import { weightsFromMode } from "./weights-from-mode.ts";

/** Probability of at least `hits` successes in `count` trials with the probability `fraction`, strictly between 0 and 1. */
export const binomialUpperTail = (count: number, fraction: number, hits: number): number => {
  const odds = fraction / (1 - fraction);
  const { from, weights, total } = weightsFromMode({
    from: 0,
    to: count,
    mode: Math.min(count, Math.floor((count + 1) * fraction)),
    ratio: (at) => ((count - at) / (at + 1)) * odds,
  });
  const above = weights.subarray(Math.min(weights.length, Math.max(0, hits - from)));
  return above.reduce((sum, weight) => sum + weight, 0) / total;
};

/**
 * Two-sided p-value of the sign test for the numbers of ups and downs. It shows whether several units agree, where a
 * total count would let one unit dominate. 1 without any.
 */
export const signTestPValue = (up: number, down: number): number =>
  Math.min(1, 2 * binomialUpperTail(up + down, 0.5, Math.max(up, down)));
