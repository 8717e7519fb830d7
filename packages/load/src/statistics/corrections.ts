/**
 * Confidence of each of several intervals so that all of them hold together with `1 - alpha`, however they depend on one
 * another. Bonferroni and not Holm, because a verdict reads both ends of an interval, beyond the margin and within it, and
 * Holm's steps give p-values but no such intervals; for the few metrics of a comparison it costs a tenth of the width.
 */
export const bonferroniConfidence = (alpha: number, intervals: number): number => 1 - alpha / Math.max(1, intervals);

/**
 * Which of several p-values may be called findings when at most the share `rate` of the findings is to be chance, by Benjamini
 * and Hochberg; in the order of the p-values given.
 */
export const benjaminiHochberg = (pValues: readonly number[], rate: number): readonly boolean[] => {
  const sorted = pValues.toSorted((one, other) => one - other);
  const last = sorted.findLastIndex((pValue, index) => pValue <= ((index + 1) / sorted.length) * rate);
  const limit = sorted[last] ?? -1;
  return pValues.map((pValue) => pValue <= limit);
};
