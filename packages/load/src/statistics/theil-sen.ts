import { criticalValue } from "./critical-value.ts";
import { type Interval, symmetricInterval } from "./interval.ts";
import { normalUpperQuantile } from "./normal.ts";

/** A point, for example the median of a block at the time of the block. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The maximum number of points with distinct `x` for the exact distribution. */
export const maxExactPoints = 50;

/** Computes the distribution of the number of inversions of `count` values, if all orders are equally likely. */
const inversionDistribution = (count: number): Float64Array => {
  let probabilities = Float64Array.of(1);
  for (let size = 2; size <= count; size += 1) {
    const nextProbabilities = new Float64Array(probabilities.length + size - 1);
    for (const [inversions, probability] of probabilities.entries()) {
      for (let added = 0; added < size; added += 1) {
        nextProbabilities[inversions + added] = (nextProbabilities[inversions + added] ?? 0) + probability / size;
      }
    }
    probabilities = nextProbabilities;
  }
  return probabilities;
};

const listTieSizes = (points: readonly Point[]): readonly number[] => {
  const sizes = new Map<number, number>();
  for (const { x } of points) {
    sizes.set(x, (sizes.get(x) ?? 0) + 1);
  }
  return [...sizes.values()].filter((size) => size > 1);
};

/** Returns 18 times the variance of Kendall's score for `size` values. */
const varianceTerm = (size: number): number => size * (size - 1) * (2 * size + 5);

const countSkippedSlopes = (points: readonly Point[], slopes: number, confidence: number): number => {
  const count = points.length;
  const ties = listTieSizes(points);
  const tail = (1 - confidence) / 2;
  if (count <= maxExactPoints && ties.length === 0) {
    return criticalValue(inversionDistribution(count), tail);
  }
  const variance = (varianceTerm(count) - ties.reduce((sum, size) => sum + varianceTerm(size), 0)) / 18;
  // The score is the number of ordered pairs minus the number of inverted pairs. It moves in steps of 2, so half a step is 1.
  return Math.floor((slopes - normalUpperQuantile(tail) * Math.sqrt(variance)) / 2 - 0.5);
};

/**
 * Estimates the Theil-Sen slope of a line through points (the median of the slopes between all pairs), with the interval
 * of Kendall's test. The interval has at least `confidence` if the deviations from the line are independent. Exact up to
 * `maxExactPoints` points with distinct `x`. Time and memory grow with the square of the number of points. `NaN`
 * if all points have the same `x`.
 */
export const theilSen = (points: readonly Point[], confidence: number): Interval => {
  const slopes = points.flatMap((first, index) =>
    points
      .slice(index + 1)
      .filter(({ x }) => x !== first.x)
      .map((second) => (second.y - first.y) / (second.x - first.x)),
  );
  return symmetricInterval(Float64Array.from(slopes).sort(), countSkippedSlopes(points, slopes.length, confidence));
};
