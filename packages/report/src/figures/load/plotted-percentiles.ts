import {
  histogramQuantile,
  histogramRankBounds,
  type LoadHistogram,
  type LoadMetric,
  orderStatisticRanks,
  type Percentile,
} from "@assay/results";
import { bandConfidence } from "./cdf-curve.ts";

/** Percentiles marked in figures. `minCount` leaves five samples beyond the percentile, or twenty in all for the median. */
export const markedPercentiles = [
  { name: "p50", fraction: 0.5, minCount: 20 },
  { name: "p90", fraction: 0.9, minCount: 50 },
  { name: "p95", fraction: 0.95, minCount: 100 },
  { name: "p99", fraction: 0.99, minCount: 500 },
  { name: "p99.9", fraction: 0.999, minCount: 5000 },
] as const;
export type MarkedPercentile = (typeof markedPercentiles)[number]["name"];

/** A percentile to plot, in milliseconds. */
export interface PlottedPercentile extends Percentile {
  readonly name: MarkedPercentile;
  readonly fraction: number;
  /** True if the value is from the result. Otherwise it is from the histogram and up to 0.4 % off. */
  readonly isExact: boolean;
}

const toMs = (micros: number): number => micros / 1000;

const computePercentile = (histogram: LoadHistogram, fraction: number): Percentile | undefined => {
  const value = histogramQuantile(histogram, fraction);
  const ranks = orderStatisticRanks(histogram.count, fraction, bandConfidence);
  const low = ranks && histogramRankBounds(histogram, ranks.low);
  const high = ranks && histogramRankBounds(histogram, ranks.high);
  return value === undefined
    ? undefined
    : {
        value: toMs(value),
        ...(low && high ? { low: toMs(low.lowMicros), high: toMs(high.highMicros) } : {}),
      };
};

/** Returns the percentiles of the result, completed from its histogram. Omits those with too few samples. */
export const selectPlottedPercentiles = (
  histogram: LoadHistogram,
  metric: LoadMetric | undefined,
): readonly PlottedPercentile[] =>
  markedPercentiles.flatMap(({ name, fraction, minCount }) => {
    const isStored = name === "p50" || name === "p95" || name === "p99";
    const storedPercentile = isStored ? metric?.[name] : undefined;
    const isReadable = !isStored && histogram.count >= minCount && histogram.censored === undefined;
    const percentile = storedPercentile ?? (isReadable ? computePercentile(histogram, fraction) : undefined);
    return percentile === undefined ? [] : [{ ...percentile, name, fraction, isExact: storedPercentile !== undefined }];
  });
