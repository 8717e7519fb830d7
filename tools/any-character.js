import fc from "fast-check";

const codePoint = (min, max) =>
  fc.integer({ min, max }).map(
    (number) => String.fromCodePoint(number),
    (text) => {
      if (typeof text !== "string" || !/^\P{Surrogate}$/u.test(text)) {
        throw new TypeError("not a character");
      }
      return text.codePointAt(0);
    },
  );

/**
 * Generates any character except lone surrogates, a third of them ASCII. Use it as the `unit` of `fc.string`. It covers the same as
 * the unit `binary`, which takes a second to build its tables at its first use.
 */
export const anyCharacter = fc.oneof(codePoint(0, 0x7f), codePoint(0x80, 0xd7ff), codePoint(0xe000, 0x10ffff));
