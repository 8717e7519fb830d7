import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRateLimit } from "./rate-limit.ts";

describe("a rate limit", () => {
  test.each([
    { name: "two a second", rate: 2, waits: [0, 525, 1050, 1575, 2100] },
    { name: "one in two seconds", rate: 0.5, waits: [0, 2100, 4200, 6300, 8400] },
    { name: "no limit", rate: Number.POSITIVE_INFINITY, waits: [0, 0, 0, 0, 0] },
  ])("of $name spaces calls out", ({ rate, waits }) => {
    const limit = createRateLimit(rate, { nowMicros: () => 7 });
    expect(waits.map(() => limit.reserveSlot())).toEqual(waits);
  });

  test("allows a call at once after a pause", () => {
    let nowMicros = 0;
    const limit = createRateLimit(2, { nowMicros: () => nowMicros });
    [1, 2, 3].forEach(() => limit.reserveSlot());
    nowMicros = 60_000_000;
    expect([limit.reserveSlot(), limit.reserveSlot(), limit.reserveSlot()]).toEqual([0, 525, 1050]);
  });

  test("never assigns two slots closer than its rate allows", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(fc.integer({ min: 0, max: 2000 })), (rate, pausesMs) => {
        let nowMs = 0;
        const limit = createRateLimit(rate, { nowMicros: () => nowMs * 1000 });
        const places = pausesMs.map((pauseMs) => {
          nowMs += pauseMs;
          return nowMs + limit.reserveSlot();
        });
        const gaps = places.slice(1).map((place, index) => place - (places[index] ?? 0));
        expect(Math.min(1000, ...gaps)).toBeGreaterThan(1000 / rate - 0.001);
      }),
    );
  });
});
