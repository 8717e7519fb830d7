import { bucketBounds } from "./latency-bucket.ts";
import type { LoadHistogram } from "./load-histogram.ts";

/** Returns the rank, from 1, of the `fraction` quantile of `count` samples: the smallest with at least that share at or below it. */
export const quantileRank = (count: number, fraction: number): number =>
  // 0.95 * 20 is slightly above 19 in floating point.
  Math.min(count, Math.max(1, Math.ceil(count * fraction - 1e-9)));

/**
 * Returns the bounds of the value with this rank, from 1. Returns undefined if the rank exceeds the number of values.
 */
export const histogramRankBounds = (
  histogram: LoadHistogram,
  rank: number,
): { readonly lowMicros: number; readonly highMicros: number } | undefined => {
  let cumulativeCount = 0;
  for (const [bucket, count] of histogram.buckets) {
    cumulativeCount += count;
    if (cumulativeCount >= rank && rank >= 1) {
      const { lowMicros, highMicros } = bucketBounds(bucket);
      return {
        lowMicros: Math.max(lowMicros, histogram.minMicros),
        highMicros: Math.min(highMicros, histogram.maxMicros),
      };
    }
  }
  return undefined;
};

/**
 * Returns the value with this rank, from 1, in microseconds: the middle of its bucket, at most 0.4 % off. Returns
 * undefined if the rank exceeds the number of values.
 */
export const histogramValueAt = (histogram: LoadHistogram, rank: number): number | undefined => {
  const bounds = histogramRankBounds(histogram, rank);
  return bounds && (bounds.lowMicros + bounds.highMicros) / 2;
};

/**
 * Returns a quantile of a histogram in microseconds, at most 0.4 % off. Returns undefined if the histogram is empty.
 */
export const histogramQuantile = (histogram: LoadHistogram, fraction: number): number | undefined =>
  histogram.count === 0 ? undefined : histogramValueAt(histogram, quantileRank(histogram.count, fraction));
