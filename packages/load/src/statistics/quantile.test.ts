import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { median, quantile, quantileInterval } from "./quantile.ts";

const upTo = (count: number): Float64Array => Float64Array.from({ length: count }, (_, index) => index + 1);

describe("quantile", () => {
  test.each([
    { name: "a single value is every quantile", values: upTo(1), fraction: 0.99, expected: 1 },
    {
      name: "the 95th percentile of 20 values is the 19th, though 0.95 times 20 rounds up",
      values: upTo(20),
      fraction: 0.95,
      expected: 19,
    },
    { name: "the 99th percentile of 200 values is the 198th", values: upTo(200), fraction: 0.99, expected: 198 },
    { name: "the quantile of 0 is the smallest", values: upTo(5), fraction: 0, expected: 1 },
    { name: "the quantile of 1 is the largest", values: upTo(5), fraction: 1, expected: 5 },
    { name: "no values have no quantile", values: upTo(0), fraction: 0.5, expected: Number.NaN },
  ])("$name", ({ values, fraction, expected }) => {
    expect(quantile(values, fraction)).toBe(expected);
  });

  test("at least the wanted share is at or below it, and less than that share is below it", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true }), { minLength: 1 }),
        fc.integer({ min: 1, max: 100 }),
        (values, percent) => {
          const found = quantile(Float64Array.from(values).sort(), percent / 100);
          const below = values.filter((value) => value < found).length;
          const notAbove = values.filter((value) => value <= found).length;
          expect(notAbove * 100).toBeGreaterThanOrEqual(percent * values.length);
          expect(below * 100).toBeLessThan(percent * values.length);
        },
      ),
    );
  });
});

test.each([
  { name: "of an odd number is the middle one", values: [1, 5, 9], expected: 5 },
  { name: "of an even number is the mean of two", values: [1, 5, 9, 11], expected: 7 },
  { name: "of an empty list is not a number", values: [], expected: Number.NaN },
])("the median $name", ({ values, expected }) => {
  expect(median(Float64Array.from(values))).toBe(expected);
});

describe("interval of a quantile", () => {
  /** Chance of at most `hits` in `count` fair tries of chance `fraction`, by the definition. */
  const atMost = (count: number, fraction: number, hits: number): number => {
    let sum = 0;
    let choose = 1;
    for (let k = 0; k <= hits; k += 1) {
      sum += choose * fraction ** k * (1 - fraction) ** (count - k);
      choose = (choose * (count - k)) / (k + 1);
    }
    return sum;
  };

  test("holds the promised confidence and cannot be narrower at either end", () => {
    const cases = Array.from({ length: 60 }, (_, index) => index + 8).flatMap((count) =>
      [0.3, 0.5, 0.8].map((fraction) => ({ count, fraction })),
    );
    const found = cases.flatMap(({ count, fraction }) => {
      const interval = quantileInterval(upTo(count), fraction, 0.9);
      return interval ? [{ count, fraction, ...interval }] : [];
    });
    expect(found.length).toBeGreaterThan(100);
    for (const { count, fraction, low, high } of found) {
      expect(atMost(count, fraction, low - 1)).toBeLessThanOrEqual(0.05 + 1e-12);
      expect(atMost(count, fraction, low)).toBeGreaterThan(0.05 - 1e-12);
      expect(1 - atMost(count, fraction, high - 1)).toBeLessThanOrEqual(0.05 + 1e-12);
      expect(1 - atMost(count, fraction, high - 2)).toBeGreaterThan(0.05 - 1e-12);
    }
  });

  test.each([
    { fraction: 0.99, minCount: 528 },
    { fraction: 0.95, minCount: 104 },
  ])("of 99 % for the quantile $fraction needs $minCount values", ({ fraction, minCount }) => {
    expect(quantileInterval(upTo(minCount - 1), fraction, 0.99)).toBeUndefined();
    expect(quantileInterval(upTo(minCount), fraction, 0.99)).toBeDefined();
  });
});
