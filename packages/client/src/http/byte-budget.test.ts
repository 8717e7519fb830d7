import { expect, test } from "vitest";
import { createByteBudget } from "./byte-budget.ts";

test("bytes in flight are released, total bytes are not", () => {
  const budget = createByteBudget({ maxBytesAtOnce: 100, maxBytesInAll: 150 });
  budget.take(100);
  expect([budget.left(), budget.reason()]).toEqual([0, "the bodies in flight exceed 100 bytes in total"]);
  budget.release(100);
  expect(budget.left()).toBe(50);
  budget.take(50);
  budget.release(50);
  expect([budget.left(), budget.reason()]).toEqual([0, "all bodies exceed 150 bytes in total"]);
});
