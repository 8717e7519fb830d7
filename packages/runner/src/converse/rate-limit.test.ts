import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRateLimit } from "./rate-limit.ts";

describe("a rate limit", () => {
  test.each([
    { name: "two a second", rate: 2, waits: [0, 0, 500, 1000, 1500] },
    { name: "one in two seconds", rate: 0.5, waits: [0, 2000, 4000, 6000, 8000] },
    { name: "no limit", rate: Number.POSITIVE_INFINITY, waits: [0, 0, 0, 0, 0] },
  ])("of $name spaces calls out after the first", ({ rate, waits }) => {
    const limit = createRateLimit(rate, { nowMicros: () => 7 });
    expect(waits.map(() => limit.takePlace())).toEqual(waits);
  });

  test("allows as many at once again after a quiet time", () => {
    let nowMicros = 0;
    const limit = createRateLimit(2, { nowMicros: () => nowMicros });
    [1, 2, 3].forEach(() => limit.takePlace());
    nowMicros = 60_000_000;
    expect([limit.takePlace(), limit.takePlace(), limit.takePlace()]).toEqual([0, 0, 500]);
  });

  test("never gives out more places in any second than twice its rate", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(fc.integer({ min: 0, max: 2000 })), (rate, pausesMs) => {
        let nowMs = 0;
        const limit = createRateLimit(rate, { nowMicros: () => nowMs * 1000 });
        const places = pausesMs.map((pauseMs) => {
          nowMs += pauseMs;
          return nowMs + limit.takePlace();
        });
        const crowds = places.map((place) => places.filter((other) => other >= place && other < place + 1000).length);
        expect(Math.max(0, ...crowds)).toBeLessThanOrEqual(2 * rate);
      }),
    );
  });
});
