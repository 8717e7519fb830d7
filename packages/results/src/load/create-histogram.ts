import type { LoadHistogram } from "./load-histogram.ts";
import { latencyBucket } from "./latency-bucket.ts";

/** Identifies a histogram within a run. Only histograms with equal keys are added. */
export type HistogramKey = Pick<LoadHistogram, "metric" | "side" | "phase">;

/** Converts counts to pairs of bucket and count, sorted by bucket. Omits empty buckets. */
export const toBucketPairs = (counts: ReadonlyMap<number, number>): LoadHistogram["buckets"] =>
  [...counts].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);

const countBuckets = (micros: Iterable<number>): LoadHistogram["buckets"] => {
  const counts = new Map<number, number>();
  for (const value of micros) {
    const bucket = latencyBucket(value);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  return toBucketPairs(counts);
};

/**
 * Creates the histogram of latencies in microseconds, in any order. Rounds them to whole microseconds, negative ones to 0. `censoredMicros`
 * contains the times for which unfinished requests were observed.
 */
export const createHistogram = (
  key: HistogramKey,
  latenciesMicros: Iterable<number>,
  censoredMicros: Iterable<number> = [],
): LoadHistogram => {
  const counts = new Map<number, number>();
  let count = 0;
  let sumMicros = 0;
  let minMicros = Number.POSITIVE_INFINITY;
  let maxMicros = 0;
  for (const latency of latenciesMicros) {
    const micros = Math.max(0, Math.round(latency));
    const bucket = latencyBucket(micros);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
    count += 1;
    sumMicros += micros;
    minMicros = Math.min(minMicros, micros);
    maxMicros = Math.max(maxMicros, micros);
  }
  const { metric, side, phase } = key;
  const censored = countBuckets(censoredMicros);
  return {
    metric,
    side,
    phase,
    count,
    minMicros: count === 0 ? 0 : minMicros,
    maxMicros,
    sumMicros,
    buckets: toBucketPairs(counts),
    ...(censored.length === 0 ? {} : { censored }),
  };
};
