/** An estimate with its interval. An end is infinite if there are too few values for the confidence. */
export interface Interval {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Returns the interval between two order statistics at equal distance from both ends. `skippedPerEnd` is the number of values
 * outside at each end. It is negative if even the whole range has too little confidence. `sorted` is ascending and not empty.
 */
export const symmetricInterval = (sorted: Float64Array, skippedPerEnd: number): Interval => {
  const { length } = sorted;
  const estimate = ((sorted[(length - 1) >> 1] ?? Number.NaN) + (sorted[length >> 1] ?? Number.NaN)) / 2;
  return skippedPerEnd < 0
    ? { estimate, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }
    : { estimate, low: sorted[skippedPerEnd] ?? Number.NaN, high: sorted[length - 1 - skippedPerEnd] ?? Number.NaN };
};
