import { orderStatisticRanks } from "@assay/results";

/**
 * Returns the smallest value v such that at least `fraction` of the values are at most v (nearest rank). `sorted` is
 * ascending. Returns `NaN` if it is empty.
 */
export const quantile = (sorted: Float64Array, fraction: number): number => {
  // Absorbs floating-point error: 0.07 * 100 is 7.000000000000001, and would otherwise select rank 8.
  const rank = Math.ceil(fraction * sorted.length - 1e-9);
  return sorted[Math.min(sorted.length, Math.max(1, rank)) - 1] ?? Number.NaN;
};

/**
 * Returns the middle value, or the mean of the two middle values. `sorted` is ascending. Returns `NaN` if it is
 * empty.
 */
export const median = (sorted: Float64Array): number => {
  const { length } = sorted;
  return ((sorted[(length - 1) >> 1] ?? Number.NaN) + (sorted[length >> 1] ?? Number.NaN)) / 2;
};

/**
 * Returns a confidence interval for the population quantile. Valid for any distribution if the values are
 * independent. `sorted` is ascending. Returns undefined if there are too few values.
 */
export const quantileInterval = (
  sorted: Float64Array,
  fraction: number,
  confidence: number,
): { readonly low: number; readonly high: number } | undefined => {
  const ranks = orderStatisticRanks(sorted.length, fraction, confidence);
  return ranks && { low: sorted[ranks.low - 1] ?? Number.NaN, high: sorted[ranks.high - 1] ?? Number.NaN };
};
