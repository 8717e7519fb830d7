import { describe, expect, test } from "vitest";
import { LineBudget } from "./line-budget.ts";

/** The lines that a budget takes of events with these numbers of lines. */
function taken(maxLinesOfEvent: number, events: readonly number[]): readonly number[] {
  const budget = new LineBudget(maxLinesOfEvent);
  return events.map((lines) => {
    budget.startEvent();
    return budget.take(lines);
  });
}

describe("the lines that a rule reads", () => {
  test.each([
    { name: "are all of the first ones", maxLinesOfEvent: 1000, events: [3, 1000], expected: [3, 1000] },
    { name: "are limited in each event", maxLinesOfEvent: 500, events: [501, 2], expected: [500, 2] },
    { name: "end at a number for the stream", maxLinesOfEvent: 3000, events: [1999, 5, 10], expected: [1999, 1, 0] },
  ])("$name", ({ maxLinesOfEvent, events, expected }) => {
    expect(taken(maxLinesOfEvent, events)).toEqual(expected);
  });

  test("are one in fifty later, however they are spread over events", () => {
    const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
    const small = taken(
      1000,
      Array.from({ length: 500_000 }, () => 1),
    );
    const large = taken(
      1000,
      Array.from({ length: 500 }, () => 1000),
    );
    expect([sum(small), sum(large)]).toEqual([10_000, 10_000]);
    expect(sum(small.slice(-5000))).toBe(100);
  });

  test("are none after the event has ended, until the next one", () => {
    const budget = new LineBudget(10);
    budget.startEvent();
    budget.endEvent();
    expect(budget.take(1)).toBe(0);
    budget.startEvent();
    expect(budget.take(1)).toBe(1);
  });
});
