import fc from "fast-check";
import { expect, test } from "vitest";
import { reservedUsers, virtualUsers } from "./virtual-users.ts";

test.each([
  {
    name: "are as many as can be busy at once, however slow the target is",
    ratePerSecond: 2,
    arrivals: 1000,
    maxIterationMs: 65_000,
    maxVus: 500,
    vus: 131,
  },
  {
    name: "are one more than the arrivals",
    ratePerSecond: 2,
    arrivals: 20,
    maxIterationMs: 65_000,
    maxVus: 500,
    vus: 21,
  },
  { name: "are at least a few", ratePerSecond: 0.1, arrivals: 1, maxIterationMs: 100, maxVus: 500, vus: 6 },
  {
    name: "are at most the limit",
    ratePerSecond: 10,
    arrivals: 1000,
    maxIterationMs: 60_000,
    maxVus: 100,
    vus: 100,
  },
])("virtual users $name", ({ vus, ...demand }) => {
  expect(virtualUsers(demand)).toBe(vus);
});

test("below the limit every arrival of a steady rate finds a free user, however long each iteration takes", () => {
  const rate = fc.double({ min: 0.1, max: 50, noNaN: true });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(rate, fc.integer({ min: 1, max: 5000 }), fc.array(share, { maxLength: 80 }), (...given) => {
      const [ratePerSecond, maxIterationMs, shares] = given;
      const vus = virtualUsers({ ratePerSecond, arrivals: shares.length, maxIterationMs, maxVus: 1e9 });
      const spans = shares.map((part, at) => [(at * 1000) / ratePerSecond, part * maxIterationMs] as const);
      const atWork = spans.map(([beginMs]) => spans.filter(([at, ms]) => at <= beginMs && at + ms > beginMs).length);
      expect(Math.max(0, ...atWork)).toBeLessThanOrEqual(vus);
    }),
  );
});

test.each([
  { name: "as many as arrive in half a second", ratePerSecond: 60, vus: 500, reserved: 30 },
  { name: "at least a few", ratePerSecond: 2, vus: 131, reserved: 6 },
  { name: "at most the limit", ratePerSecond: 1000, vus: 100, reserved: 100 },
])("kept free are $name", ({ ratePerSecond, vus, reserved }) => {
  expect(reservedUsers({ ratePerSecond }, vus)).toBe(reserved);
});
