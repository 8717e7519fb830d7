import { weightsFromMode } from "./weights-from-mode.ts";

/** Returns the probability of at least `hits` successes in `count` trials. `fraction` is the probability of one success, above 0 and below 1. */
export const binomialUpperTail = (count: number, fraction: number, hits: number): number => {
  const odds = fraction / (1 - fraction);
  const { from, weights, total } = weightsFromMode({
    from: 0,
    to: count,
    mode: Math.min(count, Math.floor((count + 1) * fraction)),
    ratio: (at) => ((count - at) / (at + 1)) * odds,
  });
  const tailWeights = weights.subarray(Math.min(weights.length, Math.max(0, hits - from)));
  return tailWeights.reduce((sum, weight) => sum + weight, 0) / total;
};

/**
 * Returns the two-sided p-value of the sign test for the numbers of increases and decreases. The test weighs all units
 * equally. In a total count, one unit could dominate. Returns 1 if there are no units.
 */
export const signTestPValue = (increases: number, decreases: number): number =>
  Math.min(1, 2 * binomialUpperTail(increases + decreases, 0.5, Math.max(increases, decreases)));
