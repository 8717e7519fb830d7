import { expect, test } from "vitest";
import type { LatencyName } from "../../latency.ts";
import { drawThinkingTimeMs } from "./thinking-time.ts";

const thinkingTime = (latency: LatencyName, question: string, seed: number | undefined): number =>
  drawThinkingTimeMs({ latency, latencyFactor: 1 }, question, seed);

test("the fastest server thinks for 120 ms about anything", () => {
  expect([thinkingTime("instant", "a", undefined), thinkingTime("instant", "b", 1)]).toEqual([120, 120]);
});

test("slower servers think longer; with a seed the time of a question is always the same", () => {
  const times = (["laptop", "staging", "overloaded"] as const).map((latency) => thinkingTime(latency, "why", 7));
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(thinkingTime("laptop", "why", 7)).toBe(times[0]);
  expect(thinkingTime("laptop", "how", 7)).not.toBe(times[0]);
});

test.each([0.5, 1.2, 3])("a latency factor of %s multiplies the thinking time", (latencyFactor) => {
  const time = drawThinkingTimeMs({ latency: "laptop", latencyFactor }, "why", 7);
  expect(time).toBeCloseTo(latencyFactor * thinkingTime("laptop", "why", 7), 6);
});
