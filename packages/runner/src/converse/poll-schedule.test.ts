import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPollSchedule } from "./poll-schedule.ts";

const timesOf = (random: () => number, { minPollMs = 20, maxPollMs = 1000, count = 40 } = {}): readonly number[] => {
  const schedule = createPollSchedule({ minPollMs, maxPollMs, random });
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    times.push(schedule.next((times.at(-1) ?? 0) + 0.001));
  }
  return times;
};

const gapsOf = (times: readonly number[]): readonly number[] =>
  times.map((time, index) => time - (times[index - 1] ?? 0));

describe("a poll schedule", () => {
  test("begins after the minimum interval and grows to the maximum", () => {
    const gaps = gapsOf(timesOf(() => 0));
    expect(gaps.slice(0, 3)).toEqual([20, 25, 31.25]);
    expect(gaps.at(-1)).toBeCloseTo(1000);
  });

  test("skips missed times and moves none", () => {
    const schedule = createPollSchedule({ minPollMs: 20, maxPollMs: 1000, random: () => 0 });
    expect([schedule.next(0), schedule.next(77), schedule.next(400)]).toEqual([
      20,
      115.3125,
      timesOf(() => 0).find((time) => time >= 400),
    ]);
  });

  test("ends with an interval of zero", () => {
    expect(createPollSchedule({ minPollMs: 0, maxPollMs: 0, random: () => 0 }).next(1000)).toBe(1000);
  });

  test("is never faster than the minimum interval, whatever the jitter", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 1 }),
        fc.integer({ min: 1, max: 2000 }),
        (chances, minPollMs) => {
          let index = 0;
          const random = (): number => chances[(index += 1) % chances.length] ?? 0;
          const gaps = gapsOf(timesOf(random, { minPollMs, maxPollMs: 10_000 }));
          expect(gaps.filter((gap) => gap < minPollMs * 0.999_999 || gap > 12_000.001)).toEqual([]);
        },
      ),
    );
  });

  test("has the same times however it is called", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1 }), (asked) => {
        const times = timesOf(() => 0.5, { count: 100 });
        const schedule = createPollSchedule({ minPollMs: 20, maxPollMs: 1000, random: () => 0.5 });
        const sorted = asked.toSorted((a, b) => a - b);
        const expected = sorted.map((notBefore) => times.find((time) => time >= notBefore));
        expect(sorted.map((notBefore) => schedule.next(notBefore))).toEqual(expected);
      }),
    );
  });
});
