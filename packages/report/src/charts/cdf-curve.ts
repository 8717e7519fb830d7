import { histogramRankBounds, type LoadHistogram, orderStatisticRanks, bucketBounds } from "@assay/results";

/** A step of a cumulative distribution: from `micros` on at least `fraction` of the samples are counted. */
export interface CdfPoint {
  readonly micros: number;
  readonly fraction: number;
}

/**
 * The distribution function of a histogram, one step for each bucket, at the middle of what the bucket may hold, as percentiles
 * of histograms are; empty for an empty one. At most 0.4 % off.
 */
export const cdfCurve = ({ buckets, count, minMicros, maxMicros }: LoadHistogram): readonly CdfPoint[] => {
  let seen = 0;
  return buckets.map(([bucket, samples]) => {
    seen += samples;
    const { lowMicros, highMicros } = bucketBounds(bucket);
    const micros = (Math.max(lowMicros, minMicros) + Math.min(highMicros, maxMicros)) / 2;
    return { micros, fraction: Math.min(1, seen / Math.max(1, count)) };
  });
};

/** Confidence of each percentile's interval by itself, that of the intervals in a load result. */
export const bandConfidence = 0.95;

/** Where the quantile `fraction` of the target may lie. */
export interface BandPoint {
  readonly fraction: number;
  readonly lowMicros: number;
  readonly highMicros: number;
}

/**
 * The interval of each quantile by itself, from order statistics (exact by the binomial distribution), as wide as the buckets
 * leave open. Fractions for which so few samples have no interval are left out.
 */
export const cdfBand = (histogram: LoadHistogram, fractions: readonly number[]): readonly BandPoint[] =>
  fractions.flatMap((fraction) => {
    const ranks = orderStatisticRanks(histogram.count, fraction, bandConfidence);
    const low = ranks && histogramRankBounds(histogram, ranks.low);
    const high = ranks && histogramRankBounds(histogram, ranks.high);
    return low && high ? [{ fraction, lowMicros: low.lowMicros, highMicros: high.highMicros }] : [];
  });
