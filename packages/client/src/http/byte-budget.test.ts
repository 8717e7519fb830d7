import { expect, test } from "vitest";
import { createByteBudget } from "./byte-budget.ts";

test("bytes on their way are given back, all bytes are not", () => {
  const budget = createByteBudget({ maxBytesAtOnce: 100, maxBytesInAll: 150 });
  budget.take(100);
  expect([budget.left(), budget.why()]).toEqual([0, "the bodies that came at the same time are larger than 100 bytes"]);
  budget.giveBack(100);
  expect(budget.left()).toBe(50);
  budget.take(50);
  budget.giveBack(50);
  expect([budget.left(), budget.why()]).toEqual([0, "all bodies together are larger than 150 bytes"]);
});
