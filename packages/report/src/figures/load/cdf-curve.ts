import { histogramRankBounds, type LoadHistogram, orderStatisticRanks, bucketBounds } from "@assay/results";

/** A step of a cumulative distribution: from `micros` on at least `fraction` of the samples are counted. */
export interface CdfPoint {
  readonly micros: number;
  readonly fraction: number;
}

/** Samples of a histogram, also those that had not come. */
const countOf = ({ count, later = [] }: LoadHistogram): number =>
  later.reduce((sum, [, samples]) => sum + samples, count);

/**
 * The distribution function of a histogram, one step for each bucket, at the middle of what the bucket may hold, as percentiles
 * of histograms are; empty for an empty one. At most 0.4 % off. Where something had not come it is the estimate of Kaplan and Meier,
 * which does not reach 1 as long as something was waited for in vain.
 */
export const cdfCurve = (histogram: LoadHistogram): readonly CdfPoint[] => {
  const { buckets, later = [], minMicros, maxMicros } = histogram;
  const count = countOf(histogram);
  let [atRisk, left, next, seen] = [count, 1, 0, 0];
  return buckets.map(([bucket, samples]) => {
    while (next < later.length && (later[next]?.[0] ?? bucket) < bucket) {
      atRisk -= later[next]?.[1] ?? 0;
      next += 1;
    }
    left *= 1 - samples / Math.max(samples, atRisk);
    atRisk -= samples;
    seen += samples;
    const { lowMicros, highMicros } = bucketBounds(bucket);
    const micros = (Math.max(lowMicros, minMicros) + Math.min(highMicros, maxMicros)) / 2;
    return { micros, fraction: next === 0 ? seen / Math.max(1, count) : Math.min(1, 1 - left) };
  });
};

/** The histogram as if everything that had not come had come at once after it was watched last. */
const atOnce = (histogram: LoadHistogram): LoadHistogram => {
  const { later, ...seen } = histogram;
  if (later === undefined) {
    return histogram;
  }
  const maxMicros = Math.max(seen.maxMicros, ...later.map(([bucket]) => bucketBounds(bucket).highMicros));
  return {
    ...seen,
    minMicros: 0,
    maxMicros,
    buckets: [...seen.buckets, ...later].sort(([one], [other]) => one - other),
  };
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
    const ranks = orderStatisticRanks(countOf(histogram), fraction, bandConfidence);
    const low = ranks && histogramRankBounds(atOnce(histogram), ranks.low);
    const high = ranks && histogramRankBounds(histogram, ranks.high);
    return low && high ? [{ fraction, lowMicros: low.lowMicros, highMicros: high.highMicros }] : [];
  });
