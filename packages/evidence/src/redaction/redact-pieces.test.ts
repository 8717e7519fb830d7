import { Buffer } from "node:buffer";
import { repetitions } from "@assay/tools/proving";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactPieces } from "./redact-pieces.ts";
import { createReplacements } from "./replacement.ts";
import { SecretRewrites } from "./rewrites.ts";
import { createSecretPatterns } from "./secret-patterns.ts";

const token = "sesame/open+door=7";
const { current: rewrites } = new SecretRewrites(
  [createSecretPatterns({ name: "S", value: token })],
  createReplacements(Buffer.alloc(32, 7)),
);

/** Redacts with windows that move by `stepBytes`. */
const redacted = (pieces: readonly Uint8Array[], stepBytes?: number): Buffer =>
  Buffer.concat(redactPieces(pieces, rewrites, stepBytes));

const cut = (bytes: Buffer, size: number): readonly Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );

const found = [
  token,
  encodeURIComponent(token),
  Buffer.from(token).toString("base64"),
  String.raw`{"line":"\t${token}\n"}`,
  `https://user:${token.replaceAll(/\W/g, "")}@h/?token=${token}&q=1`,
  "sgp_0123456789abcdef0123456789abcdef01234567",
  "word_sgp_0123456789abcdef0123",
  `eyJ${"a".repeat(900)}.eyJ${"b".repeat(3000)}.${"c".repeat(700)}`,
];

describe("bytes in windows", () => {
  // Larger than the overlap of two windows, so that every text crosses an edge.
  const padding = fc.integer({ min: 0, max: 40_000 }).map((length) => "x ".repeat(length));
  const text = fc
    .array(fc.tuple(padding, fc.constantFrom(...found)), { minLength: 3, maxLength: 6 })
    .map((parts) => Buffer.from(`${"-".repeat(60_000)}${parts.flat().join("")}${"-".repeat(10)}`));

  test("are redacted as they are in one window, wherever windows and pieces end", () => {
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 3000, max: 60_000 }),
        fc.integer({ min: 50, max: 70_000 }),
        (all, step, size) => {
          const whole = redacted([all], Number.POSITIVE_INFINITY);
          expect(redacted(cut(all, size), step).equals(whole)).toBe(true);
        },
      ),
      { numRuns: repetitions(10, 40) },
    );
  });

  test.each(found.slice(0, 6))("lose %j although windows end at each few of its bytes", (secret) => {
    const pieces = [Buffer.alloc(70_000, "."), Buffer.from(secret), Buffer.alloc(3000, ".")];
    const whole = redacted(pieces, Number.POSITIVE_INFINITY);
    expect(whole.includes(secret)).toBe(false);
    expect(redacted(pieces, 7).equals(whole)).toBe(true);
  });
});

test("pieces without a secret are returned unchanged, the others keep their lengths", () => {
  const pieces = ["abc", token.slice(0, 5), token.slice(5), "abc"].map((text) => Buffer.from(text));
  const result = redactPieces(pieces, rewrites);
  expect(result.map(({ length }) => length)).toEqual(pieces.map(({ length }) => length));
  expect(result.map((piece, index) => piece === pieces[index])).toEqual([true, false, false, true]);
  const clean = [Buffer.from("abc"), Buffer.from("")];
  expect(redactPieces(clean, rewrites)).toBe(clean);
});

test("the input is not modified", () => {
  const piece = Buffer.from(token);
  expect(redacted([piece]).includes(token)).toBe(false);
  expect(piece.toString()).toBe(token);
});
