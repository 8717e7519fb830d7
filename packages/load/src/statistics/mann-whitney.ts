import { criticalValue, lowerTail } from "./critical-value.ts";
import { type Interval, symmetricInterval } from "./interval.ts";
import { normalUpperQuantile, normalUpperTail } from "./normal.ts";
import { ranksOf } from "./ranks.ts";

/** Up to this many values a side, the distribution is exact. */
export const exactMannWhitneyLimit = 50;

const distributions = new Map<string, Float64Array>();

/**
 * Distribution of the number of pairs with the first value above the second, all orders equally likely. The largest of
 * all values belongs to the first side with the probability `one / (one + other)`, and is then above all values of the
 * other side.
 */
const mannWhitneyDistribution = (ones: number, others: number): Float64Array => {
  const key = `${ones} ${others}`;
  const known = distributions.get(key);
  if (known) {
    return known;
  }
  const size = ones * others + 1;
  const rows = Array.from({ length: ones + 1 }, () => new Float64Array(size).fill(1, 0, 1));
  for (let other = 1; other <= others; other += 1) {
    for (let one = 1; one <= ones; one += 1) {
      const row = rows[one] ?? new Float64Array();
      const fewer = rows[one - 1] ?? new Float64Array();
      for (let pairs = one * other; pairs >= 0; pairs -= 1) {
        row[pairs] = (other * (row[pairs] ?? 0) + one * (fewer[pairs - other] ?? 0)) / (one + other);
      }
    }
  }
  const probabilities = rows[ones] ?? new Float64Array();
  distributions.set(key, probabilities);
  return probabilities;
};

const isExact = (ones: number, others: number): boolean => Math.max(ones, others) <= exactMannWhitneyLimit;

const standardDeviation = (ones: number, others: number, tieTerm: number): number => {
  const all = ones + others;
  return Math.sqrt(((ones * others) / 12) * (all + 1 - tieTerm / (all * (all - 1))));
};

const skippedDifferences = (ones: number, others: number, confidence: number): number => {
  const tail = (1 - confidence) / 2;
  return isExact(ones, others)
    ? criticalValue(mannWhitneyDistribution(ones, others), tail)
    : Math.floor((ones * others) / 2 - 0.5 - normalUpperQuantile(tail) * standardDeviation(ones, others, 0));
};

/**
 * The shift from `base` to `head` by Hodges and Lehmann (median of all differences between the sides), with the
 * interval of the Mann-Whitney test: at least `confidence` if all values are independent and both sides have one shape.
 * Exact up to `exactMannWhitneyLimit` values a side; ties only widen it. `NaN` if a side is empty.
 */
export const hodgesLehmannShift = (base: readonly number[], head: readonly number[], confidence: number): Interval => {
  const differences = Float64Array.from(head.flatMap((one) => base.map((other) => one - other)));
  return symmetricInterval(differences.sort(), skippedDifferences(head.length, base.length, confidence));
};

/**
 * Two-sided p-value for neither side having larger values. Exact up to `exactMannWhitneyLimit` values a side without
 * ties, otherwise normal with corrections for continuity and ties. 1 if a side is empty or all values are equal.
 */
export const mannWhitneyPValue = (base: readonly number[], head: readonly number[]): number => {
  const { ranks, tieTerm } = ranksOf([...head, ...base]);
  const above =
    ranks.subarray(0, head.length).reduce((sum, rank) => sum + rank, 0) - (head.length * (head.length + 1)) / 2;
  const pairs = head.length * base.length;
  const smaller = Math.min(above, pairs - above);
  const deviation = standardDeviation(head.length, base.length, tieTerm);
  if (pairs === 0 || deviation === 0) {
    return 1;
  }
  if (isExact(head.length, base.length) && tieTerm === 0) {
    return Math.min(1, 2 * lowerTail(mannWhitneyDistribution(head.length, base.length), smaller));
  }
  return Math.min(1, 2 * normalUpperTail(Math.max(0, pairs / 2 - smaller - 0.5) / deviation));
};
