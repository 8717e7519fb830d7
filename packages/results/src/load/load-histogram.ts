import type { LoadSide } from "@assay/contract";
/**
 * Counts in log-linear buckets of whole microseconds. Histograms are merged exactly by adding counts. Values below 256 have one bucket
 * each. Above, each power of two has 128 buckets, so a bucket is narrower than 0.8 % of its values: for `v` with
 * `e = floor(log2 v) - 7`, the bucket is `128 * e + (v >> e)`.
 */
export interface LoadHistogram {
  /** Such as `first-match`. */
  readonly metric: string;
  readonly side: LoadSide;
  readonly phase: "warmup" | "measure";
  readonly count: number;
  /** Exact; 0 if empty. */
  readonly minMicros: number;
  readonly maxMicros: number;
  readonly sumMicros: number;
  /** Pairs of bucket and count, by bucket, without empty ones. */
  readonly buckets: readonly (readonly [bucket: number, count: number])[];
  /** Likewise for censored times: requests that had not finished. Each is slower than its bucket. Absent if there are none. */
  readonly censored?: readonly (readonly [bucket: number, count: number])[];
}

/**
 * The timed metrics. Streams: `headers`, `first-event`, `first-match`, `stream` (the end). Calls: `create`, `poll`, `delete`.
 * Conversations: `terminal-lower` and `terminal-upper`, the two bounds of the end of a conversation. `start-lag`: from the planned to the
 * real sending. All but `start-lag` start at the planned sending.
 */
export const loadMetricNames = [
  "headers",
  "first-event",
  "first-match",
  "stream",
  "create",
  "poll",
  "delete",
  "terminal-lower",
  "terminal-upper",
  "start-lag",
] as const;
export type LoadMetricName = (typeof loadMetricNames)[number];
