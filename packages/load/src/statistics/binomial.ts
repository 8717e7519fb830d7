import { weightsFromMode } from "./weights-from-mode.ts";

/** Share of `hits` or more of `count` tries that each hit with the chance `fraction`, between 0 and 1 without both. */
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
 * Two-sided p-value that up and down are equally likely, from how often each was seen. Says whether several units agree, where
 * a count over all of them would let one unit speak for the rest. 1 when nothing was seen.
 */
export const signTestPValue = (up: number, down: number): number =>
  Math.min(1, 2 * binomialUpperTail(up + down, 0.5, Math.max(up, down)));
