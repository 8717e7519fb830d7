import { repetitions } from "@assay/tools/proving";
import { createHistogram, latencyBucket } from "@assay/results";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bandConfidence, computeCdfBand, computeCdfCurve } from "./cdf-curve.ts";

const key = { metric: "first-match", side: "base", phase: "measure" } as const;

/** The probability of exactly `hits` of `count`, multiplied out. */
const binomial = (count: number, fraction: number, hits: number): number => {
  let chance = (1 - fraction) ** (count - hits);
  for (let one = 1; one <= hits; one += 1) {
    chance *= (fraction * (count - hits + one)) / one;
  }
  return chance;
};

/** The probability that fewer than `rank` of `count` samples are below the quantile. */
const fewer = (count: number, fraction: number, rank: number): number =>
  Array.from({ length: rank }, (_, hits) => binomial(count, fraction, hits)).reduce((sum, one) => sum + one, 0);

describe("the curve", () => {
  test("is the share of samples at or below each value, as counted one by one", () => {
    fc.assert(
      // Below 256 µs each value has its own bucket.
      fc.property(fc.array(fc.nat(255), { minLength: 1, maxLength: 80 }), (samples) => {
        const expected = [...new Set(samples)]
          .sort((a, b) => a - b)
          .map((micros) => ({
            micros,
            fraction: samples.filter((sample) => sample <= micros).length / samples.length,
          }));
        expect(computeCdfCurve(createHistogram(key, samples))).toEqual(expected);
      }),
    );
  });

  test.each([
    { name: "none", samples: [], points: [] },
    { name: "one", samples: [12_345], points: [{ micros: 12_345, fraction: 1 }] },
  ])("of a histogram with $name sample has as many steps", ({ samples, points }) => {
    expect(computeCdfCurve(createHistogram(key, samples))).toEqual(points);
  });
});

describe("the band", () => {
  test("has the required confidence, and a narrower band does not, by the sums of the binomial", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 120 }),
        fc.double({ min: 0.02, max: 0.98, noNaN: true }),
        (count, fraction) => {
          // The sample of rank r has the value r, so that the band shows the ranks.
          const histogram = createHistogram(
            key,
            Array.from({ length: count }, (_, index) => index + 1),
          );
          const tail = (1 - bandConfidence) / 2;
          const bands = computeCdfBand(histogram, [fraction]);
          const outside = bands.map(({ lowMicros, highMicros }) => [
            fewer(count, fraction, lowMicros),
            1 - fewer(count, fraction, highMicros),
          ]);
          expect(outside.flat().every((chance) => chance <= tail + 1e-9)).toBe(true);
          const narrower = bands.map(({ lowMicros, highMicros }) => [
            fewer(count, fraction, lowMicros + 1),
            1 - fewer(count, fraction, highMicros - 1),
          ]);
          expect(narrower.flat().every((chance) => chance > tail - 1e-9)).toBe(true);
        },
      ),
      { numRuns: repetitions(15, 60) },
    );
  });

  test.each([
    { name: "no sample", histogram: createHistogram(key, []) },
    { name: "one sample", histogram: createHistogram(key, [5000]) },
    { name: "five samples", histogram: createHistogram(key, [1, 2, 3, 4, 5]) },
  ])("of $name is empty rather than narrow", ({ histogram }) => {
    expect(computeCdfBand(histogram, [0.01, 0.5, 0.99])).toEqual([]);
  });

  test("of ten million samples is as narrow as their buckets, and in order", () => {
    const buckets = Array.from({ length: 1000 }, (_, index) => [latencyBucket(10_000) + index, 10_000] as const);
    const histogram = { ...createHistogram(key, [10_000]), count: 10_000_000, maxMicros: 4e6, buckets };
    const band = computeCdfBand(histogram, [0.1, 0.5, 0.9, 0.999]);
    expect(band.map(({ fraction }) => fraction)).toEqual([0.1, 0.5, 0.9, 0.999]);
    expect(band.every(({ lowMicros, highMicros }) => lowMicros < highMicros && highMicros < lowMicros * 1.03)).toBe(
      true,
    );
  });
});

test("censored samples keep the distribution below 1, and leave its upper bounds open", () => {
  const histogram = createHistogram(key, [10, 20, 30, 40], [15, 200, 200, 200]);
  expect(computeCdfCurve(histogram).map(({ fraction }) => Math.round(fraction * 1000))).toEqual([125, 271, 417, 563]);
  const many = createHistogram(
    key,
    Array.from({ length: 60 }, (_none, at) => at),
    Array.from({ length: 60 }, () => 200),
  );
  expect(computeCdfBand(many, [0.2, 0.9]).map(({ fraction }) => fraction)).toEqual([0.2]);
});
