import { loadSides } from "@assay/contract";
import { closedObject, count, type Stored } from "@assay/reading";
import * as Type from "typebox";

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

export const SideShape = Type.Enum(loadSides);
export const PhaseShape = Type.Enum(["warmup", "measure"]);

/** Creates the shape of a list of pairs of bucket and count. */
const bucketPairsShape = (description: string) =>
  Type.Array(
    Type.Unsafe<[bucket: number, count: number]>({
      type: "array",
      prefixItems: [count(), Type.Integer({ minimum: 1 })],
      minItems: 2,
      maxItems: 2,
    }),
    { description },
  );

export const LoadHistogramShape = closedObject(
  {
    metric: Type.String({ description: "Such as `first-match`." }),
    side: SideShape,
    phase: PhaseShape,
    count: count(),
    minMicros: count("Exact. 0 if the histogram is empty."),
    maxMicros: count(),
    sumMicros: count(),
    buckets: bucketPairsShape(
      "Pairs of bucket and count, by bucket, without empty ones. Values below 256 microseconds have a bucket each. Above, each power of two has 128.",
    ),
    censored: Type.Optional(
      bucketPairsShape(
        "Likewise for requests that had not finished. Each is slower than its bucket. Absent if there are none.",
      ),
    ),
  },
  { $id: "histogram" },
);
/**
 * Counts in log-linear buckets of whole microseconds. Histograms are merged exactly by adding counts. Values below 256 have one bucket
 * each. Above, each power of two has 128 buckets, so a bucket is narrower than 0.8 % of its values: for `v` with
 * `e = floor(log2 v) - 7`, the bucket is `128 * e + (v >> e)`.
 */
export interface LoadHistogram extends Stored<typeof LoadHistogramShape> {}
