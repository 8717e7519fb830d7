import { expect, test } from "vitest";
import { doneEvent, streamReport, summarizeReport, wireEvent } from "../../testing/stream-report.ts";

const id = "stream/lines-have-their-own-numbers";

const lineMatches = (...lines: readonly (readonly [unknown, unknown])[]): readonly object[] =>
  lines.map(([lineNumber, line]) => ({ line, lineNumber, offsetAndLengths: [] }));
const bodyOf = (...lines: readonly (readonly [unknown, unknown])[]): string =>
  wireEvent("matches", [{ type: "content", lineMatches: lineMatches(...lines) }]) + doneEvent;
const long = "x".repeat(79);

test.each<{ name: string; lines: readonly (readonly [unknown, unknown])[]; is: string }>([
  {
    name: "other numbers",
    lines: [
      [1, "a line"],
      [2, "another"],
    ],
    is: "holds, 1 observed",
  },
  {
    name: "numbers that fall",
    lines: [
      [9, "a line"],
      [2, "another"],
    ],
    is: "holds, 1 observed",
  },
  {
    name: "one number",
    lines: [
      [7, "a line"],
      [7, "another"],
    ],
    is: "broken 1 times, 1 observed",
  },
  {
    name: "one number, three times",
    lines: [
      [7, "a"],
      [7, "b"],
      [7, "c"],
    ],
    is: "broken 1 times, 1 observed",
  },
  {
    name: "one number for the same line",
    lines: [
      [7, "a line"],
      [7, "a line"],
    ],
    is: "not observed",
  },
  {
    name: "one number for a line and its line end",
    lines: [
      [7, "a line"],
      [7, "a line\r\n"],
    ],
    is: "not observed",
  },
  {
    name: "one number for a line and a part of it",
    lines: [
      [7, "a line"],
      [7, "line"],
    ],
    is: "not observed",
  },
  {
    name: "one number for parts of a long line",
    lines: [
      [7, `${long}ab`],
      [7, `c${long}d`],
    ],
    is: "not observed",
  },
  {
    name: "no numbers",
    lines: [
      ["7", "a line"],
      ["7", "another"],
    ],
    is: "not observed",
  },
  {
    name: "no texts",
    lines: [
      [7, 1],
      [7, 2],
    ],
    is: "not observed",
  },
  { name: "one line", lines: [[7, "a line"]], is: "not observed" },
])("different lines with $name: $is", ({ lines, is }) => {
  expect(summarizeReport(id, { body: bodyOf(...lines) })).toBe(is);
});

test("lines of two matches may have the same number", () => {
  const matches = ["a line", "another"].map((line) => ({ type: "content", lineMatches: lineMatches([7, line]) }));
  expect(summarizeReport(id, { body: wireEvent("matches", matches) + doneEvent })).toBe("not observed");
});

test("the first line of an event that repeats a number is shown", () => {
  const match = { type: "content", lineMatches: lineMatches([1, "one"], [7, "two"], [7, "three"], [7, "four"]) };
  expect(streamReport(id, { body: wireEvent("matches", [match, match]) + doneEvent }).violations).toMatchObject([
    { pointer: "/0/lineMatches/2/lineNumber", message: "two lines of a file have the number 7: `two` and `three`" },
  ]);
});
