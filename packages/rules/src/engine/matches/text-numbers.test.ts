import { Buffer } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isEscaped, noNumber, TextNumbers } from "./text-numbers.ts";
import type { ByteSpan } from "./text-numbers.ts";

const spanOf = (text: string): ByteSpan => {
  const bytes = Buffer.from(`"${text}"`);
  return { bytes, start: 1, end: bytes.length - 1 };
};

test("texts are numbered as in a map, from their bytes or as strings", () => {
  const texts = fc.array(
    fc.record({
      text: fc.oneof(
        fc.string({ unit: "grapheme", maxLength: 3 }),
        fc.string({ unit: fc.constantFrom("a", "aaaa", "b", "é", "\\"), maxLength: 4 }),
      ),
      group: fc.nat(2),
      readsBytes: fc.boolean(),
    }),
    { maxLength: 400, size: "max" },
  );
  fc.assert(
    fc.property(texts, (list) => {
      const numbers = new TextNumbers(1000);
      const known = new Map<string, number>();
      for (const { text, group, readsBytes } of list) {
        const key = `${group} ${text}`;
        const expected = known.get(key) ?? known.size;
        known.set(key, expected);
        const number = readsBytes ? numbers.ofBytes(spanOf(text), group) : numbers.ofText(text, group);
        expect(number === isEscaped ? numbers.ofText(text, group) : number).toBe(expected);
        expect(numbers.text(expected)).toBe(text);
      }
      expect(numbers.count).toBe(known.size);
    }),
    { numRuns: 100 },
  );
});

test("more texts than its first tables hold are found again", () => {
  const numbers = new TextNumbers(5000);
  const texts = Array.from({ length: 5000 }, (_, index) => `a path/${index}`.repeat(3));
  expect(texts.map((text) => numbers.ofText(text))).toEqual(texts.map((_, index) => index));
  expect(texts.map((text) => numbers.ofText(text))).toEqual(texts.map((_, index) => index));
});

test("when all numbers are used, only known texts have one", () => {
  const numbers = new TextNumbers(2);
  expect(["a", "b", "c", "a", "b"].map((text) => numbers.ofText(text))).toEqual([0, 1, noNumber, 0, 1]);
});

test("bytes with an escape have no number, because their text is another one", () => {
  expect(new TextNumbers(2).ofBytes(spanOf(String.raw`a\u0062`))).toBe(isEscaped);
});
