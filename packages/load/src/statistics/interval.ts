/** An estimate with the two ends of its interval; an end is infinite when there are too few values for the confidence asked for. */
export interface Interval {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The interval between two order statistics that lie equally far from both ends. `skipped` is how many values lie outside at
 * each end; negative means that even the whole range has too little confidence. `sorted` is ascending and not empty.
 */
export const symmetricInterval = (sorted: Float64Array, skipped: number): Interval => {
  const { length } = sorted;
  const estimate = ((sorted[(length - 1) >> 1] ?? Number.NaN) + (sorted[length >> 1] ?? Number.NaN)) / 2;
  return skipped < 0
    ? { estimate, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }
    : { estimate, low: sorted[skipped] ?? Number.NaN, high: sorted[length - 1 - skipped] ?? Number.NaN };
};
