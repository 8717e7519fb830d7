import fc from "fast-check";

const codePoint = (min, max) =>
  fc.integer({ min, max }).map(
    (number) => String.fromCodePoint(number),
    (text) => {
      if (typeof text !== "string" || !/^\P{Surrogate}$/u.test(text)) {
        throw new TypeError("no character");
      }
      return text.codePointAt(0);
    },
  );

/**
 * Any character but half of a pair, one in three of ASCII; the unit of a `fc.string`. It has what the unit `binary` has, whose
 * first use takes a second to make its tables.
 */
export const anyCharacter = fc.oneof(codePoint(0, 0x7f), codePoint(0x80, 0xd7ff), codePoint(0xe000, 0x10ffff));
