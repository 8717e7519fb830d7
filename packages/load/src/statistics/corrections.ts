/**
 * Returns the confidence that each of several intervals needs so that all of them are correct with probability
 * `1 - alpha`, regardless of their dependence. Bonferroni instead of Holm, because a verdict reads both ends of an interval and Holm's steps yield only
 * p-values. For the few metrics of a comparison, the intervals are a tenth wider.
 */
export const bonferroniConfidence = (alpha: number, intervals: number): number => 1 - alpha / Math.max(1, intervals);

/**
 * Reports which p-values are significant at a false discovery rate of at most `rate` (Benjamini-Hochberg). The result is
 * in the order of `pValues`.
 */
export const benjaminiHochberg = (pValues: readonly number[], rate: number): readonly boolean[] => {
  const sorted = pValues.toSorted((a, b) => a - b);
  const limitIndex = sorted.findLastIndex((pValue, index) => pValue <= ((index + 1) / sorted.length) * rate);
  const limit = sorted[limitIndex] ?? -1;
  return pValues.map((pValue) => pValue <= limit);
};
