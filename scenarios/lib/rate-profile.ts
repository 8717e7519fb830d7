import type { LoadShape } from "@assay/results";

/** A stretch over which the arrival rate changes linearly. */
export interface RateStretch {
  readonly durationMs: number;
  /** Arrivals in 1000 seconds, since k6 accepts only whole numbers. */
  readonly from: number;
  readonly to: number;
}

/** Returns the arrivals in 1000 seconds as a whole number, at least one. */
export const wholeRate = (ratePerSecond: number): number => Math.max(1, Math.round(ratePerSecond * 1000));

const stepCount = 10;

/** Shares of the highest rate at both ends of equally long stretches. */
const rateShares: Readonly<Record<LoadShape, readonly (readonly [from: number, to: number])[]>> = {
  steady: [[1, 1]],
  soak: [[1, 1]],
  ramp: [[0.1, 1]],
  spike: [
    [0.3, 0.3],
    [1, 1],
    [0.3, 0.3],
  ],
  breakpoint: Array.from({ length: stepCount }, (_, step) => [(step + 1) / stepCount, (step + 1) / stepCount] as const),
};

/** Returns the rate of a shape over time. `ratePerSecond` is the highest rate. */
export const rateProfile = (shape: LoadShape, ratePerSecond: number, durationMs: number): readonly RateStretch[] =>
  rateShares[shape].map(([from, to], _, stretches) => ({
    durationMs: durationMs / stretches.length,
    from: wholeRate(ratePerSecond * from),
    to: wholeRate(ratePerSecond * to),
  }));

/** Reports whether the rate never changes. */
export const isSteady = (profile: readonly RateStretch[]): boolean =>
  profile.every(({ from, to }) => from === profile[0]?.from && to === from);

const arrivalsPerMs = (rate: number): number => rate / 1_000_000;

const countArrivals = ({ durationMs, from, to }: RateStretch): number =>
  (durationMs * (arrivalsPerMs(from) + arrivalsPerMs(to))) / 2;

/** Returns the number of arrivals until a time: the integral of the rate. */
export function arrivalsUntil(profile: readonly RateStretch[], atMs: number): number {
  let startMs = 0;
  let sum = 0;
  for (const stretch of profile) {
    const elapsedMs = Math.min(Math.max(atMs - startMs, 0), stretch.durationMs);
    const to = stretch.from + ((stretch.to - stretch.from) * elapsedMs) / stretch.durationMs;
    sum += countArrivals({ durationMs: elapsedMs, from: stretch.from, to });
    startMs += stretch.durationMs;
  }
  return sum;
}

/** Finds the time within a stretch at which `arrivals` have arrived: the root of a quadratic, in the form without cancellation. */
function findTimeInStretch({ durationMs, from, to }: RateStretch, arrivals: number): number {
  const startRate = arrivalsPerMs(from);
  const slope = (arrivalsPerMs(to) - startRate) / durationMs;
  const root = Math.sqrt(Math.max(0, startRate * startRate + 2 * slope * arrivals));
  return arrivals === 0 ? 0 : Math.min(durationMs, (2 * arrivals) / (startRate + root));
}

/** Returns the time of the arrival with this number: the inverse of `arrivalsUntil`. Returns the end of the profile if there are fewer. */
export function timeOfArrivals(profile: readonly RateStretch[], arrivals: number): number {
  let startMs = 0;
  let remaining = arrivals;
  for (const stretch of profile) {
    const stretchArrivals = countArrivals(stretch);
    if (remaining <= stretchArrivals) {
      return startMs + findTimeInStretch(stretch, remaining);
    }
    remaining -= stretchArrivals;
    startMs += stretch.durationMs;
  }
  return startMs;
}
