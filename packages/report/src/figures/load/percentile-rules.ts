import {
  histogramQuantile,
  histogramRankBounds,
  type LoadHistogram,
  type LoadMetric,
  orderStatisticRanks,
  type Percentile,
} from "@assay/results";
import { bandConfidence } from "./cdf-curve.ts";

/** Marked percentiles with their minimum number of samples: five beyond it, or twenty about the middle. */
export const markedPercentiles = [
  { name: "p50", fraction: 0.5, minCount: 20 },
  { name: "p90", fraction: 0.9, minCount: 50 },
  { name: "p95", fraction: 0.95, minCount: 100 },
  { name: "p99", fraction: 0.99, minCount: 500 },
  { name: "p99.9", fraction: 0.999, minCount: 5000 },
] as const;
export type MarkedPercentile = (typeof markedPercentiles)[number]["name"];

/** A shown percentile, in milliseconds. */
export interface PercentileRule extends Percentile {
  readonly name: MarkedPercentile;
  readonly fraction: number;
  /** True for a value of the result. Otherwise it is from the histogram and up to 0.4 % off. */
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

/** The percentiles of the result, completed from its histogram, without those that have too few samples. */
export const percentileRules = (histogram: LoadHistogram, metric: LoadMetric | undefined): readonly PercentileRule[] =>
  markedPercentiles.flatMap(({ name, fraction, minCount }) => {
    const isStored = name === "p50" || name === "p95" || name === "p99";
    const stored = isStored ? metric?.[name] : undefined;
    const isReadable = !isStored && histogram.count >= minCount && histogram.censored === undefined;
    const found = stored ?? (isReadable ? readFrom(histogram, fraction) : undefined);
    return found === undefined ? [] : [{ ...found, name, fraction, isExact: stored !== undefined }];
  });
