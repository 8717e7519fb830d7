import { orderStatisticRanks } from "@assay/results";

/**
 * The smallest value with at least the share `fraction` of all values at or below it. `sorted` is ascending; `NaN` when it is
 * empty.
 */
export const quantile = (sorted: Float64Array, fraction: number): number => {
  // The product of 0.95 and 20 is a hair above 19; the share meant is exact to far fewer digits than that.
  const rank = Math.ceil(fraction * sorted.length - 1e-9);
  return sorted[Math.min(sorted.length, Math.max(1, rank)) - 1] ?? Number.NaN;
};

/** The middle value, or the mean of the two middle ones. `sorted` is ascending; `NaN` when it is empty. */
export const median = (sorted: Float64Array): number => {
  const { length } = sorted;
  return ((sorted[(length - 1) >> 1] ?? Number.NaN) + (sorted[length >> 1] ?? Number.NaN)) / 2;
};

/**
 * The two values between which the quantile of the population lies with at least `confidence`, whatever its distribution, when
 * the values are independent. `sorted` is ascending. Undefined when so few values have no such interval.
 */
export const quantileInterval = (
  sorted: Float64Array,
  fraction: number,
  confidence: number,
): { readonly low: number; readonly high: number } | undefined => {
  const ranks = orderStatisticRanks(sorted.length, fraction, confidence);
  return ranks && { low: sorted[ranks.low - 1] ?? Number.NaN, high: sorted[ranks.high - 1] ?? Number.NaN };
};
