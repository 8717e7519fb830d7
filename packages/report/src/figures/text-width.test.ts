import { describe, expect, test } from "vitest";
import { cutToWidth, measureTextWidth } from "./text-width.ts";

describe("a text in a figure", () => {
  test("is wider with a larger font or more characters, and wide characters count twice", () => {
    expect(measureTextWidth("abcd", 10)).toBeCloseTo(24.8);
    expect(measureTextWidth("字字", 10)).toBe(measureTextWidth("abcd", 10));
  });

  test.each([
    { name: "unchanged if it fits", text: "abcd", width: 25, is: "abcd" },
    { name: "with an ellipsis if it does not fit", text: "abcdefgh", width: 25, is: "abc…" },
    { name: "before a wide character", text: "字字字字", width: 25, is: "字…" },
    { name: "to the ellipsis if there is no room", text: "abc", width: 0, is: "…" },
  ])("is cut $name", ({ text, width, is }) => {
    expect(cutToWidth(text, width, 10)).toBe(is);
  });
});
