import fc from "fast-check";
import { expect, test } from "vitest";
import { virtualUsers } from "./virtual-users.ts";

test.each([
  {
    name: "follow from rate and time, with headroom",
    ratePerSecond: 10,
    expectedIterationMs: 2000,
    maxVus: 500,
    vus: 30,
  },
  { name: "are a few at least", ratePerSecond: 0.1, expectedIterationMs: 100, maxVus: 500, vus: 6 },
  { name: "are never more than the limit", ratePerSecond: 10, expectedIterationMs: 60_000, maxVus: 100, vus: 100 },
])("virtual users $name", ({ vus, ...demand }) => {
  expect(virtualUsers(demand)).toBe(vus);
});

test("virtual users are enough for Little's law below the limit", () => {
  const rates = fc.double({ min: 0.01, max: 100, noNaN: true });
  fc.assert(
    fc.property(rates, fc.integer({ min: 1, max: 100_000 }), (ratePerSecond, expectedIterationMs) => {
      const vus = virtualUsers({ ratePerSecond, expectedIterationMs, maxVus: 1e9 });
      expect(vus).toBeGreaterThanOrEqual((ratePerSecond * expectedIterationMs) / 1000);
    }),
  );
});
