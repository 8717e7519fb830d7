import type { LoadShape } from "@assay/results";

/** A stretch over which the arrival rate changes linearly. */
export interface RateStretch {
  readonly durationMs: number;
  /** Arrivals in 1000 seconds, since k6 accepts only whole numbers. */
  readonly from: number;
  readonly to: number;
}

/** Arrivals in 1000 seconds as a whole number, at least one. */
export const wholeRate = (ratePerSecond: number): number => Math.max(1, Math.round(ratePerSecond * 1000));

const steps = 10;

/** Shares of the highest rate at both ends of equally long stretches. */
const shares: Readonly<Record<LoadShape, readonly (readonly [from: number, to: number])[]>> = {
  steady: [[1, 1]],
  soak: [[1, 1]],
  ramp: [[0.1, 1]],
  spike: [
    [0.3, 0.3],
    [1, 1],
    [0.3, 0.3],
  ],
  breakpoint: Array.from({ length: steps }, (_, step) => [(step + 1) / steps, (step + 1) / steps] as const),
};

/** The rate of a shape over time. `ratePerSecond` is the highest rate. */
export const rateProfile = (shape: LoadShape, ratePerSecond: number, durationMs: number): readonly RateStretch[] =>
  shares[shape].map(([from, to], _, all) => ({
    durationMs: durationMs / all.length,
    from: wholeRate(ratePerSecond * from),
    to: wholeRate(ratePerSecond * to),
  }));

/** Reports whether the rate never changes. */
export const isSteady = (profile: readonly RateStretch[]): boolean =>
  profile.every(({ from, to }) => from === profile[0]?.from && to === from);

const perMs = (rate: number): number => rate / 1_000_000;

const countArrivals = ({ durationMs, from, to }: RateStretch): number => (durationMs * (perMs(from) + perMs(to))) / 2;

/** Number of arrivals until a time: the integral of the rate. */
export function arrivalsUntil(profile: readonly RateStretch[], atMs: number): number {
  let startMs = 0;
  let sum = 0;
  for (const stretch of profile) {
    const insideMs = Math.min(Math.max(atMs - startMs, 0), stretch.durationMs);
    const to = stretch.from + ((stretch.to - stretch.from) * insideMs) / stretch.durationMs;
    sum += countArrivals({ durationMs: insideMs, from: stretch.from, to });
    startMs += stretch.durationMs;
  }
  return sum;
}

/** Time inside a stretch after which `arrivals` have arrived: the root of a quadratic, in the form without cancellation. */
function timeInside({ durationMs, from, to }: RateStretch, arrivals: number): number {
  const start = perMs(from);
  const slope = (perMs(to) - start) / durationMs;
  const root = Math.sqrt(Math.max(0, start * start + 2 * slope * arrivals));
  return arrivals === 0 ? 0 : Math.min(durationMs, (2 * arrivals) / (start + root));
}

/** Time of the given number of arrivals: the inverse of `arrivalsUntil`. Returns the end of the profile if there are fewer. */
export function timeOfArrivals(profile: readonly RateStretch[], arrivals: number): number {
  let startMs = 0;
  let remaining = arrivals;
  for (const stretch of profile) {
    const area = countArrivals(stretch);
    if (remaining <= area) {
      return startMs + timeInside(stretch, remaining);
    }
    remaining -= area;
    startMs += stretch.durationMs;
  }
  return startMs;
}
