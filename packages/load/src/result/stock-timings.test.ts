import { expect, test } from "vitest";
import { stockTimingsOf } from "./stock-timings.ts";

const timing = {
  metric: "headers",
  arm: "a",
  count: 600,
  meanMs: 5,
  minMs: 1,
  maxMs: 90,
  p50: { value: 4 },
  p95: { value: 20 },
  p99: { value: 60 },
};

test("timings of a stock k6 are taken over as they are", () => {
  expect(stockTimingsOf([timing])).toEqual([timing]);
});

test.each([
  { count: 19, kept: [] },
  { count: 20, kept: ["p50"] },
  { count: 100, kept: ["p50", "p95"] },
  { count: 500, kept: ["p50", "p95", "p99"] },
])("of $count samples the percentiles $kept are kept", ({ count, kept }) => {
  const [found] = stockTimingsOf([{ ...timing, count }]);
  expect(Object.keys(found ?? {}).filter((name) => name.startsWith("p"))).toEqual(kept);
});

test.each([
  ["no list", { 0: timing }],
  ["an unknown metric", [{ ...timing, metric: "first-byte" }]],
  ["an arm that does not exist", [{ ...timing, arm: "c" }]],
  ["a count that is none", [{ ...timing, count: -1 }]],
  ["a time that is none", [{ ...timing, maxMs: "90" }]],
  ["nothing", [null]],
])("what is %s is left out", (_, value) => {
  expect(stockTimingsOf(value)).toEqual([]);
});
