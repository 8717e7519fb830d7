import fc from "fast-check";
import { expect, test } from "vitest";
import { maxExactPoints, theilSen } from "./theil-sen.ts";

const permutations = (values: readonly number[]): readonly (readonly number[])[] =>
  values.length < 2
    ? [values]
    : values.flatMap((first, index) => permutations(values.toSpliced(index, 1)).map((rest) => [first, ...rest]));

test("one wild value does not move the slope", () => {
  const points = Array.from({ length: 11 }, (_, x) => ({ x, y: 3 * x + 1 }));
  expect(theilSen(points.with(5, { x: 5, y: 1e6 }), 0.95).estimate).toBe(3);
});

test.each([5, 6, 7])(
  "over all orders of %i values the interval misses a flat line as rarely as promised, and no rarer than it must",
  (count) => {
    // Powers of two, so that no slope is met twice.
    const all = permutations(Array.from({ length: count }, (_, index) => 2 ** index));
    const missed = all.filter((order) => {
      const { low, high } = theilSen(
        order.map((y, x) => ({ x, y })),
        0.8,
      );
      return low > 0 || high < 0;
    }).length;
    const inversions = all.map(
      (order) => order.flatMap((one, index) => order.slice(index + 1).filter((other) => other < one)).length,
    );
    const critical =
      inversions
        .toSorted((one, other) => one - other)
        .findLast((seen) => inversions.filter((other) => other <= seen).length / all.length <= 0.1) ?? -1;
    expect(critical).toBeGreaterThanOrEqual(0);
    expect(missed).toBe(2 * inversions.filter((seen) => seen <= critical).length);
  },
);

test("a line added to the points is added to the slope and its interval", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -9, max: 9, noNaN: true }), { minLength: 3, maxLength: 20 }),
      fc.integer({ min: -5, max: 5 }),
      (values, slope) => {
        const plain = theilSen(
          values.map((y, x) => ({ x, y })),
          0.9,
        );
        const tilted = theilSen(
          values.map((y, x) => ({ x, y: y + slope * x })),
          0.9,
        );
        expect(tilted.estimate).toBeCloseTo(plain.estimate + slope, 9);
        expect(tilted.low).toBeCloseTo(plain.low + slope, 9);
      },
    ),
  );
});

test("beyond the exact limit, and with two values at one place, a flat line is covered and a steep one is not", () => {
  const places = Array.from({ length: maxExactPoints * 2 }, (_, index) => index >> 1);
  const flat = theilSen(
    places.map((x, index) => ({ x, y: (index * 37) % 101 })),
    0.99,
  );
  expect(flat.low).toBeLessThan(0);
  expect(flat.high).toBeGreaterThan(0);
  const steep = theilSen(
    places.map((x, index) => ({ x, y: 5 * x + ((index * 37) % 101) })),
    0.99,
  );
  expect(steep.low).toBeGreaterThan(0);
});

test.each([
  { name: "no point", points: [] },
  { name: "one point", points: [{ x: 1, y: 1 }] },
  {
    name: "points at one place",
    points: [
      { x: 1, y: 1 },
      { x: 1, y: 2 },
    ],
  },
])("$name has no slope", ({ points }) => {
  expect(theilSen(points, 0.95)).toEqual({ estimate: Number.NaN, low: -Infinity, high: Infinity });
});
