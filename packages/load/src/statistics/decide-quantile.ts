import { quantileRank } from "@assay/results";
import { binomialUpperTail } from "./binomial.ts";
import { type CensoredValues, countValues, survivalAt } from "./censored.ts";

export interface QuantileLimit {
  readonly fraction: number;
  readonly limit: number;
  /** True if a value at the limit is over it. */
  readonly isStrict: boolean;
  /** Minimum number of values. With fewer, the limit counts as met only if chance cannot explain the result. */
  readonly minCount: number;
}

/** Counts of values on each side of a limit. */
export interface LimitSides {
  readonly count: number;
  /** Values over the limit: observed there, or censored beyond it. */
  readonly over: number;
  /** Values censored below the limit. */
  readonly unknown: number;
}

/** A decision with its counts. `ok` is absent if the values are inconclusive. */
export interface QuantileDecision extends LimitSides {
  readonly ok?: boolean;
}

/** The probability of reporting a met limit as missed. */
const alpha = 0.01;

/** Counts the values within the limit. `sorted` is ascending. */
const countWithin = (sorted: Float64Array, limit: number, isStrict: boolean): number => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = sorted[middle] ?? Number.NaN;
    if (isStrict ? value < limit : value <= limit) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
};

/** Counts the values on each side of a limit. A value censored at the limit is over it. */
export const countSides = (
  values: CensoredValues,
  { limit, isStrict }: Pick<QuantileLimit, "limit" | "isStrict">,
): LimitSides => ({
  count: countValues(values),
  over:
    values.observed.length -
    countWithin(values.observed, limit, isStrict) +
    values.censored.length -
    countWithin(values.censored, limit, true),
  unknown: countWithin(values.censored, limit, true),
});

/** Reports whether `over` of `count` values are more than chance explains for a quantile that meets its limit. */
export const isBeyondChance = ({ count, over }: Pick<LimitSides, "count" | "over">, fraction: number): boolean =>
  over > 0 && binomialUpperTail(count, 1 - fraction, over) <= alpha;

/** Returns the minimum number of values over a limit that chance does not explain. Infinite if chance could explain all values being over it. */
export const minBeyondChance = (count: number, fraction: number): number => {
  let [low, high] = [1, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBeyondChance({ count, over: middle }, fraction)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return isBeyondChance({ count, over: low }, fraction) ? low : Number.POSITIVE_INFINITY;
};

const isMetBeyondChance = (count: number, over: number, fraction: number): boolean =>
  count > 0 && 1 - binomialUpperTail(count, 1 - fraction, over + 1) <= alpha;

/** Reports whether the quantile is within the limit and has enough values. */
const isWithin = (count: number, over: number, { fraction, minCount }: QuantileLimit): boolean =>
  count >= minCount && over <= count - quantileRank(count, fraction);

/** Decides from the Kaplan-Meier share. Its standard error determines the equivalent number of uncensored values. */
const decideByEstimate = (values: CensoredValues, sides: LimitSides, limit: QuantileLimit): boolean | undefined => {
  const { fraction, minCount } = limit;
  const estimate = survivalAt(values, limit.limit);
  const observedCount = sides.count - sides.unknown;
  if (estimate === undefined || observedCount === 0) {
    return undefined;
  }
  const { share, standardError } = estimate;
  const effectiveCount = standardError > 0 ? (share * (1 - share)) / standardError ** 2 : observedCount;
  const count = Math.max(1, Math.floor(Math.min(effectiveCount, sides.count)));
  if (isBeyondChance({ count, over: Math.floor(share * count + 1e-9) }, fraction)) {
    return false;
  }
  return observedCount >= minCount && share <= 1 - fraction ? true : undefined;
};

/**
 * Decides whether a quantile meets a limit.
 *
 * - Missed: a target that just meets the limit has at least this many values over it in at most one run out of a hundred.
 * - Met: the quantile of at least `minCount` values is within the limit, or chance does not explain fewer values.
 * - Otherwise undecided.
 *
 * The bounds of the censored values are used first, then the Kaplan-Meier estimate.
 */
export const decideQuantile = (values: CensoredValues, limit: QuantileLimit): QuantileDecision => {
  const sides = countSides(values, limit);
  const { count, over, unknown } = sides;
  const { fraction } = limit;
  if (isBeyondChance(sides, fraction)) {
    return { ...sides, ok: false };
  }
  const maxOver = over + unknown;
  if (isWithin(count, maxOver, limit) || isMetBeyondChance(count, maxOver, fraction)) {
    return { ...sides, ok: true };
  }
  const ok = unknown === 0 ? undefined : decideByEstimate(values, sides, limit);
  return ok === undefined ? sides : { ...sides, ok };
};
