/**
 * Confidence of each of several intervals so that all are valid together with `1 - alpha`, whatever their dependence.
 * Bonferroni and not Holm, because a verdict reads both ends of an interval, and Holm's steps give p-values but no such
 * intervals. For the few metrics of a comparison it costs a tenth of the width.
 */
export const bonferroniConfidence = (alpha: number, intervals: number): number => 1 - alpha / Math.max(1, intervals);

/**
 * Which p-values are findings with a false discovery rate of at most `rate`, by Benjamini and Hochberg; in the order of
 * `pValues`.
 */
export const benjaminiHochberg = (pValues: readonly number[], rate: number): readonly boolean[] => {
  const sorted = pValues.toSorted((one, other) => one - other);
  const last = sorted.findLastIndex((pValue, index) => pValue <= ((index + 1) / sorted.length) * rate);
  const limit = sorted[last] ?? -1;
  return pValues.map((pValue) => pValue <= limit);
};
