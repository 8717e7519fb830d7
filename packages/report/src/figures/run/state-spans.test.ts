import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sortPolls } from "./state-spans.ts";
import { createStateSpans } from "./state-spans.ts";
import { poll } from "../testing/sample-timelines.ts";

const spansOf = (polls: Parameters<typeof createStateSpans>[0]): readonly string[] =>
  createStateSpans(polls).map(
    ({ state, isCertain, fromMicros, toMicros, polls: count }) =>
      `${state} ${fromMicros}${isCertain ? "-" : "?"}${toMicros} ${count}`,
  );

describe("the states of a question", () => {
  test.each([
    { name: "without polls are none", polls: [], spans: [] },
    { name: "of one poll are not certain", polls: [poll("a", 10, 30)], spans: ["a 10?30 1"] },
    {
      name: "of overlapping polls are not certain: the one answered first saw the state",
      polls: [poll("a", 0, 90), poll("a", 20, 50), poll("a", 30, 95)],
      spans: ["a 20?50 3"],
    },
    {
      name: "of a slow response are not certain if the next polls show another state",
      polls: [poll("processing", 0, 2540), poll("b", 300, 340), poll("b", 400, 430), poll("b", 2600, 2630)],
      spans: ["processing 0?2540 1", "b 340-2600 3"],
    },
    { name: "are certain at one time", polls: [poll("a", 0, 10), poll("a", 10, 20)], spans: ["a 10-10 2"] },
    {
      name: "last from the first response to the last sending",
      polls: [poll("a", 0, 10), poll("a", 50, 60), poll("a", 90, 100)],
      spans: ["a 10-90 3"],
    },
    {
      name: "have a gap at a change",
      polls: [poll("a", 0, 10), poll("a", 50, 60), poll("b", 70, 80), poll("b", 90, 99)],
      spans: ["a 10-50 2", "b 80-90 2"],
    },
    {
      name: "do not change back and forth if polls overlap",
      polls: [poll("a", 0, 10), poll("b", 30, 40), poll("a", 20, 90), poll("b", 100, 110)],
      spans: ["a 10-20 2", "b 40-100 2"],
    },
    {
      name: "change back if a poll shows it for certain",
      polls: [poll("a", 0, 10), poll("b", 20, 30), poll("a", 40, 50)],
      spans: ["a 0?10 1", "b 20?30 1", "a 40?50 1"],
    },
  ])("$name", ({ polls, spans }) => {
    expect(spansOf(polls)).toEqual(spans);
  });
});

const someSents = fc.array(fc.tuple(fc.nat({ max: 400 }), fc.nat({ max: 90 }), fc.nat({ max: 90 })), { maxLength: 20 });

describe("polls that overlap", () => {
  test("have a possible order, and none is lost", () => {
    fc.assert(
      fc.property(someSents, (drawn) => {
        const polls = drawn.map(([sent, one, other], index) =>
          poll(index % 3 === 0 ? "b" : "a", sent, sent + one + other),
        );
        const ordered = sortPolls(polls);
        expect(new Set(ordered)).toEqual(new Set(polls));
        for (const [index, before] of ordered.entries()) {
          expect(ordered.slice(index + 1).filter((after) => after.answeredMicros < before.sentMicros)).toEqual([]);
        }
      }),
    );
  });

  test("never show two certain states at the same time", () => {
    fc.assert(
      fc.property(someSents, fc.array(fc.constantFrom("processing", "completed", "error")), (drawn, states) => {
        const polls = drawn.map(([sent, one, other], index) =>
          poll(states[index] ?? "processing", sent, sent + one + other),
        );
        const certain = createStateSpans(polls).filter(({ isCertain }) => isCertain);
        for (const [index, { toMicros }] of certain.entries()) {
          expect(toMicros).toBeLessThanOrEqual(certain[index + 1]?.fromMicros ?? Infinity);
        }
      }),
    );
  });

  test("show one change of a question that changed once, and nothing wrong", () => {
    fc.assert(
      fc.property(someSents, fc.nat({ max: 400 }), (drawn, changedAt) => {
        const polls = drawn.map(([sent, one, other]) =>
          poll(sent + one < changedAt ? "processing" : "completed", sent, sent + one + other),
        );
        const spans = createStateSpans(polls);
        expect(spans.length).toBeLessThanOrEqual(2);
        for (const { state, isCertain, fromMicros, toMicros } of spans) {
          // Throughout a certain time, and at least once in an uncertain one.
          const [processing, completed] = isCertain ? [toMicros, fromMicros] : [fromMicros, toMicros];
          expect(state === "processing" ? processing < changedAt : completed >= changedAt).toBe(true);
        }
      }),
    );
  });
});
