import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maxExactDifferences, hodgesLehmann, signedRankPValue } from "./signed-rank.ts";

/** Sums of positive ranks over all choices of signs, counted one by one. */
const allSums = (count: number): readonly number[] =>
  Array.from({ length: 2 ** count }, (_choice, signs) =>
    Array.from({ length: count }, (_, bit) => ((signs >> bit) & 1) * (bit + 1)).reduce((sum, rank) => sum + rank, 0),
  );

const differences = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 1, maxLength: 25 });

describe("signed-rank interval", () => {
  test.each([4, 7, 9, 12].flatMap((count) => [0.7, 0.9, 0.99].map((confidence) => ({ count, confidence }))))(
    "of $count values and $confidence leaves out as many means as all choices of signs allow",
    ({ count, confidence }) => {
      const sums = allSums(count);
      const tail = (1 - confidence) / 2;
      // Powers of two: every mean of two differs, and the rank of a mean can be read off.
      const values = Array.from({ length: count }, (_, index) => 2 ** index);
      const means = values
        .flatMap((one, index) => values.slice(index).map((other) => (one + other) / 2))
        .toSorted((a, b) => a - b);
      const skipped = Array.from({ length: means.length }, (_, sum) => sum).filter(
        (sum) => sums.filter((seen) => seen <= sum).length / sums.length <= tail,
      ).length;
      const { low, high } = hodgesLehmann(values, confidence);
      expect(low).toBe(skipped === 0 ? -Infinity : means[skipped - 1]);
      expect(high).toBe(skipped === 0 ? Infinity : means.at(-skipped));
    },
  );

  test("covers the middle in as many samples as promised, over all signs of fixed sizes", () => {
    const sizes = [0.3, 1.1, 1.7, 2.9, 4.2, 5.5, 7.1, 8.8, 9.9];
    const covered = Array.from({ length: 2 ** sizes.length }, (_, signs) => {
      const { low, high } = hodgesLehmann(
        sizes.map((size, bit) => ((signs >> bit) & 1 ? size : -size)),
        0.95,
      );
      return low <= 0 && 0 <= high;
    });
    const share = covered.filter(Boolean).length / covered.length;
    expect(share).toBeGreaterThanOrEqual(0.95);
    expect(share).toBeLessThan(0.97);
  });

  test("with ties and zeros covers at least as often as promised", () => {
    const sizes = [0, 0, 1, 1, 1, 2, 2, 3, 3, 3];
    const covered = Array.from({ length: 2 ** sizes.length }, (_, signs) => {
      const { low, high } = hodgesLehmann(
        sizes.map((size, bit) => ((signs >> bit) & 1 ? size : -size)),
        0.9,
      );
      return low <= 0 && 0 <= high;
    });
    expect(covered.filter(Boolean).length / covered.length).toBeGreaterThanOrEqual(0.9);
  });

  test("just above the exact limit leaves out nearly as many as exact counting does just below", () => {
    const skippedShare = (count: number): number => {
      const values = Array.from({ length: count }, (_, index) => 3 ** (index / 4));
      const { low } = hodgesLehmann(values, 0.99);
      const means = values.flatMap((one, index) => values.slice(index).map((other) => (one + other) / 2));
      return means.filter((mean) => mean < low).length / means.length;
    };
    expect(skippedShare(maxExactDifferences + 1) - skippedShare(maxExactDifferences)).toBeLessThan(0.006);
    expect(skippedShare(maxExactDifferences + 1) - skippedShare(maxExactDifferences)).toBeGreaterThan(-0.002);
  });

  test("moves with a shift of all values, turns with their signs, and encloses the estimate", () => {
    fc.assert(
      fc.property(differences, fc.integer({ min: -8, max: 8 }), (values, shift) => {
        const interval = hodgesLehmann(values, 0.9);
        const shifted = hodgesLehmann(
          values.map((value) => value + shift),
          0.9,
        );
        const turned = hodgesLehmann(
          values.map((value) => -value),
          0.9,
        );
        expect(shifted.estimate).toBeCloseTo(interval.estimate + shift, 9);
        expect(shifted.low).toBeCloseTo(interval.low + shift, 9);
        expect(turned.low).toBeCloseTo(-interval.high, 9);
        expect(interval.low).toBeLessThanOrEqual(interval.estimate);
        expect(interval.high).toBeGreaterThanOrEqual(interval.estimate);
      }),
    );
  });

  test("of no values has no estimate and no ends", () => {
    expect(hodgesLehmann([], 0.99)).toEqual({ estimate: Number.NaN, low: -Infinity, high: Infinity });
  });
});

describe("signed-rank p-value", () => {
  test.each([3, 6, 10])("of %i values equals the share of all choices of signs that are as extreme", (count) => {
    const sums = allSums(count);
    const largest = (count * (count + 1)) / 2;
    const expected = Array.from({ length: 2 ** count }, (_choice, signs) => {
      const values = Array.from({ length: count }, (_, bit) => ((signs >> bit) & 1 ? bit + 1 : -bit - 1));
      const seen = sums[signs] ?? 0;
      const smaller = Math.min(seen, largest - seen);
      return { values, pValue: Math.min(1, (2 * sums.filter((sum) => sum <= smaller).length) / sums.length) };
    });
    for (const { values, pValue } of expected) {
      expect(signedRankPValue(values)).toBeCloseTo(pValue, 12);
    }
  });

  test.each([
    { name: "nothing", values: [] },
    { name: "zeros", values: [0, 0, 0] },
    { name: "balanced ties", values: [1, -1, 1, -1] },
  ])("$name is no evidence", ({ values }) => {
    expect(signedRankPValue(values)).toBe(1);
  });

  test("is small for many values above zero, with ties or without", () => {
    expect(signedRankPValue(Array.from({ length: 40 }, () => 1))).toBeLessThan(1e-6);
    expect(signedRankPValue(Array.from({ length: 80 }, (_, index) => index + 1))).toBeLessThan(1e-12);
  });

  test("agrees with the interval: zero lies outside exactly when the p-value is small", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 10_000 }), { minLength: 6, maxLength: 20 }),
        fc.nat(),
        (sizes, signs) => {
          const values = sizes.map((size, bit) => ((signs >> bit) & 1 ? size : -size));
          const { low, high } = hodgesLehmann(values, 0.95);
          expect(low > 0 || high < 0).toBe(signedRankPValue(values) <= 0.05);
        },
      ),
    );
  });
});
