import { isUtf8 } from "node:buffer";
import { repetitions } from "@assay/tools/proving";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findInvalidUtf8 } from "./invalid-utf8-offset.ts";

test.each<{ name: string; bytes: readonly number[]; at: number | undefined }>([
  { name: "nothing", bytes: [], at: undefined },
  {
    name: "every length of sequence",
    bytes: [0x61, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x94, 0x8e],
    at: undefined,
  },
  { name: "a lone continuation byte", bytes: [0x61, 0x80], at: 1 },
  { name: "an overlong slash", bytes: [0x61, 0xc0, 0xaf], at: 1 },
  { name: "an overlong three-byte form", bytes: [0xe0, 0x9f, 0xbf], at: 0 },
  { name: "a surrogate", bytes: [0xed, 0xa0, 0x80], at: 0 },
  { name: "a code point above the last", bytes: [0xf4, 0x90, 0x80, 0x80], at: 0 },
  { name: "the bytes 0xf5 to 0xff, which are not lead bytes", bytes: [0xf5, 0x80, 0x80, 0x80], at: 0 },
  { name: "a truncated sequence", bytes: [0x61, 0xe2, 0x82], at: 1 },
])("$name", ({ bytes, at }) => {
  expect(findInvalidUtf8(Uint8Array.from(bytes))).toBe(at);
});

test("the first and last code point of every kind of sequence is UTF-8", () => {
  const ends = [0x7f, 0x80, 0x7ff, 0x800, 0xfff, 0x1000, 0xcfff, 0xd000, 0xd7ff, 0xe000, 0xffff];
  const above = [0x1_0000, 0x3_ffff, 0x4_0000, 0xf_ffff, 0x10_0000, 0x10_ffff];
  expect(findInvalidUtf8(Buffer.from(String.fromCodePoint(...ends, ...above)))).toBeUndefined();
});

test("it agrees with the platform on any bytes, and everything before the offset is UTF-8", () => {
  const bytes = fc
    .array(
      fc.oneof(
        fc.uint8Array({ maxLength: 4 }),
        fc.string({ unit: "grapheme", maxLength: 3 }).map((text) => Buffer.from(text)),
      ),
    )
    .map((parts) => Buffer.concat(parts));
  fc.assert(
    fc.property(bytes, (input) => {
      const at = findInvalidUtf8(input);
      expect(at === undefined).toBe(isUtf8(input));
      expect(isUtf8(input.subarray(0, at))).toBe(true);
    }),
    { numRuns: repetitions(1250, 5000) },
  );
});
