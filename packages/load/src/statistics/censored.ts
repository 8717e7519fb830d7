import { quantile } from "./quantile.ts";

/** The time of an event. If censored, observation stopped at this time and the event had not yet occurred. */
export interface CensoredValue {
  readonly value: number;
  readonly isCensored: boolean;
}

/** Observed and censored values, each in ascending order and in the same unit. */
export interface CensoredValues {
  readonly observed: Float64Array;
  /** Lower bounds of the censored values. */
  readonly censored: Float64Array;
}

export const splitCensored = (values: Iterable<CensoredValue>): CensoredValues => {
  const observed: number[] = [];
  const censored: number[] = [];
  for (const { value, isCensored } of values) {
    (isCensored ? censored : observed).push(value);
  }
  return { observed: Float64Array.from(observed).sort(), censored: Float64Array.from(censored).sort() };
};

export const countValues = ({ observed, censored }: CensoredValues): number => observed.length + censored.length;

/** Returns all values in ascending order. `place` returns the value to sort a censored value by. */
const sortValues = ({ observed, censored }: CensoredValues, place: (value: number) => number): Float64Array =>
  censored.length === 0 ? observed : Float64Array.from([...observed, ...censored.map(place)]).sort();

/** Bounds that contain the quantile, whatever the true values of the censored ones are. */
export interface QuantileBounds {
  readonly low: number;
  /** Infinite if the quantile may be a censored value. */
  readonly high: number;
}

/** Like `quantileBounds`, but for the value of the given rank. Ranks start at 1. */
export const rankBounds = (values: CensoredValues, rank: number): QuantileBounds => ({
  low: sortValues(values, (value) => value)[rank - 1] ?? Number.NaN,
  high: sortValues(values, () => Number.POSITIVE_INFINITY)[rank - 1] ?? Number.NaN,
});

/**
 * Returns bounds of a quantile. For the lower bound, each censored value counts as its own lower bound; for the upper
 * bound, as infinity. The bounds are valid for any cause of censoring. They are `NaN` if there are no values.
 */
export const quantileBounds = (values: CensoredValues, fraction: number): QuantileBounds => ({
  low: quantile(
    sortValues(values, (value) => value),
    fraction,
  ),
  high: quantile(
    sortValues(values, () => Number.POSITIVE_INFINITY),
    fraction,
  ),
});

/** A step of the Kaplan-Meier estimate. */
interface Step {
  readonly value: number;
  /** Estimated share of values above `value`. */
  readonly survival: number;
  /** The variance of `survival` is survival² times this sum. */
  readonly greenwoodSum: number;
}

/** Returns the first index at or after `from` whose value does not match. `sorted` is ascending. */
const firstIndexWithout = (sorted: Float64Array, from: number, matches: (value: number) => boolean): number => {
  let index = from;
  while (index < sorted.length && matches(sorted[index] ?? Number.NaN)) {
    index += 1;
  }
  return index;
};

/** Computes the Kaplan-Meier estimate, with one step for each distinct observed value. */
const kaplanMeierSteps = ({ observed, censored }: CensoredValues): readonly Step[] => {
  const steps: Step[] = [];
  let [survival, greenwoodSum, censoredIndex, observedIndex] = [1, 0, 0, 0];
  while (observedIndex < observed.length) {
    const value = observed[observedIndex] ?? Number.NaN;
    // An observation censored at `value` is still at risk there.
    censoredIndex = firstIndexWithout(censored, censoredIndex, (censoredValue) => censoredValue < value);
    // At least 1, so that a `NaN` cannot cause an endless loop.
    const events = Math.max(
      1,
      firstIndexWithout(observed, observedIndex, (observation) => observation === value) - observedIndex,
    );
    const atRisk = observed.length - observedIndex + censored.length - censoredIndex;
    survival *= 1 - events / atRisk;
    greenwoodSum += events === atRisk ? Number.POSITIVE_INFINITY : events / (atRisk * (atRisk - events));
    steps.push({ value, survival, greenwoodSum });
    observedIndex += events;
  }
  return steps;
};

/**
 * Returns the Kaplan-Meier quantile. It is exact if no value is censored, infinite past the largest observed value, and
 * `NaN` if there are no values. It is unbiased if censoring is independent of the value, for example by the end of the
 * run.
 */
export const survivalQuantile = (values: CensoredValues, fraction: number): number => {
  if (countValues(values) === 0) {
    return Number.NaN;
  }
  if (values.censored.length === 0) {
    return quantile(values.observed, fraction);
  }
  const step = kaplanMeierSteps(values).find(({ survival }) => 1 - survival >= fraction - 1e-9);
  return step?.value ?? Number.POSITIVE_INFINITY;
};

/** An estimated share of values above a threshold, with its standard error. */
export interface SurvivalShare {
  readonly share: number;
  readonly standardError: number;
}

/**
 * Returns the Kaplan-Meier share of values above `threshold`, with Greenwood's standard error. Returns undefined if
 * no observation lasted until `threshold`.
 */
export const survivalAt = (values: CensoredValues, threshold: number): SurvivalShare | undefined => {
  const { observed, censored } = values;
  const maxObservedUntil = Math.max(
    observed.at(-1) ?? Number.NEGATIVE_INFINITY,
    censored.at(-1) ?? Number.NEGATIVE_INFINITY,
  );
  const lastStep = kaplanMeierSteps(values).findLast(({ value }) => value <= threshold);
  // If the curve reaches 0, every value was observed and none exceeds the threshold.
  if (maxObservedUntil < threshold && (lastStep?.survival ?? 1) > 0) {
    return undefined;
  }
  if (lastStep === undefined) {
    return { share: 1, standardError: 0 };
  }
  const { survival, greenwoodSum } = lastStep;
  return { share: survival, standardError: survival === 0 ? 0 : survival * Math.sqrt(greenwoodSum) };
};
