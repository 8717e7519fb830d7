import { describe, expect, test } from "vitest";
import { isLongerThan, textLines } from "./text-lines.ts";

describe("the lines of a text", () => {
  test.each<{ text: string; lines: readonly string[] }>([
    { text: "", lines: [""] },
    { text: "a", lines: ["a"] },
    { text: "a\nb", lines: ["a", "b"] },
    { text: "a\r\nb\r", lines: ["a", "b"] },
    { text: "a\n\nb\n", lines: ["a", "", "b", ""] },
    { text: "a\rb\r\r\n", lines: ["a\rb\r", ""] },
  ])("of %j", ({ text, lines }) => {
    expect(textLines(text)).toEqual(lines);
  });
});

describe("a text is longer than", () => {
  test.each([
    { text: "abc", most: 2, is: true },
    { text: "abc", most: 3, is: false },
    { text: "", most: 0, is: false },
    { text: "\u{1F600}\u{1F600}", most: 2, is: false },
    { text: "\u{1F600}\u{1F600}\u{1F600}", most: 2, is: true },
    { text: "\u{D800}\u{D800}", most: 1, is: true },
  ])("$most code points: $text, $is", ({ text, most, is }) => {
    expect(isLongerThan(text, most)).toBe(is);
  });
});
