import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  splitCharacters,
  countDisplayColumns,
  takeFittingStart,
  takeFittingEnd,
  padToColumns,
} from "./display-columns.ts";
import { anyText } from "../../testing/arbitrary-run-result.ts";
import { wrapIndented, wrapName, wrapText } from "./wrap-text.ts";

test.each([
  ["", 0],
  ["abc", 3],
  ["字a", 3],
  ["e\u0301", 1],
  ["✓ │", 3],
  ["🚀", 2],
])("%j takes %i columns", (text, columns) => {
  expect(countDisplayColumns(text)).toBe(columns);
});

test.each([
  ["abcdef", 3, "abc", "def"],
  ["字字字", 3, "字", "字"],
  ["ab", 9, "ab", "ab"],
  ["ab", 0, "", ""],
])("of %j fit into %i columns: %j at the beginning, %j at the end", (text, columns, ...ends) => {
  expect([takeFittingStart(text, columns), takeFittingEnd(text, columns)]).toEqual(ends);
});

test("counts columns, not characters", () => {
  expect(`${padToColumns("字", 4)}|${padToColumns("longer", 4)}|`).toBe("字  |longer|");
});

test.each([
  ["", 10, [""]],
  ["one two three", 7, ["one two", "three"]],
  ["one two three", 100, ["one two three"]],
  ["abcdefghij", 4, ["abcd", "efgh", "ij"]],
  ["a abcdefghij", 4, ["a", "abcd", "efgh", "ij"]],
  ["two  spaces", 20, ["two  spaces"]],
])("%j in %i columns is %j", (text, columns, lines) => {
  expect(wrapText(text, columns)).toEqual(lines);
});

test.each([
  ["stream/two-fields", 20, ["stream/two-fields"]],
  ["stream/two-fields", 12, ["stream/two-", "fields"]],
  ["stream/two-fields", 8, ["stream/", "two-", "fields"]],
  ["stream/two-fields", 4, ["stre", "am/", "two-", "fiel", "ds"]],
  ["-- a//b", 4, ["--", "a//b"]],
  ["33 rules, 17 observed", 12, ["33 rules, 17", "observed"]],
  ["", 4, [""]],
])("the name %j in %i columns is %j", (name, columns, lines) => {
  expect(wrapName(name, columns)).toEqual(lines);
});

/** Lines that are too wide; a single character may be wider than a line. */
const tooWide = (lines: readonly string[], columns: number): readonly string[] =>
  lines.filter((line) => countDisplayColumns(line) > columns && splitCharacters(line).length > 1);

test.each([wrapText, wrapName])("a character that is wider than a line has its own line", (wrap) => {
  expect(wrap("a\u2E80\u1923b", 2)).toEqual(["a", "\u2E80\u1923", "b"]);
});

test("wrapping a name removes only spaces", () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 2, max: 40 }), (text, columns) => {
      const lines = wrapName(text, columns);
      expect(tooWide(lines, columns)).toEqual([]);
      expect(lines.join("").replaceAll(/\s/gu, "")).toBe(text.replaceAll(/\s/gu, ""));
    }),
  );
});

test("the second line has its own indent", () => {
  expect(wrapIndented("1. one two three four five six", { columns: 24, indent: 2, hanging: 5 })).toEqual([
    "  1. one two three",
    "     four five six",
  ]);
});

test("no line is too wide, and only spaces are removed", () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 2, max: 40 }), (text, columns) => {
      const lines = wrapText(text, columns);
      expect(tooWide(lines, columns)).toEqual([]);
      expect(lines.join("").replaceAll(/\s/gu, "")).toBe(text.replaceAll(/\s/gu, ""));
    }),
  );
});
