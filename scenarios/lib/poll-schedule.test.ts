import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nextSlotMs } from "./poll-schedule.ts";

const schedule = { startMs: 1000, intervalMs: 250 };

describe("the next poll", () => {
  test.each([
    { name: "is a whole interval after the start", lastMs: 1000, nowMs: 1000, next: 1250 },
    { name: "is on time however long the last one took", lastMs: 1250, nowMs: 1499, next: 1500 },
    { name: "skips missed times", lastMs: 1250, nowMs: 1801, next: 2000 },
    { name: "is now if it is due", lastMs: 1250, nowMs: 1500, next: 1500 },
    { name: "is not the last one again if the clock has not moved", lastMs: 1500, nowMs: 1500, next: 1750 },
  ])("$name", ({ lastMs, nowMs, next }) => {
    expect(nextSlotMs(schedule, lastMs, nowMs)).toBe(next);
  });

  test("is the first time of the schedule that is not past and after the last one", () => {
    const spans = fc.integer({ min: 1, max: 5000 });
    fc.assert(
      fc.property(spans, fc.nat(20), fc.double({ min: 0, max: 1e5, noNaN: true }), (intervalMs, slots, laterMs) => {
        const lastMs = 10 + slots * intervalMs;
        const next = nextSlotMs({ startMs: 10, intervalMs }, lastMs, lastMs + laterMs);
        expect((next - 10) % intervalMs).toBe(0);
        expect(next).toBeGreaterThanOrEqual(Math.max(lastMs + laterMs, lastMs + intervalMs) - 1e-6);
        expect(next - intervalMs).toBeLessThan(Math.max(lastMs + laterMs, lastMs + intervalMs));
      }),
    );
  });
});
