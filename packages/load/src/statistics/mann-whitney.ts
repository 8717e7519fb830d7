import { criticalValue, lowerTail } from "./critical-value.ts";
import { type Interval, symmetricInterval } from "./interval.ts";
import { normalUpperQuantile, normalUpperTail } from "./normal.ts";
import { rankValues } from "./ranks.ts";

/** Largest sample size per side for which the exact distribution is used. */
export const maxExactSampleSize = 50;

const distributions = new Map<string, Float64Array>();

/**
 * Computes the distribution of the number of pairs whose first value is above the second, if all orders are equally
 * likely. The recursion removes the largest value. It belongs to the first side with probability
 * `first / (first + second)`, and is then above all values of the second side.
 */
const mannWhitneyDistribution = (firstCount: number, secondCount: number): Float64Array => {
  const key = `${firstCount} ${secondCount}`;
  const cachedDistribution = distributions.get(key);
  if (cachedDistribution) {
    return cachedDistribution;
  }
  const size = firstCount * secondCount + 1;
  const rows = Array.from({ length: firstCount + 1 }, () => new Float64Array(size).fill(1, 0, 1));
  for (let second = 1; second <= secondCount; second += 1) {
    for (let first = 1; first <= firstCount; first += 1) {
      const row = rows[first] ?? new Float64Array();
      const previousRow = rows[first - 1] ?? new Float64Array();
      for (let pairs = first * second; pairs >= 0; pairs -= 1) {
        row[pairs] = (second * (row[pairs] ?? 0) + first * (previousRow[pairs - second] ?? 0)) / (first + second);
      }
    }
  }
  const probabilities = rows[firstCount] ?? new Float64Array();
  distributions.set(key, probabilities);
  return probabilities;
};

const isExact = (firstCount: number, secondCount: number): boolean =>
  Math.max(firstCount, secondCount) <= maxExactSampleSize;

const standardDeviation = (firstCount: number, secondCount: number, tieTerm: number): number => {
  const count = firstCount + secondCount;
  return Math.sqrt(((firstCount * secondCount) / 12) * (count + 1 - tieTerm / (count * (count - 1))));
};

const countSkippedDifferences = (firstCount: number, secondCount: number, confidence: number): number => {
  const tail = (1 - confidence) / 2;
  return isExact(firstCount, secondCount)
    ? criticalValue(mannWhitneyDistribution(firstCount, secondCount), tail)
    : Math.floor(
        (firstCount * secondCount) / 2 -
          0.5 -
          normalUpperQuantile(tail) * standardDeviation(firstCount, secondCount, 0),
      );
};

/**
 * Estimates the Hodges-Lehmann shift from `base` to `head` (the median of all differences between the sides), with the
 * interval of the Mann-Whitney test. The interval has at least `confidence` if all values are independent and both
 * distributions have the same shape. It is exact up to `maxExactSampleSize` values per side. Ties make the interval
 * wider, never narrower. It is `NaN` if a side is empty.
 */
export const hodgesLehmannShift = (base: readonly number[], head: readonly number[], confidence: number): Interval => {
  const differences = Float64Array.from(head.flatMap((first) => base.map((second) => first - second)));
  return symmetricInterval(differences.sort(), countSkippedDifferences(head.length, base.length, confidence));
};

/**
 * Returns the two-sided p-value of the Mann-Whitney test. Exact up to `maxExactSampleSize` values per side without ties.
 * Otherwise uses the normal approximation, corrected for continuity and ties. Returns 1 if a side is empty or all
 * values are equal.
 */
export const mannWhitneyPValue = (base: readonly number[], head: readonly number[]): number => {
  const { ranks, tieTerm } = rankValues([...head, ...base]);
  const pairsAbove =
    ranks.subarray(0, head.length).reduce((sum, rank) => sum + rank, 0) - (head.length * (head.length + 1)) / 2;
  const pairs = head.length * base.length;
  const statistic = Math.min(pairsAbove, pairs - pairsAbove);
  const deviation = standardDeviation(head.length, base.length, tieTerm);
  if (pairs === 0 || deviation === 0) {
    return 1;
  }
  if (isExact(head.length, base.length) && tieTerm === 0) {
    return Math.min(1, 2 * lowerTail(mannWhitneyDistribution(head.length, base.length), statistic));
  }
  return Math.min(1, 2 * normalUpperTail(Math.max(0, pairs / 2 - statistic - 0.5) / deviation));
};
