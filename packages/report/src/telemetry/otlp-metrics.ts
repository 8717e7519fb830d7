import { defined } from "@assay/contract";

export type AttributeValue = string | number | boolean;

/** Attributes by name. Undefined values are omitted. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const toAnyValue = (value: AttributeValue): KeyValue["value"] =>
  typeof value === "string"
    ? { stringValue: value }
    : typeof value === "boolean"
      ? { boolValue: value }
      : Number.isInteger(value)
        ? { intValue: String(value) }
        : { doubleValue: value };

const toKeyValues = (attributes: Attributes): readonly KeyValue[] =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: toAnyValue(value) }],
  );

/** The time span of a metric, in milliseconds since 1970. */
export interface MetricSpan {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/** Converts milliseconds to nanoseconds. Returns a string, because JSON numbers cannot hold them exactly. */
const toNanos = (ms: number): string => String(BigInt(Math.max(0, Math.round(ms * 1000))) * 1000n);

/** Name, description and unit of a metric. */
export interface MetricName {
  readonly name: string;
  readonly description: string;
  /** A UCUM unit such as `s` and `{rule}`. */
  readonly unit: string;
}

/** One value with its attributes. */
export interface MetricPoint {
  readonly value: number;
  readonly attributes: Attributes;
}

/** A histogram of durations, in seconds. */
export interface HistogramPoint {
  readonly attributes: Attributes;
  /** Counts by bucket. The last one counts values above all `bucketLimits`. */
  readonly counts: readonly number[];
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

/** A metric in the JSON of OTLP. */
export interface OtlpMetric extends MetricName {
  readonly gauge?: { readonly dataPoints: readonly object[] };
  readonly sum?: {
    readonly dataPoints: readonly object[];
    readonly aggregationTemporality: 2;
    readonly isMonotonic: true;
  };
  readonly histogram?: { readonly dataPoints: readonly object[]; readonly aggregationTemporality: 2 };
}

/** Upper bounds of the buckets of all histograms, in seconds, inclusive. */
export const bucketLimits: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60, 120, 300,
];

const toNumberValue = (value: number): object =>
  Number.isInteger(value) ? { asInt: String(value) } : { asDouble: value };

/** Creates a metric with values at the end of a run. */
export const createGauge = (name: MetricName, span: MetricSpan, points: readonly MetricPoint[]): OtlpMetric => ({
  ...name,
  gauge: {
    dataPoints: points.map(({ value, attributes }) => ({
      timeUnixNano: toNanos(span.endedAtMs),
      ...toNumberValue(value),
      attributes: toKeyValues(attributes),
    })),
  },
});

/** Creates a metric with counts since the start of a run. */
export const sum = (name: MetricName, span: MetricSpan, points: readonly MetricPoint[]): OtlpMetric => ({
  ...name,
  sum: {
    dataPoints: points.map(({ value, attributes }) => ({
      startTimeUnixNano: toNanos(span.startedAtMs),
      timeUnixNano: toNanos(span.endedAtMs),
      ...toNumberValue(value),
      attributes: toKeyValues(attributes),
    })),
    // Cumulative: each run has its own start time.
    aggregationTemporality: 2,
    isMonotonic: true,
  },
});

/** Creates a metric with durations since the start of a run. */
export const createHistogramMetric = (
  name: MetricName,
  span: MetricSpan,
  points: readonly HistogramPoint[],
): OtlpMetric => ({
  ...name,
  histogram: {
    dataPoints: points.map(({ attributes, counts, sum: total, min, max }) => ({
      startTimeUnixNano: toNanos(span.startedAtMs),
      timeUnixNano: toNanos(span.endedAtMs),
      count: String(counts.reduce((pointCount, count) => pointCount + count, 0)),
      sum: total,
      bucketCounts: counts.map(String),
      explicitBounds: bucketLimits,
      attributes: toKeyValues(attributes),
      min,
      max,
    })),
    aggregationTemporality: 2,
  },
});

/** Returns the index of the bucket for a time in seconds. */
export function findBucket(seconds: number): number {
  const bucket = bucketLimits.findIndex((limit) => seconds <= limit);
  return bucket === -1 ? bucketLimits.length : bucket;
}

/** Creates the histogram of durations in seconds. `seconds` must not be empty. */
export function createHistogramPoint(seconds: readonly number[], attributes: Attributes): HistogramPoint {
  const counts = Array.from({ length: bucketLimits.length + 1 }, () => 0);
  for (const value of seconds) {
    const bucket = findBucket(value);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return {
    attributes,
    counts,
    sum: seconds.reduce((total, value) => total + value, 0),
    min: Math.min(...seconds),
    max: Math.max(...seconds),
  };
}

/** The tool and resource that measured. */
export interface MetricsOrigin {
  readonly version: string;
  /** Attributes of the resource, such as `service.name`. */
  readonly resource: Attributes;
}

/** An OTLP request with metrics, in JSON. Source: OTLP 1, metrics. */
export interface OtlpRequest {
  readonly resourceMetrics: readonly object[];
}

const hasPoints = ({ gauge: gaugeData, sum: sumData, histogram: histogramData }: OtlpMetric): boolean =>
  [gaugeData, sumData, histogramData].some((data) => data !== undefined && data.dataPoints.length > 0);

/** Creates a request with these metrics. Omits metrics without points. */
export const createOtlpRequest = (
  metrics: readonly OtlpMetric[],
  { version, resource }: MetricsOrigin,
): OtlpRequest => ({
  resourceMetrics: [
    {
      resource: { attributes: toKeyValues(resource) },
      scopeMetrics: [{ scope: { name: "assay", ...defined({ version }) }, metrics: metrics.filter(hasPoints) }],
    },
  ],
});
