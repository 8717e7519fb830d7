import { quantileRank } from "@assay/results";
import { binomialUpperTail } from "./binomial.ts";
import { type CensoredValues, sizeOfCensored, survivalAt } from "./censored.ts";

/** A limit on a quantile. */
export interface QuantileLimit {
  readonly fraction: number;
  readonly limit: number;
  /** Whether a value at the limit is beyond it. */
  readonly isStrict: boolean;
  /** With fewer values the quantile is no figure: it is kept only beyond doubt. */
  readonly fewest: number;
}

/** On which side of a limit values lie. */
export interface LimitSides {
  readonly count: number;
  /** Beyond it: seen there, or later than it. */
  readonly over: number;
  /** Watched for less than the limit. */
  readonly unknown: number;
}

/** Whether a quantile keeps its limit; undefined where the values leave it undecided. */
export interface QuantileDecision extends LimitSides {
  readonly ok?: boolean;
}

/** Chance with which a limit that the target keeps is called missed. */
const alpha = 0.01;

/** How many ascending values lie before the limit: those at it count as before where it is not strict. */
const before = (sorted: Float64Array, limit: number, isStrict: boolean): number => {
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

/** Sorts values by a limit. What is later than the limit itself is beyond it. */
export const sidesOf = (
  values: CensoredValues,
  { limit, isStrict }: Pick<QuantileLimit, "limit" | "isStrict">,
): LimitSides => ({
  count: sizeOfCensored(values),
  over:
    values.seen.length - before(values.seen, limit, isStrict) + values.later.length - before(values.later, limit, true),
  unknown: before(values.later, limit, true),
});

/** Whether so many values beyond a limit are more than chance would put there, if the quantile kept it. */
export const isBeyondChance = ({ count, over }: Pick<LimitSides, "count" | "over">, fraction: number): boolean =>
  over > 0 && binomialUpperTail(count, 1 - fraction, over) <= alpha;

/** The fewest of so many values beyond a limit that are more than chance would put there; infinite where even all of them are not. */
export const fewestBeyondChance = (count: number, fraction: number): number => {
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

const isKeptBeyondChance = (count: number, over: number, fraction: number): boolean =>
  count > 0 && 1 - binomialUpperTail(count, 1 - fraction, over + 1) <= alpha;

/** Whether the values, with so many of them beyond the limit, have a quantile within it that is a figure. */
const isWithin = (count: number, over: number, { fraction, fewest }: QuantileLimit): boolean =>
  count >= fewest && over <= count - quantileRank(count, fraction);

/** Where what is not known decides: by the share that Kaplan and Meier estimate, and the number of values that this is worth. */
const byEstimate = (values: CensoredValues, sides: LimitSides, limit: QuantileLimit): boolean | undefined => {
  const { fraction, fewest } = limit;
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
  return watched >= fewest && share <= 1 - fraction ? true : undefined;
};

/**
 * Whether a quantile keeps a limit. It is missed where more values lie beyond than chance would put there in one of a hundred
 * runs of a target that just keeps it. It is kept where the quantile of at least `fewest` values is within the limit, or where fewer
 * leave no doubt. Otherwise it is undecided. Both are decided by bounds, whatever the values that were not watched long enough
 * would have been; where that does not do, by the estimate of Kaplan and Meier.
 */
export const decideQuantile = (values: CensoredValues, limit: QuantileLimit): QuantileDecision => {
  const sides = sidesOf(values, limit);
  const { count, over, unknown } = sides;
  const { fraction } = limit;
  if (isBeyondChance(sides, fraction)) {
    return { ...sides, ok: false };
  }
  const atWorst = over + unknown;
  if (isWithin(count, atWorst, limit) || isKeptBeyondChance(count, atWorst, fraction)) {
    return { ...sides, ok: true };
  }
  const ok = unknown === 0 ? undefined : byEstimate(values, sides, limit);
  return ok === undefined ? sides : { ...sides, ok };
};
