import { criticalValue, lowerTail } from "./critical-value.ts";
import { type Interval, symmetricInterval } from "./interval.ts";
import { normalUpperQuantile, normalUpperTail } from "./normal.ts";
import { rankValues } from "./ranks.ts";

/** The maximum number of values for the exact distribution. Above it, the normal approximation is off by a rank or two. */
export const maxExactDifferences = 50;

const distributions = new Map<number, Float64Array>();

/** Computes the distribution of the sum of positive ranks of `count` values, if both signs are equally likely. */
const signedRankDistribution = (count: number): Float64Array => {
  const cachedDistribution = distributions.get(count);
  if (cachedDistribution) {
    return cachedDistribution;
  }
  const size = (count * (count + 1)) / 2 + 1;
  const probabilities = new Float64Array(size);
  probabilities[0] = 1;
  for (let rank = 1; rank <= count; rank += 1) {
    for (let sum = (rank * (rank + 1)) / 2; sum >= 0; sum -= 1) {
      const withoutRank = probabilities[sum] ?? 0;
      probabilities[sum] = (withoutRank + (probabilities[sum - rank] ?? 0)) / 2;
    }
  }
  distributions.set(count, probabilities);
  return probabilities;
};

const standardDeviation = (count: number, tieTerm: number): number =>
  Math.sqrt((count * (count + 1) * (2 * count + 1)) / 24 - tieTerm / 48);

/** Returns the number of means outside the interval at each end. -1 if no interval has this confidence. */
const countSkippedMeans = (count: number, confidence: number): number => {
  const tail = (1 - confidence) / 2;
  return count <= maxExactDifferences
    ? criticalValue(signedRankDistribution(count), tail)
    : Math.floor((count * (count + 1)) / 4 - 0.5 - normalUpperQuantile(tail) * standardDeviation(count, 0));
};

/**
 * Estimates the Hodges-Lehmann location of differences (the median of the means of all pairs, including each value
 * paired with itself), with the interval of the signed-rank test. The interval has at least `confidence` if the
 * differences are independent and symmetric. Exact up to `maxExactDifferences` values. Ties and zeros only widen it.
 * Time and memory grow with the square of the number of values. `NaN` if there are no values.
 */
export const hodgesLehmann = (differences: readonly number[], confidence: number): Interval => {
  const count = differences.length;
  const means = new Float64Array((count * (count + 1)) / 2);
  let index = 0;
  for (let first = 0; first < count; first += 1) {
    for (let second = first; second < count; second += 1) {
      means[index] = ((differences[first] ?? Number.NaN) + (differences[second] ?? Number.NaN)) / 2;
      index += 1;
    }
  }
  return symmetricInterval(means.sort(), countSkippedMeans(count, confidence));
};

/**
 * Returns the two-sided p-value of the signed-rank test for differences that are symmetric about 0. Ignores zeros. Exact up to
 * `maxExactDifferences` values without ties. Otherwise uses the normal approximation, corrected for continuity and
 * ties. Returns 1 if there are no values.
 */
export const signedRankPValue = (differences: readonly number[]): number => {
  const values = differences.filter((value) => value !== 0);
  const count = values.length;
  if (count === 0) {
    return 1;
  }
  const { ranks, tieTerm } = rankValues(values.map(Math.abs));
  const positiveRankSum = values.reduce((sum, value, index) => sum + (value > 0 ? (ranks[index] ?? 0) : 0), 0);
  const statistic = Math.min(positiveRankSum, (count * (count + 1)) / 2 - positiveRankSum);
  if (count <= maxExactDifferences && tieTerm === 0) {
    return Math.min(1, 2 * lowerTail(signedRankDistribution(count), statistic));
  }
  const distanceFromMean = Math.max(0, (count * (count + 1)) / 4 - statistic - 0.5);
  return Math.min(1, 2 * normalUpperTail(distanceFromMean / standardDeviation(count, tieTerm)));
};
