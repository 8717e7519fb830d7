import type { QuestionPoll } from "@assay/results";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keptPolls } from "./kept-polls.ts";

const polls = (states: string): readonly QuestionPoll[] =>
  Array.from(states, (state, index) => ({
    exchange: String(index),
    state,
    sentMicros: index,
    answeredMicros: index + 1,
  }));

const kept = (states: string, most: number): string =>
  keptPolls(polls(states), most)
    .map(({ exchange, state }) => `${state}${exchange}`)
    .join(" ");

describe("polls that are too many", () => {
  test.each([
    { name: "all when they fit", states: "aab", most: 3, is: "a0 a1 b2" },
    { name: "those around a change first", states: "aaaabbbb", most: 4, is: "a0 a3 b4 b7" },
    { name: "others at even distances then", states: "aaaaaaabb", most: 5, is: "a0 a1 a6 b7 b8" },
    { name: "the ends when nothing else fits", states: "aaaabbbb", most: 2, is: "a0 b7" },
    { name: "one", states: "aaaa", most: 1, is: "a0" },
  ])("leave $name", ({ states, most, is }) => {
    expect(kept(states, most)).toBe(is);
  });

  test("are at most as many as fit, in their order, and with every state that there is room for", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 40 }),
        fc.integer({ min: 1, max: 20 }),
        (states, most) => {
          const all = polls(states);
          const some = keptPolls(all, most);
          expect(some).toHaveLength(Math.min(most, all.length));
          expect(all.filter((poll) => some.includes(poll))).toEqual(some);
        },
      ),
    );
  });
});
