import { histogramRankBounds, type LoadHistogram, orderStatisticRanks, bucketBounds } from "@assay/results";

/** A step of a cumulative distribution: at least `fraction` of the samples are at most `micros`. */
export interface CdfPoint {
  readonly micros: number;
  readonly fraction: number;
}

/** Counts the samples of a histogram, including censored ones. */
const countSamples = ({ count, censored = [] }: LoadHistogram): number =>
  censored.reduce((sum, [, samples]) => sum + samples, count);

/**
 * Returns the distribution function of a histogram, with one step for each bucket at its middle, like percentiles of
 * histograms. At most 0.4 % off. With censored samples it is the Kaplan-Meier estimate, which may end below 1. Empty for
 * an empty histogram.
 */
export const computeCdfCurve = (histogram: LoadHistogram): readonly CdfPoint[] => {
  const { buckets, censored = [], minMicros, maxMicros } = histogram;
  const count = countSamples(histogram);
  let [atRisk, survival, nextCensored, sampleCount] = [count, 1, 0, 0];
  return buckets.map(([bucket, samples]) => {
    while (nextCensored < censored.length && (censored[nextCensored]?.[0] ?? bucket) < bucket) {
      atRisk -= censored[nextCensored]?.[1] ?? 0;
      nextCensored += 1;
    }
    survival *= 1 - samples / Math.max(samples, atRisk);
    atRisk -= samples;
    sampleCount += samples;
    const { lowMicros, highMicros } = bucketBounds(bucket);
    const micros = (Math.max(lowMicros, minMicros) + Math.min(highMicros, maxMicros)) / 2;
    return { micros, fraction: nextCensored === 0 ? sampleCount / Math.max(1, count) : Math.min(1, 1 - survival) };
  });
};

/** Returns the histogram with censored samples at their lower bounds. */
const withCensoredAtLowerBounds = (histogram: LoadHistogram): LoadHistogram => {
  const { censored, ...uncensored } = histogram;
  if (censored === undefined) {
    return histogram;
  }
  const maxMicros = Math.max(uncensored.maxMicros, ...censored.map(([bucket]) => bucketBounds(bucket).highMicros));
  return {
    ...uncensored,
    minMicros: 0,
    maxMicros,
    buckets: [...uncensored.buckets, ...censored].sort(([a], [b]) => a - b),
  };
};

/** Confidence of each interval, as in a load result. */
export const bandConfidence = 0.95;

/** The interval of the quantile `fraction`. */
export interface BandPoint {
  readonly fraction: number;
  readonly lowMicros: number;
  readonly highMicros: number;
}

/**
 * Returns the interval of each quantile from order statistics (exact by the binomial distribution), widened to whole
 * buckets. Omits fractions without an interval for this number of samples.
 */
export const computeCdfBand = (histogram: LoadHistogram, fractions: readonly number[]): readonly BandPoint[] =>
  fractions.flatMap((fraction) => {
    const ranks = orderStatisticRanks(countSamples(histogram), fraction, bandConfidence);
    const low = ranks && histogramRankBounds(withCensoredAtLowerBounds(histogram), ranks.low);
    const high = ranks && histogramRankBounds(histogram, ranks.high);
    return low && high ? [{ fraction, lowMicros: low.lowMicros, highMicros: high.highMicros }] : [];
  });
