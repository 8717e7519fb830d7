import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadOf } from "../../testing/sample-load.ts";
import { computeFailedShare, computeWilsonInterval } from "./failed-share.ts";

describe("Wilson's interval", () => {
  test("has bounds 1.96 standard deviations from the observed share", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.nat(5000), (total, drawn) => {
        const hits = Math.min(drawn, total);
        const { low, high } = computeWilsonInterval(hits, total);
        const seen = hits / total;
        const distances = [low, high]
          .filter((end) => end > 1e-9 && end < 1 - 1e-9)
          .map((end) => Math.abs(seen - end) / Math.sqrt((end * (1 - end)) / total));
        expect(distances.every((distance) => Math.abs(distance - 1.959964) < 1e-4)).toBe(true);
        expect(low <= seen + 1e-12 && seen <= high + 1e-12).toBe(true);
      }),
    );
  });
});

test.each([
  { name: "no requests", outcomes: {}, expected: { failed: 0, total: 0 } },
  {
    name: "calls, which belong to conversations",
    outcomes: { call: { timeout: 5 }, conversation: { ok: 3, unfinished: 1 } },
    expected: { failed: 1, total: 4, share: 0.25 },
  },
  {
    name: "requests that were not sent or were stopped by Assay",
    outcomes: { stream: { ok: 9, timeout: 1, "held-back": 4, canceled: 2, limit: 1 } },
    expected: { failed: 1, total: 10, share: 0.1 },
  },
])("the failed share of $name", ({ outcomes, expected }) => {
  expect(computeFailedShare(loadOf({ outcomes }))).toMatchObject(expected);
});
