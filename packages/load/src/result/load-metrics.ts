import { defined, type LoadSide } from "@assay/contract";
import {
  type LoadHistogram,
  type LoadMetric,
  type LoadMetricName,
  loadMetricNames,
  orderStatisticRanks,
  percentileMinimum,
  type Percentile,
} from "@assay/results";
import {
  type CensoredValues,
  quantileBounds,
  rankBounds,
  countValues,
  survivalQuantile,
} from "../statistics/censored.ts";

export type PercentileName = keyof typeof percentileMinimum;

const fractions = { p50: 0.5, p95: 0.95, p99: 0.99 } as const satisfies Record<PercentileName, number>;
const confidence = 0.95;

const toMs = (micros: number): number => micros / 1000;

const toBoundMember = (name: "low" | "high", micros: number | undefined): Partial<Record<typeof name, number>> =>
  micros === undefined || !Number.isFinite(micros) ? {} : { [name]: toMs(micros) };

const estimatePercentile = (name: PercentileName, values: CensoredValues): Percentile | undefined => {
  const count = countValues(values);
  if (count < percentileMinimum[name]) {
    return undefined;
  }
  const fraction = fractions[name];
  const micros = survivalQuantile(values, fraction);
  const ranks = orderStatisticRanks(count, fraction, confidence);
  return {
    ...(Number.isFinite(micros)
      ? { value: toMs(micros) }
      : { value: toMs(quantileBounds(values, fraction).low), isCensored: true }),
    ...toBoundMember("low", ranks && rankBounds(values, ranks.low).low),
    ...toBoundMember("high", ranks && rankBounds(values, ranks.high).high),
  };
};

const findMetricName = (name: string): LoadMetricName | undefined => loadMetricNames.find((known) => known === name);

/** Computes the mean, minimum and maximum of the observed values, or of the lower bounds if none was observed. */
const summarizeValues = ({ count, sumMicros, minMicros, maxMicros }: LoadHistogram, { censored }: CensoredValues) =>
  count > 0
    ? { meanMs: toMs(sumMicros / count), minMs: toMs(minMicros), maxMs: toMs(maxMicros) }
    : {
        meanMs: toMs(censored.reduce((sum, value) => sum + value, 0) / censored.length),
        minMs: toMs(censored[0] ?? 0),
        maxMs: toMs(censored.at(-1) ?? 0),
      };

const buildMetric = (histogram: LoadHistogram, values: CensoredValues): readonly LoadMetric[] => {
  const metric = findMetricName(histogram.metric);
  const { side, count } = histogram;
  if (metric === undefined || countValues(values) === 0 || histogram.phase !== "measure") {
    return [];
  }
  const p50 = estimatePercentile("p50", values);
  const p95 = estimatePercentile("p95", values);
  const p99 = estimatePercentile("p99", values);
  const { length: censoredCount } = values.censored;
  return [
    {
      metric,
      side,
      count,
      ...summarizeValues(histogram, values),
      ...(censoredCount === 0
        ? {}
        : { censored: { count: censoredCount, longestMs: toMs(values.censored.at(-1) ?? 0) } }),
      ...defined({ p50, p95, p99 }),
    },
  ];
};

/** Returns the key of the latencies of one metric and side. */
export const createLatencyKey = (metric: string, side: LoadSide): string => `${side} ${metric}`;

/** Latencies in microseconds by `createLatencyKey`, including censored ones. */
export type LoadLatencies = ReadonlyMap<string, CensoredValues>;

/**
 * Builds the metrics of the measured phase, in the order of the histograms. Percentiles are nearest-rank, or
 * Kaplan-Meier if there are censored values. Omits histograms without latencies and unknown metrics.
 */
export const buildMetrics = (histograms: readonly LoadHistogram[], latencies: LoadLatencies): readonly LoadMetric[] =>
  histograms.flatMap((histogram) => {
    const values = latencies.get(createLatencyKey(histogram.metric, histogram.side));
    return values === undefined ? [] : buildMetric(histogram, values);
  });
