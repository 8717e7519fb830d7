import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ExecutionSegment,
  isOverlapping,
  isWholeLoad,
  joinSegments,
  findMissingSegments,
  parseSegment,
  formatSegment,
} from "./execution-segment.ts";

const parsed = (text: string): ExecutionSegment => parseSegment(text) ?? expect.unreachable(text);
const texts = (segments: readonly ExecutionSegment[]): readonly string[] => segments.map(formatSegment);

test.each(["0:1", "0:1/3", "1/3:1/2", "2/3:1"])("%s is a segment", (text) => {
  expect(formatSegment(parsed(text))).toBe(text);
});

test.each([
  "",
  "1/3",
  "0:",
  ":1",
  "1/2:1/2",
  "1/2:1/3",
  "0:4/3",
  "0:1/0",
  "-1/3:1",
  "0:1/3:1",
  "0:0.5",
  "0:1e9",
  `0:1/${"9".repeat(30)}`,
])("%j is no segment", (text) => {
  expect(parseSegment(text)).toBeUndefined();
});

describe("the shares that are missing", () => {
  test.each<[readonly string[], readonly string[]]>([
    [["0:1"], []],
    [["0:1/3", "1/3:2/3", "2/3:1"], []],
    [["2/3:1", "0:2/6", "1/3:4/6"], []],
    [["0:1/3", "1/3:2/3"], ["2/3:1"]],
    [["1/3:2/3"], ["0:1/3", "2/3:1"]],
    [
      ["0:1/10", "1/2:7/10"],
      ["1/10:1/2", "7/10:1"],
    ],
    [[], ["0:1"]],
  ])("of %j are %j", (given, missing) => {
    expect(texts(findMissingSegments(given.map(parsed)))).toEqual(missing);
  });

  test("and those that exist make the whole for any cuts, and never overlap", () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 96 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(cuts, fc.nat(), (at, drawn) => {
        const ends = [0, ...at.toSorted((one, other) => one - other), 97];
        const all = ends.slice(1).map((end, index) => parsed(`${ends[index]}/97:${end}/97`));
        const there = all.filter((_segment, index) => ((drawn >> index) & 1) === 1);
        const missing = findMissingSegments(there);
        expect(missing.some((one) => there.some((other) => isOverlapping(one, other)))).toBe(false);
        expect(missing.length === 0).toBe(there.length === all.length);
        expect(joinSegments([...there, ...missing]).every(isWholeLoad)).toBe(true);
        expect(texts(findMissingSegments(joinSegments(there)))).toEqual(texts(missing));
      }),
    );
  });
});

test.each<[string, string, boolean]>([
  ["0:1/3", "1/3:2/3", false],
  ["0:1/3", "0:1/3", true],
  ["0:2/6", "1/3:1", false],
  ["0:1/2", "1/3:2/3", true],
  ["1/4:1/2", "0:1", true],
])("%s and %s overlap: %s", (one, other, overlap) => {
  expect(isOverlapping(parsed(one), parsed(other))).toBe(overlap);
  expect(isOverlapping(parsed(other), parsed(one))).toBe(overlap);
});
