import { defined } from "@assay/contract";

export type AttributeValue = string | number | boolean;

/** Attributes by name; undefined values are left out. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const valueOf = (value: AttributeValue): KeyValue["value"] =>
  typeof value === "string"
    ? { stringValue: value }
    : typeof value === "boolean"
      ? { boolValue: value }
      : Number.isInteger(value)
        ? { intValue: String(value) }
        : { doubleValue: value };

const keyValues = (attributes: Attributes): readonly KeyValue[] =>
  Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: valueOf(value) }]));

/** The time span of a metric, in milliseconds since 1970. */
export interface MetricSpan {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/** Milliseconds as nanoseconds; a string, because JSON numbers cannot hold them exactly. */
const nanos = (ms: number): string => String(BigInt(Math.max(0, Math.round(ms * 1000))) * 1000n);

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
  /** Counts of the buckets of `bucketLimits`; one more than there are limits. */
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

const numberOf = (value: number): object => (Number.isInteger(value) ? { asInt: String(value) } : { asDouble: value });

/** A value at the end of a run. */
export const gauge = (name: MetricName, span: MetricSpan, points: readonly MetricPoint[]): OtlpMetric => ({
  ...name,
  gauge: {
    dataPoints: points.map(({ value, attributes }) => ({
      timeUnixNano: nanos(span.endedAtMs),
      ...numberOf(value),
      attributes: keyValues(attributes),
    })),
  },
});

/** A count since a run began. */
export const sum = (name: MetricName, span: MetricSpan, points: readonly MetricPoint[]): OtlpMetric => ({
  ...name,
  sum: {
    dataPoints: points.map(({ value, attributes }) => ({
      startTimeUnixNano: nanos(span.startedAtMs),
      timeUnixNano: nanos(span.endedAtMs),
      ...numberOf(value),
      attributes: keyValues(attributes),
    })),
    // Cumulative: each run has its own start time.
    aggregationTemporality: 2,
    isMonotonic: true,
  },
});

/** Durations since a run began. */
export const histogram = (name: MetricName, span: MetricSpan, points: readonly HistogramPoint[]): OtlpMetric => ({
  ...name,
  histogram: {
    dataPoints: points.map(({ attributes, counts, sum: total, min, max }) => ({
      startTimeUnixNano: nanos(span.startedAtMs),
      timeUnixNano: nanos(span.endedAtMs),
      count: String(counts.reduce((all, count) => all + count, 0)),
      sum: total,
      bucketCounts: counts.map(String),
      explicitBounds: bucketLimits,
      attributes: keyValues(attributes),
      min,
      max,
    })),
    aggregationTemporality: 2,
  },
});

/** The bucket of a time in seconds. */
export function bucketOf(seconds: number): number {
  const bucket = bucketLimits.findIndex((limit) => seconds <= limit);
  return bucket === -1 ? bucketLimits.length : bucket;
}

/** The histogram of durations in seconds; at least one. */
export function histogramPoint(seconds: readonly number[], attributes: Attributes): HistogramPoint {
  const counts = Array.from({ length: bucketLimits.length + 1 }, () => 0);
  for (const value of seconds) {
    const bucket = bucketOf(value);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return {
    attributes,
    counts,
    sum: seconds.reduce((all, value) => all + value, 0),
    min: Math.min(...seconds),
    max: Math.max(...seconds),
  };
}

/** The resource of the protocol: who measured. */
export interface MetricsOrigin {
  readonly version: string;
  /** Attributes of the resource, such as `service.name`. */
  readonly resource: Attributes;
}

/** An OTLP request with metrics, in JSON. Source: OTLP 1, metrics. */
export interface OtlpRequest {
  readonly resourceMetrics: readonly object[];
}

const hasPoints = ({ gauge: now, sum: total, histogram: times }: OtlpMetric): boolean =>
  [now, total, times].some((data) => data !== undefined && data.dataPoints.length > 0);

/** The request with these metrics; metrics without points are left out. */
export const otlpRequest = (metrics: readonly OtlpMetric[], { version, resource }: MetricsOrigin): OtlpRequest => ({
  resourceMetrics: [
    {
      resource: { attributes: keyValues(resource) },
      scopeMetrics: [{ scope: { name: "assay", ...defined({ version }) }, metrics: metrics.filter(hasPoints) }],
    },
  ],
});
