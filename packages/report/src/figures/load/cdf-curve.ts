import { histogramRankBounds, type LoadHistogram, orderStatisticRanks, bucketBounds } from "@assay/results";

/** A step of a cumulative distribution: at least `fraction` of the samples are at most `micros`. */
export interface CdfPoint {
  readonly micros: number;
  readonly fraction: number;
}

/** Samples of a histogram, including censored ones. */
const countOf = ({ count, censored = [] }: LoadHistogram): number =>
  censored.reduce((sum, [, samples]) => sum + samples, count);

/**
 * The distribution function of a histogram, with one step for each bucket at its middle, like percentiles of
 * histograms; empty for an empty one. At most 0.4 % off. With censored samples it is the Kaplan-Meier estimate, which
 * may end below 1.
 */
export const cdfCurve = (histogram: LoadHistogram): readonly CdfPoint[] => {
  const { buckets, censored = [], minMicros, maxMicros } = histogram;
  const count = countOf(histogram);
  let [atRisk, left, next, seen] = [count, 1, 0, 0];
  return buckets.map(([bucket, samples]) => {
    while (next < censored.length && (censored[next]?.[0] ?? bucket) < bucket) {
      atRisk -= censored[next]?.[1] ?? 0;
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

/** The histogram with censored samples at their lower bounds. */
const atOnce = (histogram: LoadHistogram): LoadHistogram => {
  const { censored, ...seen } = histogram;
  if (censored === undefined) {
    return histogram;
  }
  const maxMicros = Math.max(seen.maxMicros, ...censored.map(([bucket]) => bucketBounds(bucket).highMicros));
  return {
    ...seen,
    minMicros: 0,
    maxMicros,
    buckets: [...seen.buckets, ...censored].sort(([one], [other]) => one - other),
  };
};

/** Confidence of each single interval, as in a load result. */
export const bandConfidence = 0.95;

/** The interval of the quantile `fraction`. */
export interface BandPoint {
  readonly fraction: number;
  readonly lowMicros: number;
  readonly highMicros: number;
}

/**
 * The interval of each quantile from order statistics (exact by the binomial distribution), widened to whole buckets.
 * Fractions without an interval for this number of samples are left out.
 */
export const cdfBand = (histogram: LoadHistogram, fractions: readonly number[]): readonly BandPoint[] =>
  fractions.flatMap((fraction) => {
    const ranks = orderStatisticRanks(countOf(histogram), fraction, bandConfidence);
    const low = ranks && histogramRankBounds(atOnce(histogram), ranks.low);
    const high = ranks && histogramRankBounds(histogram, ranks.high);
    return low && high ? [{ fraction, lowMicros: low.lowMicros, highMicros: high.highMicros }] : [];
  });
