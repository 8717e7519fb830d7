import { loadShapes } from "@assay/results";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arrivalsUntil, isSteady, rateProfile, timeOfArrivals } from "./rate-profile.ts";

const plans = fc.record({
  shape: fc.constantFrom(...loadShapes),
  ratePerSecond: fc.double({ min: 0.01, max: 500, noNaN: true }),
  durationMs: fc.integer({ min: 500, max: 3_600_000 }),
});

describe("the rate of a shape", () => {
  test.each([
    { shape: "steady", area: 60, name: "is the same all the time" },
    { shape: "soak", area: 60, name: "is the same all the time when soaking" },
    { shape: "ramp", area: 33, name: "grows from a tenth" },
    { shape: "spike", area: 32, name: "is high for a third" },
    { shape: "breakpoint", area: 33, name: "grows in ten steps" },
  ] as const)("$name", ({ shape, area }) => {
    expect(arrivalsUntil(rateProfile(shape, 1, 60_000), 60_000)).toBeCloseTo(area, 6);
  });

  test("reaches the highest rate and no more", () => {
    fc.assert(
      fc.property(plans, ({ shape, ratePerSecond, durationMs }) => {
        const profile = rateProfile(shape, ratePerSecond, durationMs);
        const highest = Math.max(...profile.flatMap(({ from, to }) => [from, to]));
        expect(highest).toBe(Math.max(1, Math.round(ratePerSecond * 1000)));
        expect(profile.reduce((sum, stretch) => sum + stretch.durationMs, 0)).toBeCloseTo(durationMs, 4);
      }),
    );
  });

  test.each([
    { shape: "steady", expected: true },
    { shape: "soak", expected: true },
    { shape: "ramp", expected: false },
    { shape: "spike", expected: false },
    { shape: "breakpoint", expected: false },
  ] as const)("of $shape is steady: $expected", ({ shape, expected }) => {
    expect(isSteady(rateProfile(shape, 2, 10_000))).toBe(expected);
  });
});

describe("times of arrivals", () => {
  test("are the inverse of the integral of the rate", () => {
    fc.assert(
      fc.property(plans, fc.double({ min: 0, max: 1, noNaN: true }), ({ shape, ratePerSecond, durationMs }, share) => {
        const profile = rateProfile(shape, ratePerSecond, durationMs);
        const arrivals = share * arrivalsUntil(profile, durationMs);
        const atMs = timeOfArrivals(profile, arrivals);
        expect(atMs).toBeGreaterThanOrEqual(0);
        expect(atMs).toBeLessThanOrEqual(durationMs + 1e-6);
        expect(Math.abs(arrivalsUntil(profile, atMs) - arrivals)).toBeLessThan(1e-6 * Math.max(1, arrivals));
      }),
    );
  });

  test("agree with a sum over small steps", () => {
    const profile = rateProfile("ramp", 10, 2000);
    const steps = Array.from({ length: 2000 }, (_, ms) => (1 + (9 * (ms + 0.5)) / 2000) / 1000);
    let sum = 0;
    const until = steps.map((step) => (sum += step));
    expect(until.findIndex((arrivals) => arrivals >= 5)).toBe(Math.ceil(timeOfArrivals(profile, 5)) - 1);
  });

  test("beyond the last arrival are the end", () => {
    expect(timeOfArrivals(rateProfile("spike", 1, 3000), 100)).toBe(3000);
  });
});
