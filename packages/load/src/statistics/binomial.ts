import { weightsFromMode } from "./weights-from-mode.ts";

/** The probability of at least `hits` successes in `count` trials. `fraction` is the probability of one success, above 0 and below 1. */
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
 * The two-sided p-value of the sign test for the numbers of increases and decreases. The test weighs all units equally.
 * In a total count, one unit could dominate. Returns 1 without units.
 */
export const signTestPValue = (up: number, down: number): number =>
  Math.min(1, 2 * binomialUpperTail(up + down, 0.5, Math.max(up, down)));
