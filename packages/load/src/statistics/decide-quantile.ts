import { quantileRank } from "@assay/results";
import { binomialUpperTail } from "./binomial.ts";
import { type CensoredValues, sizeOfCensored, survivalAt } from "./censored.ts";

export interface QuantileLimit {
  readonly fraction: number;
  readonly limit: number;
  /** True if a value at the limit is over it. */
  readonly isStrict: boolean;
  /** With fewer values, the limit is met only beyond doubt. */
  readonly minCount: number;
}

/** Counts of values on each side of a limit. */
export interface LimitSides {
  readonly count: number;
  /** Over the limit: seen there, or censored beyond it. */
  readonly over: number;
  /** Censored below the limit. */
  readonly unknown: number;
}

/** `ok` is absent if the values do not decide. */
export interface QuantileDecision extends LimitSides {
  readonly ok?: boolean;
}

/** Probability of calling a met limit missed. */
const alpha = 0.01;

/** Number of values within the limit. `sorted` is ascending. */
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

/** Counts values by their side of a limit. A value censored at the limit is over it. */
export const sidesOf = (
  values: CensoredValues,
  { limit, isStrict }: Pick<QuantileLimit, "limit" | "isStrict">,
): LimitSides => ({
  count: sizeOfCensored(values),
  over:
    values.seen.length -
    countWithin(values.seen, limit, isStrict) +
    values.censored.length -
    countWithin(values.censored, limit, true),
  unknown: countWithin(values.censored, limit, true),
});

/** True if this many values over a limit exceed chance for a quantile that meets it. */
export const isBeyondChance = ({ count, over }: Pick<LimitSides, "count" | "over">, fraction: number): boolean =>
  over > 0 && binomialUpperTail(count, 1 - fraction, over) <= alpha;

/** Minimum number of values over a limit that exceeds chance; infinite if even all of them do not. */
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

/** True if the quantile is within the limit and has enough values. */
const isWithin = (count: number, over: number, { fraction, minCount }: QuantileLimit): boolean =>
  count >= minCount && over <= count - quantileRank(count, fraction);

/** Decides by the Kaplan-Meier share, and by the number of values that its standard error is worth. */
const byEstimate = (values: CensoredValues, sides: LimitSides, limit: QuantileLimit): boolean | undefined => {
  const { fraction, minCount } = limit;
  const estimate = survivalAt(values, limit.limit);
  const watched = sides.count - sides.unknown;
  if (estimate === undefined || watched === 0) {
    return undefined;
  }
  const { share, standardError } = estimate;
  const worth = standardError > 0 ? (share * (1 - share)) / standardError ** 2 : watched;
  const count = Math.max(1, Math.floor(Math.min(worth, sides.count)));
  if (isBeyondChance({ count, over: Math.floor(share * count + 1e-9) }, fraction)) {
    return false;
  }
  return watched >= minCount && share <= 1 - fraction ? true : undefined;
};

/**
 * Decides whether a quantile meets a limit. It is missed if more values are over the limit than chance explains in one
 * of a hundred runs of a target that just meets it. It is met if the quantile of at least `minCount` values is within
 * the limit, or if fewer leave no doubt. Otherwise it is undecided. Bounds for the censored values decide first, then
 * the Kaplan-Meier estimate.
 */
export const decideQuantile = (values: CensoredValues, limit: QuantileLimit): QuantileDecision => {
  const sides = sidesOf(values, limit);
  const { count, over, unknown } = sides;
  const { fraction } = limit;
  if (isBeyondChance(sides, fraction)) {
    return { ...sides, ok: false };
  }
  const atWorst = over + unknown;
  if (isWithin(count, atWorst, limit) || isMetBeyondChance(count, atWorst, fraction)) {
    return { ...sides, ok: true };
  }
  const ok = unknown === 0 ? undefined : byEstimate(values, sides, limit);
  return ok === undefined ? sides : { ...sides, ok };
};
