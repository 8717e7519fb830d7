import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CensoredValue,
  splitCensored,
  quantileBounds,
  rankBounds,
  countValues,
  survivalAt,
  survivalQuantile,
} from "./censored.ts";

const observed = (...values: readonly number[]): readonly CensoredValue[] =>
  values.map((value) => ({ value, isCensored: false }));
const censored = (...values: readonly number[]): readonly CensoredValue[] =>
  values.map((value) => ({ value, isCensored: true }));
const of = (...parts: readonly (readonly CensoredValue[])[]) => splitCensored(parts.flat());
const infinite = Number.POSITIVE_INFINITY;

describe("the bounds of a quantile", () => {
  test.each([
    ["of observed values are the value", of(observed(3, 1, 2)), 0.5, { low: 2, high: 2 }],
    ["allow any place above for a censored value", of(observed(1, 2, 3), censored(1)), 0.75, { low: 2, high: 3 }],
    ["have no upper end among censored values", of(observed(1, 2), censored(5, 9)), 0.95, { low: 9, high: infinite }],
    ["of censored values only", of(censored(30, 10, 20)), 0.5, { low: 20, high: infinite }],
  ])("%s", (...[, values, fraction, bounds]) => {
    expect(quantileBounds(values, fraction)).toEqual(bounds);
  });

  test("of an empty list are absent", () => {
    expect(quantileBounds(of(), 0.5)).toEqual({ low: Number.NaN, high: Number.NaN });
    expect(rankBounds(of(observed(1)), 2)).toEqual({ low: Number.NaN, high: Number.NaN });
  });
});

describe("the estimate of Kaplan and Meier", () => {
  // Freireich and others 1963, weeks of remission with 6-mercaptopurine: the example of many textbooks.
  const weeks = of(observed(6, 6, 6, 7, 10, 13, 16, 22, 23), censored(6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35));

  test.each([
    [6, 0.8571, 0.0764],
    [7, 0.8067, 0.0869],
    [10, 0.7529, 0.0963],
    [13, 0.6902, 0.1068],
    [16, 0.6275, 0.1141],
    [22, 0.5378, 0.1282],
    [23, 0.4482, 0.1346],
    [35, 0.4482, 0.1346],
  ])("of a published example after %d weeks is %d with the standard error %d", (limit, share, error) => {
    const found = survivalAt(weeks, limit);
    expect([found?.share, found?.standardError]).toEqual([expect.closeTo(share, 4), expect.closeTo(error, 4)]);
  });

  test("ends at the longest watch, and is complete before the first value", () => {
    expect([survivalAt(weeks, 36), survivalAt(of(), 1)]).toEqual([undefined, undefined]);
    expect(survivalAt(weeks, 5)).toEqual({ share: 1, standardError: 0 });
  });

  test.each([
    ["the median of the example", weeks, 0.5, 23],
    ["one that the example does not reach", weeks, 0.6, infinite],
    ["of censored values only", of(censored(5)), 0.5, infinite],
    ["of nothing", of(), 0.5, Number.NaN],
    ["when the last of them is observed", of(observed(1, 9), censored(3)), 0.99, 9],
  ])("gives a quantile: %s", (...[, values, fraction, quantile]) => {
    expect(survivalQuantile(values, fraction)).toBe(quantile);
  });
});

const someValues = fc
  .array(fc.record({ value: fc.integer({ min: 0, max: 30 }), isCensored: fc.boolean() }), {
    minLength: 1,
    maxLength: 60,
  })
  .map((values) => ({ values, sorted: splitCensored(values) }));
const someFraction = fc.constantFrom(0.5, 0.95, 0.99);

test("bounds are valid for any true values, and the Kaplan-Meier quantile is between them", () => {
  fc.assert(
    fc.property(someValues, someFraction, fc.array(fc.nat(40), { minLength: 60, maxLength: 60 }), (...given) => {
      const [{ values, sorted }, fraction, delays] = given;
      const whole = values.map(({ value, isCensored }, at) => (isCensored ? value + (delays[at] ?? 0) : value));
      const truth = quantileBounds(of(observed(...whole)), fraction).low;
      const { low, high } = quantileBounds(sorted, fraction);
      expect(countValues(sorted)).toBe(values.length);
      expect([low <= truth, truth <= high]).toEqual([true, true]);
      expect(survivalQuantile(sorted, fraction)).toBeGreaterThanOrEqual(low);
      expect(survivalQuantile(sorted, fraction)).toBeLessThanOrEqual(high);
    }),
  );
});

test("without censored values all of them are the plain quantile", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30), { minLength: 1 }), someFraction, (values, fraction) => {
      const sorted = of(observed(...values));
      const { low, high } = quantileBounds(sorted, fraction);
      expect([low, survivalQuantile(sorted, fraction)]).toEqual([high, high]);
    }),
  );
});
