import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maxExactSampleSize, hodgesLehmannShift, mannWhitneyPValue } from "./mann-whitney.ts";

/** All ways to choose which of `count` places belong to the head. */
const choices = (count: number, chosen: number): readonly (readonly boolean[])[] =>
  Array.from({ length: 2 ** count }, (_choice, bits) =>
    Array.from({ length: count }, (_, bit) => ((bits >> bit) & 1) === 1),
  ).filter((places) => places.filter(Boolean).length === chosen);

const split = (values: readonly number[], places: readonly boolean[]) => ({
  head: values.filter((_, index) => places[index] === true),
  base: values.filter((_, index) => places[index] !== true),
});

const sides = [
  { ones: 4, others: 4 },
  { ones: 3, others: 6 },
  { ones: 6, others: 5 },
];

describe("shift of two samples", () => {
  test.each(sides.flatMap((side) => [0.8, 0.95].map((confidence) => ({ ...side, confidence }))))(
    "of $ones and $others values covers no shift in just as many divisions of the same values as $confidence allows",
    ({ ones, others, confidence }) => {
      const values = Array.from({ length: ones + others }, (_, index) => 2 ** index);
      const all = choices(ones + others, ones).map((places) => split(values, places));
      const missed = all.filter(({ base, head }) => {
        const { low, high } = hodgesLehmannShift(base, head, confidence);
        return low > 0 || high < 0;
      }).length;
      const wins = all.map(({ base, head }) => head.flatMap((one) => base.filter((other) => one > other)).length);
      const tail = (1 - confidence) / 2;
      const critical =
        wins
          .toSorted((one, other) => one - other)
          .findLast((win) => wins.filter((seen) => seen <= win).length / wins.length <= tail) ?? -1;
      expect(missed).toBe(wins.filter((win) => win <= critical).length * 2);
      expect(missed / all.length).toBeLessThanOrEqual(1 - confidence);
    },
  );

  test("with ties covers at least as often as promised", () => {
    const values = [1, 1, 2, 2, 2, 3, 3, 4, 4, 4];
    const covered = choices(10, 5).map((places) => {
      const { base, head } = split(values, places);
      const { low, high } = hodgesLehmannShift(base, head, 0.9);
      return low <= 0 && 0 <= high;
    });
    expect(covered.filter(Boolean).length / covered.length).toBeGreaterThanOrEqual(0.9);
  });

  test("is exact about a shift of all values of one side", () => {
    const anySide = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(anySide, anySide, fc.integer({ min: -8, max: 8 }), (base, head, shift) => {
        const plain = hodgesLehmannShift(base, head, 0.9);
        const moved = hodgesLehmannShift(
          base,
          head.map((value) => value + shift),
          0.9,
        );
        expect(moved.estimate).toBeCloseTo(plain.estimate + shift, 9);
        expect(moved.low).toBeCloseTo(plain.low + shift, 9);
        expect(hodgesLehmannShift(head, base, 0.9).high).toBeCloseTo(-plain.low, 9);
      }),
    );
  });

  test("one against one has no ends", () => {
    expect(hodgesLehmannShift([1], [4], 0.99)).toEqual({ estimate: 3, low: -Infinity, high: Infinity });
  });

  test("just above the exact limit is nearly as wide as just below", () => {
    const width = (count: number): number => {
      const values = Array.from({ length: count }, (_, index) => index / count);
      const { low, high } = hodgesLehmannShift(values, values, 0.99);
      return high - low;
    };
    expect(width(maxExactSampleSize + 1) / width(maxExactSampleSize)).toBeGreaterThan(0.95);
    expect(width(maxExactSampleSize + 1) / width(maxExactSampleSize)).toBeLessThan(1.02);
  });
});

describe("Mann-Whitney p-value", () => {
  test.each(sides)(
    "of $ones and $others values equals the share of divisions that are as extreme",
    ({ ones, others }) => {
      const values = Array.from({ length: ones + others }, (_, index) => index * index);
      const all = choices(ones + others, ones).map((places) => split(values, places));
      const wins = all.map(({ base, head }) => head.flatMap((one) => base.filter((other) => one > other)).length);
      for (const [index, { base, head }] of all.entries()) {
        const smaller = Math.min(wins[index] ?? 0, ones * others - (wins[index] ?? 0));
        const expected = Math.min(1, (2 * wins.filter((win) => win <= smaller).length) / all.length);
        expect(mannWhitneyPValue(base, head)).toBeCloseTo(expected, 12);
      }
    },
  );

  test.each([
    { name: "an empty side", base: [], head: [1, 2] },
    { name: "equal values", base: [0, 0, 0], head: [0, 0, 0] },
    { name: "the same values", base: [1, 2, 3, 4], head: [1, 2, 3, 4] },
  ])("$name is no evidence", ({ base, head }) => {
    expect(mannWhitneyPValue(base, head)).toBe(1);
  });

  test("corrects the variance for ties", () => {
    // Rank sum 130 of the head, so 75 of 100 pairs; variance 100 / 12 * (21 - 3480 / 380); 24.5 less than the middle, corrected.
    const zeros = [0, 0, 0, 0, 0];
    expect(
      mannWhitneyPValue(
        [...zeros, ...zeros],
        [...zeros, 1, 2, 3, 4, 5].map((value) => Math.min(1, value)),
      ),
    ).toBeCloseTo(0.01365, 4);
  });

  test("detects ten runs with failures next to ten without", () => {
    const none = Array.from({ length: 10 }, () => 0);
    expect(
      mannWhitneyPValue(
        none,
        none.map((_, index) => 0.01 * (index + 1)),
      ),
    ).toBeLessThan(0.001);
  });
});
