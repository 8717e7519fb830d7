import { expect, test } from "vitest";
import { thinkingTimeMs } from "./thinking-time.ts";

test("the fastest server thinks for 120 ms about anything", () => {
  expect([thinkingTimeMs("instant", "a", undefined), thinkingTimeMs("instant", "b", 1)]).toEqual([120, 120]);
});

test("slower servers think longer, with a seed always the same for a question", () => {
  const times = (["laptop", "staging", "overloaded"] as const).map((latency) => thinkingTimeMs(latency, "why", 7));
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(thinkingTimeMs("laptop", "why", 7)).toBe(times[0]);
  expect(thinkingTimeMs("laptop", "how", 7)).not.toBe(times[0]);
});
