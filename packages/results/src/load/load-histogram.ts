/**
 * Counts in log-linear buckets of whole microseconds; adding counts merges histograms exactly. Values below 256 have a bucket
 * each; above, each power of two has 128 buckets, so a bucket is narrower than 0.8 % of its values: for `v` with
 * `e = floor(log2 v) - 7`, the bucket is `128 * e + (v >> e)`.
 */
export interface LoadHistogram {
  /** Such as `first-match`. */
  readonly metric: string;
  readonly arm: "a" | "b";
  readonly phase: "warmup" | "measure";
  readonly count: number;
  /** Exact; 0 when empty. */
  readonly minMicros: number;
  readonly maxMicros: number;
  readonly sumMicros: number;
  /** Pairs of bucket and count, by bucket, without empty ones. */
  readonly buckets: readonly (readonly [bucket: number, count: number])[];
  /** Likewise, of those that had not come when nobody watched any more: each is later than its bucket. Absent without any. */
  readonly later?: readonly (readonly [bucket: number, count: number])[];
}

/**
 * What is timed. Streams: `headers`, `first-event`, `first-match`, `stream` (the end). Calls: `create`, `poll`, `delete`.
 * Conversations: `terminal-lower` and `terminal-upper`, the two ends of the bracket in which a conversation ended.
 * `start-lag`: from the planned to the real sending. All but `start-lag` count from the planned sending.
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
