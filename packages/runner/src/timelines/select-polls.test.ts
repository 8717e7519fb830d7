import type { QuestionPoll } from "@assay/results";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { selectPolls } from "./select-polls.ts";

const polls = (states: string): readonly QuestionPoll[] =>
  Array.from(states, (state, index) => ({
    exchange: String(index),
    state,
    sentMicros: index,
    answeredMicros: index + 1,
  }));

const kept = (states: string, max: number): string =>
  selectPolls(polls(states), max)
    .map(({ exchange, state }) => `${state}${exchange}`)
    .join(" ");

describe("polls that are too many", () => {
  test.each([
    { name: "all if they fit", states: "aab", max: 3, is: "a0 a1 b2" },
    { name: "those around a change first", states: "aaaabbbb", max: 4, is: "a0 a3 b4 b7" },
    { name: "then others, evenly spaced", states: "aaaaaaabb", max: 5, is: "a0 a1 a6 b7 b8" },
    { name: "the first and last one if nothing else fits", states: "aaaabbbb", max: 2, is: "a0 b7" },
    { name: "one", states: "aaaa", max: 1, is: "a0" },
  ])("leave $name", ({ states, max, is }) => {
    expect(kept(states, max)).toBe(is);
  });

  test("are reduced to the maximum, in order, and with every state that fits", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 40 }),
        fc.integer({ min: 1, max: 20 }),
        (states, max) => {
          const all = polls(states);
          const some = selectPolls(all, max);
          expect(some).toHaveLength(Math.min(max, all.length));
          expect(all.filter((poll) => some.includes(poll))).toEqual(some);
        },
      ),
    );
  });
});
