import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createHistogram } from "./create-histogram.ts";
import { histogramQuantile, histogramRankBounds, quantileRank } from "./histogram-quantile.ts";
import { bucketBounds, maxBucket, latencyBucket } from "./latency-bucket.ts";

const key = { metric: "first-match", side: "base", phase: "measure" } as const;
const micros = fc.oneof(fc.nat(600), fc.nat(60_000_000), fc.maxSafeNat());

describe("buckets", () => {
  test.each([
    [0, 0],
    [1, 1],
    [255, 255],
    [256, 256],
    [257, 256],
    [258, 257],
    [511, 383],
    [512, 384],
    [515, 384],
    [516, 385],
    [50_000, 1219],
    [2 ** 40 - 1, 4351],
    [2 ** 40, 4352],
    [Number.MAX_SAFE_INTEGER, maxBucket],
    [-3, 0],
    [1.4, 1],
  ])("%d microseconds are in bucket %d", (value, bucket) => {
    expect(latencyBucket(value)).toBe(bucket);
  });

  test("a value is within the bounds of its bucket, which differ by less than 0.8 %", () => {
    fc.assert(
      fc.property(micros, (value) => {
        const { lowMicros, highMicros } = bucketBounds(latencyBucket(value));
        expect(lowMicros <= value && value <= highMicros).toBe(true);
        expect(highMicros - lowMicros).toBeLessThan(Math.max(1, value * 0.008));
      }),
    );
  });

  test("buckets are contiguous", () => {
    const buckets = Array.from({ length: 3000 }, (_none, bucket) => bucketBounds(bucket));
    expect(buckets.slice(1).map(({ lowMicros }) => lowMicros)).toEqual(
      buckets.slice(0, -1).map(({ highMicros }) => highMicros + 1),
    );
  });
});

describe("histograms", () => {
  test("an empty histogram has zeros", () => {
    expect(createHistogram(key, [])).toEqual({
      ...key,
      count: 0,
      minMicros: 0,
      maxMicros: 0,
      sumMicros: 0,
      buckets: [],
    });
    expect(histogramQuantile(createHistogram(key, []), 0.5)).toBeUndefined();
  });

  test("a quantile is in the bucket of the exact quantile", () => {
    const quantiles = fc.constantFrom(0, 0.25, 0.5, 0.95, 0.99, 1);
    fc.assert(
      fc.property(fc.array(fc.nat(60_000_000), { minLength: 1 }), quantiles, (values, fraction) => {
        const sorted = values.toSorted((a, b) => a - b);
        const exact = sorted[quantileRank(values.length, fraction) - 1] ?? Number.NaN;
        const histogram = createHistogram(key, values);
        expect(latencyBucket(histogramQuantile(histogram, fraction) ?? -1)).toBe(latencyBucket(exact));
        const { lowMicros = 1, highMicros = 0 } =
          histogramRankBounds(histogram, quantileRank(values.length, fraction)) ?? {};
        expect(lowMicros <= exact && exact <= highMicros).toBe(true);
      }),
    );
  });

  test.each([
    [20, 0.95, 19],
    [100, 0.99, 99],
    [1, 0.5, 1],
    [2, 0.5, 1],
    [3, 0.5, 2],
    [10, 0, 1],
    [10, 1, 10],
  ])("of %d samples, the quantile %d has rank %d", (count, fraction, rank) => {
    expect(quantileRank(count, fraction)).toBe(rank);
  });

  test.each([0, 4])("three samples have no rank %d", (rank) => {
    expect(histogramRankBounds(createHistogram(key, [1, 2, 3]), rank)).toBeUndefined();
  });
});
