import { expect, test } from "vitest";
import { createByteBudget } from "./byte-budget.ts";

test("bytes in flight are released, total bytes are not", () => {
  const budget = createByteBudget({ maxBytesInFlight: 100, maxTotalBytes: 150 });
  budget.consume(100);
  expect([budget.remainingBytes(), budget.describeExhaustion()]).toEqual([
    0,
    "the bodies in flight exceed 100 bytes in total",
  ]);
  budget.release(100);
  expect(budget.remainingBytes()).toBe(50);
  budget.consume(50);
  budget.release(50);
  expect([budget.remainingBytes(), budget.describeExhaustion()]).toEqual([0, "all bodies exceed 150 bytes in total"]);
});
