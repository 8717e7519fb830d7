import { quantile } from "./quantile.ts";

/** The time of an event, or for a censored value the time until which it was watched without the event. */
export interface CensoredValue {
  readonly value: number;
  readonly isCensored: boolean;
}

/** Seen and censored values, both ascending and in one unit. */
export interface CensoredValues {
  readonly seen: Float64Array;
  /** Lower bounds of the censored values. */
  readonly censored: Float64Array;
}

export const censoredValues = (values: Iterable<CensoredValue>): CensoredValues => {
  const seen: number[] = [];
  const censored: number[] = [];
  for (const { value, isCensored } of values) {
    (isCensored ? censored : seen).push(value);
  }
  return { seen: Float64Array.from(seen).sort(), censored: Float64Array.from(censored).sort() };
};

export const sizeOfCensored = ({ seen, censored }: CensoredValues): number => seen.length + censored.length;

/** All values in order. `censoredAt` maps the lower bound of a censored value to its place. */
const ordered = ({ seen, censored }: CensoredValues, censoredAt: (value: number) => number): Float64Array =>
  censored.length === 0 ? seen : Float64Array.from([...seen, ...censored.map(censoredAt)]).sort();

/** Bounds of a quantile for any values of the censored ones. */
export interface QuantileBounds {
  readonly low: number;
  /** Infinite if censored values reach down to the quantile. */
  readonly high: number;
}

/** The bounds of the value of a rank, from 1. See `quantileBounds`. */
export const rankBounds = (values: CensoredValues, rank: number): QuantileBounds => ({
  low: ordered(values, (value) => value)[rank - 1] ?? Number.NaN,
  high: ordered(values, () => Number.POSITIVE_INFINITY)[rank - 1] ?? Number.NaN,
});

/**
 * The bounds of a quantile, with censored values at their lower bounds and at infinity. Valid for any cause of
 * censoring. Both are `NaN` without values.
 */
export const quantileBounds = (values: CensoredValues, fraction: number): QuantileBounds => ({
  low: quantile(
    ordered(values, (value) => value),
    fraction,
  ),
  high: quantile(
    ordered(values, () => Number.POSITIVE_INFINITY),
    fraction,
  ),
});

/** A step of the Kaplan-Meier estimate. */
interface Step {
  readonly value: number;
  /** Estimated share of values above `value`. */
  readonly survival: number;
  /** Greenwood's sum: the variance of the survival is its square times this sum. */
  readonly variance: number;
}

/** The first index from `from` for which `isPassed` is false. `sorted` is ascending. */
const skip = (sorted: Float64Array, from: number, isPassed: (value: number) => boolean): number => {
  let index = from;
  while (index < sorted.length && isPassed(sorted[index] ?? Number.NaN)) {
    index += 1;
  }
  return index;
};

/** The Kaplan-Meier estimate, with one step for each distinct seen value. */
const stepsOf = ({ seen, censored }: CensoredValues): readonly Step[] => {
  const steps: Step[] = [];
  let [survival, variance, gone, from] = [1, 0, 0, 0];
  while (from < seen.length) {
    const value = seen[from] ?? Number.NaN;
    // A value censored at `value` was still watched then.
    gone = skip(censored, gone, (until) => until < value);
    const happened = Math.max(1, skip(seen, from, (other) => other === value) - from);
    const atRisk = seen.length - from + censored.length - gone;
    survival *= 1 - happened / atRisk;
    variance += happened === atRisk ? Number.POSITIVE_INFINITY : happened / (atRisk * (atRisk - happened));
    steps.push({ value, survival, variance });
    from += happened;
  }
  return steps;
};

/**
 * The Kaplan-Meier quantile: exact without censored values, infinite beyond all seen values. Unbiased if censoring is
 * independent of the value, such as by the end of the run. `NaN` without values.
 */
export const survivalQuantile = (values: CensoredValues, fraction: number): number => {
  if (sizeOfCensored(values) === 0) {
    return Number.NaN;
  }
  if (values.censored.length === 0) {
    return quantile(values.seen, fraction);
  }
  const found = stepsOf(values).find(({ survival }) => 1 - survival >= fraction - 1e-9);
  return found?.value ?? Number.POSITIVE_INFINITY;
};

/** An estimated share of values above a limit, with its standard error. */
export interface SurvivalShare {
  readonly share: number;
  readonly standardError: number;
}

/**
 * The Kaplan-Meier share of values above `limit`, with Greenwood's standard error. Undefined if nothing was watched
 * that long.
 */
export const survivalAt = (values: CensoredValues, limit: number): SurvivalShare | undefined => {
  const { seen, censored } = values;
  const longest = Math.max(seen.at(-1) ?? Number.NEGATIVE_INFINITY, censored.at(-1) ?? Number.NEGATIVE_INFINITY);
  const last = stepsOf(values).findLast(({ value }) => value <= limit);
  // If all values were seen, no value can be above the limit.
  if (longest < limit && (last?.survival ?? 1) > 0) {
    return undefined;
  }
  if (last === undefined) {
    return { share: 1, standardError: 0 };
  }
  const { survival, variance } = last;
  return { share: survival, standardError: survival === 0 ? 0 : survival * Math.sqrt(variance) };
};
