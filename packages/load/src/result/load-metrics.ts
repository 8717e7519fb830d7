import { defined } from "@assay/contract";
import {
  histogramValueAt,
  type LoadArm,
  type LoadHistogram,
  type LoadMetric,
  type LoadMetricName,
  loadMetricNames,
  orderStatisticRanks,
  type Percentile,
  quantileRank,
} from "@assay/results";

/** A percentile of fewer samples than this is not given: there would be next to none beyond it. */
export const percentileMinimum = { p50: 20, p95: 100, p99: 500 } as const;
export type PercentileName = keyof typeof percentileMinimum;

const fractions = { p50: 0.5, p95: 0.95, p99: 0.99 } as const satisfies Record<PercentileName, number>;
const confidence = 0.95;

/** Values in order, by rank from 1, in microseconds. */
type Ranked = (rank: number) => number | undefined;

const inMs = (micros: number): number => micros / 1000;

const percentileOf = (name: PercentileName, count: number, ranked: Ranked): Percentile | undefined => {
  const value = count < percentileMinimum[name] ? undefined : ranked(quantileRank(count, fractions[name]));
  if (value === undefined) {
    return undefined;
  }
  const ranks = orderStatisticRanks(count, fractions[name], confidence);
  const low = ranks && ranked(ranks.low);
  const high = ranks && ranked(ranks.high);
  return {
    value: inMs(value),
    ...(low === undefined ? {} : { low: inMs(low) }),
    ...(high === undefined ? {} : { high: inMs(high) }),
  };
};

const metricName = (name: string): LoadMetricName | undefined => loadMetricNames.find((known) => known === name);

const metricWith = (histogram: LoadHistogram, ranked: Ranked): readonly LoadMetric[] => {
  const metric = metricName(histogram.metric);
  const { arm, count, sumMicros, minMicros, maxMicros } = histogram;
  if (metric === undefined || count === 0 || histogram.phase !== "measure") {
    return [];
  }
  const p50 = percentileOf("p50", count, ranked);
  const p95 = percentileOf("p95", count, ranked);
  const p99 = percentileOf("p99", count, ranked);
  return [
    {
      metric,
      arm,
      count,
      meanMs: inMs(sumMicros / count),
      minMs: inMs(minMicros),
      maxMs: inMs(maxMicros),
      ...defined({ p50, p95, p99 }),
    },
  ];
};

/** Key of the latencies of one metric and arm. */
export const latencyKey = (metric: string, arm: LoadArm): string => `${arm} ${metric}`;

/**
 * The metrics of the measured phase, in the order of the histograms. Percentiles are nearest-rank: exact where `sorted` has the
 * latencies in microseconds by `latencyKey`, else within half a bucket. Empty histograms and unknown metrics are left out.
 */
export const loadMetricsOf = (
  histograms: readonly LoadHistogram[],
  sorted: ReadonlyMap<string, Float64Array>,
): readonly LoadMetric[] =>
  histograms.flatMap((histogram) => {
    const exact = sorted.get(latencyKey(histogram.metric, histogram.arm));
    return metricWith(
      histogram,
      exact === undefined ? (rank) => histogramValueAt(histogram, rank) : (rank) => exact[rank - 1],
    );
  });
