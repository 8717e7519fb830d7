import { describe, expect, test } from "vitest";
import { createTimeScale } from "./time-scale.ts";

describe("a time scale", () => {
  test.each([
    { name: "microseconds", end: 800, unit: "µs", texts: ["0", "100", "800"] },
    { name: "milliseconds", end: 120_000, unit: "ms", texts: ["0", "20", "120"] },
    { name: "many milliseconds", end: 4_000_000, unit: "ms", texts: ["0", "500", "4,000"] },
    { name: "seconds", end: 20_000_000, unit: "s", texts: ["0", "2", "20"] },
  ])("has ticks in $name", ({ end, unit, texts }) => {
    const scale = createTimeScale(end, 100, 900);
    const all = scale.ticks.map(({ text }) => text);
    expect(scale.unit).toBe(unit);
    expect([all[0], all[1], all.at(-1)]).toEqual(texts);
    expect([scale.ticks[0]?.x, scale.ticks.at(-1)?.x]).toEqual([100, 900]);
  });

  test.each([
    { name: "the beginning", at: 0, x: 100 },
    { name: "the middle", at: 500, x: 500 },
    { name: "the end", at: 1000, x: 900 },
    { name: "a time after the end", at: 1e300, x: 900 },
    { name: "a time before the beginning", at: -5, x: 100 },
    { name: "NaN", at: Number.NaN, x: 100 },
    { name: "infinity", at: Number.POSITIVE_INFINITY, x: 100 },
  ])("places $name", ({ at, x }) => {
    expect(createTimeScale(1000, 100, 900).x(at)).toBe(x);
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("of %s is one microsecond long", (end) => {
    expect(createTimeScale(end, 0, 10)).toMatchObject({ endMicros: 1, unit: "µs" });
  });
});
