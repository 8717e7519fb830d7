import { quantile } from "./quantile.ts";

/** When something happened; or, where it is censored, how long it was watched for in vain: it is later than that. */
export interface CensoredValue {
  readonly value: number;
  readonly isCensored: boolean;
}

/** Such values apart, both ascending and in one unit. */
export interface CensoredValues {
  /** What was seen to happen. */
  readonly seen: Float64Array;
  /** What is later than each of these. */
  readonly later: Float64Array;
}

/** Sorts values into what was seen and what is later. */
export const censoredValues = (values: Iterable<CensoredValue>): CensoredValues => {
  const seen: number[] = [];
  const later: number[] = [];
  for (const { value, isCensored } of values) {
    (isCensored ? later : seen).push(value);
  }
  return { seen: Float64Array.from(seen).sort(), later: Float64Array.from(later).sort() };
};

/** How many values there are, seen or not. */
export const sizeOfCensored = ({ seen, later }: CensoredValues): number => seen.length + later.length;

/** All of them in order: what is later at the time until which it was watched, and at infinity. */
const ordered = ({ seen, later }: CensoredValues, laterAt: (value: number) => number): Float64Array =>
  later.length === 0 ? seen : Float64Array.from([...seen, ...later.map(laterAt)]).sort();

/** Between which two values a quantile lies that would be exact, had everything been watched to its end. */
export interface QuantileBounds {
  readonly low: number;
  /** Infinite where what is later reaches as far down as the quantile. */
  readonly high: number;
}

/** The bounds of the value of a rank, from 1. See `quantileBounds`. */
export const rankBounds = (values: CensoredValues, rank: number): QuantileBounds => ({
  low: ordered(values, (value) => value)[rank - 1] ?? Number.NaN,
  high: ordered(values, () => Number.POSITIVE_INFINITY)[rank - 1] ?? Number.NaN,
});

/**
 * The bounds of a quantile: everything that is later happened at once after it was watched last, or never. They hold whatever
 * made it censored. Both `NaN` without values.
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

/** A step of the estimated share of values at or below `value`. */
interface Step {
  readonly value: number;
  /** Estimated share that is later than `value`. */
  readonly survival: number;
  /** Greenwood's sum: the variance of the survival is its square times this. */
  readonly variance: number;
}

/** The first place of ascending values, from `from` on, whose value is past those that `isPassed` says. */
const skip = (sorted: Float64Array, from: number, isPassed: (value: number) => boolean): number => {
  let index = from;
  while (index < sorted.length && isPassed(sorted[index] ?? Number.NaN)) {
    index += 1;
  }
  return index;
};

/** The product-limit estimate of Kaplan and Meier, one step for each different value that was seen. */
const stepsOf = ({ seen, later }: CensoredValues): readonly Step[] => {
  const steps: Step[] = [];
  let [survival, variance, gone, from] = [1, 0, 0, 0];
  while (from < seen.length) {
    const value = seen[from] ?? Number.NaN;
    // What is later than a value was still watched at it.
    gone = skip(later, gone, (until) => until < value);
    const happened = Math.max(1, skip(seen, from, (other) => other === value) - from);
    const atRisk = seen.length - from + later.length - gone;
    survival *= 1 - happened / atRisk;
    variance += happened === atRisk ? Number.POSITIVE_INFINITY : happened / (atRisk * (atRisk - happened));
    steps.push({ value, survival, variance });
    from += happened;
  }
  return steps;
};

/**
 * The quantile as Kaplan and Meier estimate it: exact without censored values; infinite where it lies beyond all that was seen.
 * Right where what censors a value has nothing to do with it, such as the end of the run. `NaN` without values.
 */
export const survivalQuantile = (values: CensoredValues, fraction: number): number => {
  if (sizeOfCensored(values) === 0) {
    return Number.NaN;
  }
  if (values.later.length === 0) {
    return quantile(values.seen, fraction);
  }
  const found = stepsOf(values).find(({ survival }) => 1 - survival >= fraction - 1e-9);
  return found?.value ?? Number.POSITIVE_INFINITY;
};

/** An estimated share of values that are later than a limit, with its standard error. */
export interface SurvivalShare {
  readonly share: number;
  readonly standardError: number;
}

/**
 * The share of values later than `limit`, as Kaplan and Meier estimate it, with Greenwood's standard error. Undefined where
 * nothing was watched as long as that, so that nothing can be said.
 */
export const survivalAt = (values: CensoredValues, limit: number): SurvivalShare | undefined => {
  const { seen, later } = values;
  const longest = Math.max(seen.at(-1) ?? Number.NEGATIVE_INFINITY, later.at(-1) ?? Number.NEGATIVE_INFINITY);
  const last = stepsOf(values).findLast(({ value }) => value <= limit);
  // Where all that was watched to the end has come, nothing is left that could be later.
  if (longest < limit && (last?.survival ?? 1) > 0) {
    return undefined;
  }
  if (last === undefined) {
    return { share: 1, standardError: 0 };
  }
  const { survival, variance } = last;
  return { share: survival, standardError: survival === 0 ? 0 : survival * Math.sqrt(variance) };
};
