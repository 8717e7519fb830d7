import { expect, test } from "vitest";
import { formatChange, formatMs, formatShare, formatPeriod } from "./shown-number.ts";

test.each([
  [0, "0.00"],
  [0.1234, "0.12"],
  [9.994, "9.99"],
  [9.996, "10.0"],
  [12.44, "12.4"],
  [99.94, "99.9"],
  [99.96, "100"],
  [1204.4, "1,204"],
  [-3.456, "-3.46"],
  [undefined, "-"],
  [Number.POSITIVE_INFINITY, "-"],
])("%s ms: %s", (value, shown) => {
  expect(formatMs(value)).toBe(shown);
});

test.each([
  [0.0421, "+4.2 %"],
  [-0.0421, "-4.2 %"],
  [0, "±0.0 %"],
  [-0.0001, "±0.0 %"],
  [undefined, "-"],
])("a change of %s: %s", (value, shown) => {
  expect(formatChange(value)).toBe(shown);
});

test("a share keeps its significant digits", () => {
  expect([formatShare(0.05), formatShare(0.9967, 2), formatShare(undefined)]).toEqual(["5 %", "99.67 %", "-"]);
});

test.each([
  [250, "250 ms"],
  [15_000, "15 s"],
  [15_500, "15.5 s"],
  [60_000, "1 min"],
  [90_000, "90 s"],
  [3_600_000, "1 h"],
])("%i ms: %s", (ms, shown) => {
  expect(formatPeriod(ms)).toBe(shown);
});
