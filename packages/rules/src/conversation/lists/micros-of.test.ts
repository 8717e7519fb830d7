import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { microsOf } from "./micros-of.ts";

describe("a time in microseconds", () => {
  test.each([
    ["1970-01-01T00:00:00Z", 0],
    ["1970-01-01T00:00:00.000001Z", 1],
    ["1970-01-01T00:00:00.0000019Z", 1],
    ["1970-01-01T00:00:00,5Z", 500_000],
    ["1970-01-01T01:00:00+01:00", 0],
    ["1969-12-31T22:30:00-0130", 0],
    ["2024-02-29T12:00:00+00:00", Date.UTC(2024, 1, 29, 12) * 1_000],
    ["2100-03-01T00:00:00Z", Date.UTC(2100, 2, 1) * 1_000],
  ])("of %s is %d", (text, micros) => {
    expect(microsOf(text)).toBe(micros);
  });

  test.each([
    "",
    "yesterday",
    "2024-02-29",
    "2024-02-29T12:00:00",
    "1700000000",
    `2024-02-29T12:00:00.${"1".repeat(99)}Z`,
  ])("of %j is unknown", (text) => {
    expect(microsOf(text)).toBeUndefined();
  });

  test("is that of the calendar for any day", () => {
    const days = fc.date({
      min: new Date("0001-01-01T00:00:00Z"),
      max: new Date("9999-12-31T00:00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(days, (day) => {
        expect(microsOf(day.toISOString())).toBe(day.getTime() * 1_000);
      }),
    );
  });
});
