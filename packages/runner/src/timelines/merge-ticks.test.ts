import type { EventTick } from "@assay/results";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeTicks } from "./merge-ticks.ts";

const tick = (fromMicros: number, toMicros: number): EventTick => ({
  fromMicros,
  toMicros,
  bytes: 10,
  events: 1,
  matches: 2,
});

/** Consecutive ticks with these gaps and widths. */
const ticksOf = (steps: readonly (readonly [gap: number, width: number])[]): readonly EventTick[] => {
  let at = 0;
  return steps.map(([gap, width]) => {
    const from = at + gap;
    at = from + width;
    return tick(from, at);
  });
};

const sum = (ticks: readonly EventTick[], name: "bytes" | "events" | "matches"): number =>
  ticks.reduce((total, each) => total + each[name], 0);

describe("too many ticks", () => {
  test("are merged where they are closest", () => {
    const merged = mergeTicks([tick(0, 1), tick(100, 101), tick(102, 103), tick(900, 901)], 3);
    expect(merged).toEqual([
      tick(0, 1),
      { fromMicros: 100, toMicros: 103, bytes: 20, events: 2, matches: 4 },
      tick(900, 901),
    ]);
  });

  test.each([
    { name: "none if there are none", ticks: [], max: 3, left: 0 },
    { name: "unchanged if they fit", ticks: [tick(0, 1), tick(2, 3)], max: 2, left: 2 },
    { name: "at least one", ticks: [tick(0, 1), tick(2, 3)], max: 0, left: 1 },
  ])("leave $name", ({ ticks, max, left }) => {
    expect(mergeTicks(ticks, max)).toHaveLength(left);
  });

  test("keep all sums and their order, and are as many as requested", () => {
    const steps = fc.array(fc.tuple(fc.nat({ max: 50 }), fc.nat({ max: 9 })), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 20 }), (drawn, max) => {
        const ticks = ticksOf(drawn);
        const merged = mergeTicks(ticks, max);
        expect(merged).toHaveLength(Math.min(max, ticks.length));
        for (const name of ["bytes", "events", "matches"] as const) {
          expect(sum(merged, name)).toBe(sum(ticks, name));
        }
        const times = merged.flatMap(({ fromMicros, toMicros }) => [fromMicros, toMicros]);
        expect(times).toEqual([...times].sort((one, other) => one - other));
        expect([times[0], times.at(-1)]).toEqual([ticks[0]?.fromMicros, ticks.at(-1)?.toMicros]);
      }),
    );
  });
});
