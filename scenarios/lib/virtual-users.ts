/** What virtual users follow from. */
export interface Demand {
  readonly ratePerSecond: number;
  readonly expectedIterationMs: number;
  readonly maxVus: number;
}

/** By so much more than on average may be at work at the same time. */
const headroom = 1.5;

/** Fewer save nothing, and would leave one of several processes without any. */
const fewest = 6;

/**
 * How many virtual users there are from the start, by Little's law: arrivals a second times seconds of each. k6 starts further
 * ones only one at a time, and drops what arrives meanwhile, so there is headroom. Never more than the limit.
 */
export const virtualUsers = ({ ratePerSecond, expectedIterationMs, maxVus }: Demand): number =>
  Math.min(maxVus, Math.max(fewest, Math.ceil(((ratePerSecond * expectedIterationMs) / 1000) * headroom)));
