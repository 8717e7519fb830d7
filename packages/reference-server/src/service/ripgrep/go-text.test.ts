import { anyCharacter } from "@assay/tools/any-character";
import fc from "fast-check";
import { expect, test } from "vitest";
import { countCodePoints, decodeGoText } from "./go-text.ts";

test.each([
  { name: "a lone byte", bytes: [0xff], text: "\u{fffd}" },
  { name: "a sequence cut short", bytes: [0xe2, 0x82, 0x41], text: "\u{fffd}\u{fffd}A" },
  { name: "an overlong form", bytes: [0xc0, 0xaf], text: "\u{fffd}\u{fffd}" },
  { name: "a surrogate", bytes: [0xed, 0xa0, 0x80], text: "\u{fffd}\u{fffd}\u{fffd}" },
  { name: "a continuation byte alone", bytes: [0x41, 0x80, 0x42], text: "A\u{fffd}B" },
  { name: "a mark at the start", bytes: [0xef, 0xbb, 0xbf, 0x41], text: "\u{feff}A" },
])("$name becomes one replacement character for each invalid byte", ({ bytes, text }) => {
  expect(decodeGoText(Buffer.from(bytes))).toBe(text);
});

test("valid text is unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(decodeGoText(Buffer.from(text))).toBe(text);
    }),
  );
});

test("characters are counted in the decoded text", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const buffer = Buffer.from(bytes);
      expect(countCodePoints(buffer)).toBe([...decodeGoText(buffer)].length);
    }),
  );
});
