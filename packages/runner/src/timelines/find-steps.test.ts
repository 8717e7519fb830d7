import type { QuestionPoll } from "@assay/results";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findSteps } from "./find-steps.ts";

type Sketch = readonly [state: string, sentMicros: number, answeredMicros: number];

const polls = (sketches: readonly Sketch[]): readonly QuestionPoll[] =>
  sketches.map(([state, sentMicros, answeredMicros], index) => ({
    exchange: String(index),
    state,
    sentMicros,
    answeredMicros,
  }));

const stepsOf = (sketches: readonly Sketch[]): readonly string[] =>
  findSteps(polls(sketches))
    .map(({ from, to }) => `${from}>${to}`)
    .sort();

describe("steps are seen", () => {
  test.each<{ name: string; sketches: readonly Sketch[]; steps: readonly string[] }>([
    { name: "in no polls", sketches: [], steps: [] },
    {
      name: "of one state",
      sketches: [
        ["a", 0, 1],
        ["a", 2, 3],
      ],
      steps: [],
    },
    {
      name: "between polls that follow each other",
      sketches: [
        ["a", 0, 1],
        ["b", 2, 3],
      ],
      steps: ["a>b"],
    },
    {
      name: "in whatever order polls are given",
      sketches: [
        ["b", 2, 3],
        ["a", 0, 1],
      ],
      steps: ["a>b"],
    },
    {
      name: "not between polls that overlap",
      sketches: [
        ["a", 0, 2],
        ["b", 1, 3],
      ],
      steps: [],
    },
    {
      name: "not between polls that touch",
      sketches: [
        ["a", 0, 2],
        ["b", 2, 3],
      ],
      steps: [],
    },
    {
      name: "not over a third state",
      sketches: [
        ["a", 0, 1],
        ["b", 2, 3],
        ["c", 4, 5],
      ],
      steps: ["a>b", "b>c"],
    },
    {
      name: "over a third one that overlaps both",
      sketches: [
        ["a", 0, 2],
        ["c", 1, 6],
        ["b", 5, 7],
      ],
      steps: ["a>b"],
    },
    {
      name: "once each",
      sketches: [
        ["a", 0, 1],
        ["b", 2, 3],
        ["a", 4, 5],
        ["b", 6, 7],
      ],
      steps: ["a>b", "b>a"],
    },
  ])("$name", ({ sketches, steps }) => {
    expect(stepsOf(sketches)).toEqual(steps);
  });

  test("as in a comparison of every three polls", () => {
    const sketch = fc.tuple(fc.constantFrom("a", "b", "c"), fc.nat({ max: 30 }), fc.nat({ max: 8 }));
    fc.assert(
      fc.property(fc.array(sketch, { maxLength: 12 }), (drawn) => {
        const all = polls(drawn.map(([state, sent, lasted]) => [state, sent, sent + lasted]));
        const isBefore = (one: QuestionPoll, other: QuestionPoll): boolean => one.answeredMicros < other.sentMicros;
        const wanted = all.flatMap((one) =>
          all
            .filter((other) => one.state !== other.state && isBefore(one, other))
            .filter((other) => !all.some((third) => isBefore(one, third) && isBefore(third, other)))
            .map((other) => `${one.state}>${other.state}`),
        );
        expect(
          findSteps(all)
            .map(({ from, to }) => `${from}>${to}`)
            .sort(),
        ).toEqual([...new Set(wanted)].sort());
      }),
    );
  });
});
