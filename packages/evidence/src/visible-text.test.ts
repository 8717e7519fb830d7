import { anyCharacter } from "@assay/tools/any-character";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { visibleText } from "./visible-text.ts";

describe("text", () => {
  test.each([
    { name: "plain text", input: "plain text, ünïcode 漢字 😀", shown: "plain text, ünïcode 漢字 😀" },
    { name: "line feed, carriage return, tab", input: "a\nb\rc\td", shown: "a\\nb\\rc\\td" },
    {
      name: "escape sequences",
      input: "\u001b[31mred\u001b]8;;http://x\u0007",
      shown: "\\x1b[31mred\\x1b]8;;http://x\\x07",
    },
    { name: "backspace, NUL and DEL", input: "a\b\0\u007f", shown: "a\\x08\\x00\\x7f" },
    { name: "C1 controls", input: "\u009b31m", shown: "\\x9b31m" },
    { name: "bidi overrides and isolates", input: "a\u202eb\u2066c", shown: "a\\u{202e}b\\u{2066}c" },
    { name: "zero-width characters", input: "a\u200bb\ufeffc\u2060", shown: "a\\u{200b}b\\u{feff}c\\u{2060}" },
    { name: "line and paragraph separators", input: "a\u2028b\u2029", shown: "a\\u{2028}b\\u{2029}" },
    { name: "lone surrogates", input: "a\ud800b\udc00", shown: "a\\u{d800}b\\u{dc00}" },
    { name: "tag characters beyond the first plane", input: "a\u{e0041}", shown: "a\\u{e0041}" },
    { name: "a backslash, which stays", input: "C:\\x1b", shown: "C:\\x1b" },
  ])("shows $name", ({ input, shown }) => {
    expect(visibleText(input)).toBe(shown);
  });

  test.each([
    { name: "truncates at the length and marks it", input: "abcdef", maxLength: 4, shown: "abc…" },
    { name: "keeps a text of exactly the maximum length", input: "abcd", maxLength: 4, shown: "abcd" },
    { name: "never truncates inside an escape", input: "ab\u001bcdef", maxLength: 5, shown: "ab…" },
    { name: "never truncates inside a surrogate pair", input: "a😀bc", maxLength: 3, shown: "a…" },
    { name: "returns nothing for a length of 0", input: "abc", maxLength: 0, shown: "" },
  ])("$name", ({ input, maxLength, shown }) => {
    expect(visibleText(input, maxLength)).toBe(shown);
  });

  test("escaping twice changes nothing, at any length", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.nat(40), (input, maxLength) => {
        const once = visibleText(input, maxLength);
        expect(once.length).toBeLessThanOrEqual(maxLength);
        expect(visibleText(once, maxLength)).toBe(once);
      }),
    );
  });
});

describe("bytes", () => {
  test.each([
    { name: "invalid bytes", bytes: [0x61, 0xff, 0xc3, 0x28], shown: "a\\xff\\xc3(" },
    { name: "an overlong form", bytes: [0xc0, 0xaf], shown: "\\xc0\\xaf" },
    { name: "an encoded surrogate", bytes: [0xed, 0xa0, 0x80], shown: "\\xed\\xa0\\x80" },
    { name: "a cut sequence at the end", bytes: [0x61, 0xe2, 0x82], shown: "a\\xe2\\x82" },
    { name: "a byte order mark", bytes: [0xef, 0xbb, 0xbf, 0x61], shown: "\\u{feff}a" },
  ])("shows $name", ({ bytes, shown }) => {
    expect(visibleText(Uint8Array.from(bytes))).toBe(shown);
  });

  test("UTF-8 is shown as its text is, cut at any length", () => {
    const lengths = fc.oneof(fc.nat(20), fc.constant(Number.POSITIVE_INFINITY));
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), lengths, (text, maxLength) => {
        expect(visibleText(new TextEncoder().encode(text), maxLength)).toBe(visibleText(text, maxLength));
      }),
    );
  });

  test("text beyond the limit does not change the result", () => {
    const tail = fc.oneof(fc.uint8Array({ maxLength: 12 }), fc.constant(Uint8Array.from([0xff])));
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, minLength: 20 }), tail, (input, rest) => {
        const bytes = new TextEncoder().encode(input);
        expect(visibleText(Buffer.concat([bytes, rest]), 10)).toBe(visibleText(bytes, 10));
      }),
    );
  });
});
