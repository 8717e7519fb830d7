import {
  histogramQuantile,
  histogramRankBounds,
  type LoadHistogram,
  type LoadMetric,
  orderStatisticRanks,
  type Percentile,
} from "@assay/results";
import { bandConfidence } from "./cdf-curve.ts";

/** Percentiles that are marked, with the fewest samples that have one: five of them lie beyond it, or twenty about the middle. */
export const markedPercentiles = [
  { name: "p50", fraction: 0.5, fewest: 20 },
  { name: "p90", fraction: 0.9, fewest: 50 },
  { name: "p95", fraction: 0.95, fewest: 100 },
  { name: "p99", fraction: 0.99, fewest: 500 },
  { name: "p99.9", fraction: 0.999, fewest: 5000 },
] as const;
export type MarkedPercentile = (typeof markedPercentiles)[number]["name"];

/** A percentile as it is shown, in milliseconds. */
export interface PercentileRule extends Percentile {
  readonly name: MarkedPercentile;
  readonly fraction: number;
  /** Whether it is the value of the result; else it was read from the histogram and is up to 0.4 % off. */
  readonly isExact: boolean;
}

const inMs = (micros: number): number => micros / 1000;

const readFrom = (histogram: LoadHistogram, fraction: number): Percentile | undefined => {
  const value = histogramQuantile(histogram, fraction);
  const ranks = orderStatisticRanks(histogram.count, fraction, bandConfidence);
  const low = ranks && histogramRankBounds(histogram, ranks.low);
  const high = ranks && histogramRankBounds(histogram, ranks.high);
  return value === undefined
    ? undefined
    : {
        value: inMs(value),
        ...(low && high ? { low: inMs(low.lowMicros), high: inMs(high.highMicros) } : {}),
      };
};

/** The percentiles of the result where it has them, the others from its histogram; those that too few samples have are left out. */
export const percentileRules = (histogram: LoadHistogram, metric: LoadMetric | undefined): readonly PercentileRule[] =>
  markedPercentiles.flatMap(({ name, fraction, fewest }) => {
    const isStored = name === "p50" || name === "p95" || name === "p99";
    const stored = isStored ? metric?.[name] : undefined;
    const isReadable = !isStored && histogram.count >= fewest && histogram.later === undefined;
    const found = stored ?? (isReadable ? readFrom(histogram, fraction) : undefined);
    return found === undefined ? [] : [{ ...found, name, fraction, isExact: stored !== undefined }];
  });
