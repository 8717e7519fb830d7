import fc from "fast-check";
import { expect, test } from "vitest";
import { findGrowthStart } from "./growth-start.ts";

const level = (count: number, value: number): readonly number[] => Array.from({ length: count }, () => value);
const rise = (count: number, from: number, by: number): readonly number[] =>
  Array.from({ length: count }, (_none, index) => from + (index + 1) * by);

test.each<[string, readonly number[], number | undefined]>([
  ["level and then rising", [...level(20, 3), ...rise(20, 3, 2)], 19],
  ["rising from the start", rise(30, 0, 1), 0],
  ["level all the time", level(30, 4), undefined],
  ["falling", rise(30, 100, -1), undefined],
  ["too few", [1, 2], undefined],
  ["none", [], undefined],
])("values that are %s", (_name, values, start) => {
  expect(findGrowthStart(values)).toBe(start);
});

test("a wobble moves the start by little", () => {
  const wobble = fc.array(fc.integer({ min: -1, max: 1 }), { minLength: 80, maxLength: 80 });
  fc.assert(
    fc.property(wobble, (noise) => {
      const values = [...level(40, 5), ...rise(40, 5, 2)].map((value, index) => value + (noise[index] ?? 0));
      expect(Math.abs((findGrowthStart(values) ?? 0) - 39)).toBeLessThanOrEqual(4);
    }),
  );
});
