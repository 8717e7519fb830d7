import { Buffer } from "node:buffer";
import type { Chunk } from "@assay/evidence";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createBodyRecorder, type RecorderLimits } from "./body-recorder.ts";

const record = (pushed: readonly Chunk[], limits?: RecorderLimits) => {
  const recorder = createBodyRecorder(limits);
  pushed.forEach((chunk) => recorder.push(chunk));
  return { chunks: recorder.chunks(), mergedChunks: recorder.mergedChunks };
};

const bytesOf = (chunks: readonly Chunk[]): Buffer => Buffer.concat(chunks.map(({ bytes }) => bytes));

/** The time of each byte. */
const arrivals = (chunks: readonly Chunk[]): readonly number[] =>
  chunks.flatMap(({ bytes, atMicros }) => Array.from(bytes, () => atMicros));

const limits: RecorderLimits = { exactChunks: 10, mergedMicros: 50, maxChunks: 15 };

/** Chunks whose times never decrease. */
const arriving = fc.array(fc.tuple(fc.uint8Array({ maxLength: 3000 }), fc.nat(40)), { maxLength: 60 }).map((parts) => {
  let atMicros = 0;
  return parts.map(([bytes, waitMicros]): Chunk => ({ bytes, atMicros: (atMicros += waitMicros) }));
});

describe("a recorded body", () => {
  test("has all bytes in order, none earlier than its arrival and none later than the last", () => {
    fc.assert(
      fc.property(arriving, (pushed) => {
        const { chunks } = record(pushed, limits);
        const [came, recorded] = [arrivals(pushed), arrivals(chunks)];
        expect(bytesOf(chunks).equals(bytesOf(pushed))).toBe(true);
        expect(recorded.every((atMicros, index) => atMicros >= (came[index] ?? Number.NaN))).toBe(true);
        expect(recorded.at(-1)).toBe(came.at(-1));
      }),
    );
  });

  test("keeps chunks of different times apart while they are few", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 5000 }), { maxLength: 10 }), (parts) => {
        const pushed = parts.map((bytes, index) => ({ bytes, atMicros: index }));
        const { chunks, mergedChunks } = record(pushed, limits);
        expect(chunks.map(({ bytes, atMicros }) => [[...bytes], atMicros])).toEqual(
          pushed.map(({ bytes, atMicros }) => [[...bytes], atMicros]),
        );
        expect(mergedChunks).toBe(0);
      }),
    );
  });

  test("is one chunk if the times are equal", () => {
    const { chunks, mergedChunks } = record(["a", "b", ""].map((text) => ({ bytes: Buffer.from(text), atMicros: 5 })));
    expect(chunks).toEqual([{ bytes: Buffer.from("ab"), atMicros: 5 }]);
    expect(mergedChunks).toBe(0);
  });

  test("of very many chunks keeps the first ones separate and then merges close ones", () => {
    const pushed = Array.from({ length: 100 }, (_, index) => ({ bytes: Buffer.from("x"), atMicros: index * 20 }));
    const { chunks, mergedChunks } = record(pushed, limits);
    expect(chunks.map(({ bytes, atMicros }) => [bytes.length, atMicros])).toEqual([
      ...Array.from({ length: 9 }, (_, index) => [1, index * 20]),
      ...Array.from({ length: 5 }, (_, index) => [3, 220 + index * 60]),
      [76, 1980],
    ]);
    expect(mergedChunks).toBe(85);
  });
});

test("three million single bytes, each at its own time, take little memory", () => {
  const recorder = createBodyRecorder();
  const bytes = Buffer.from("x");
  for (let atMicros = 0; atMicros < 3_000_000; atMicros++) {
    recorder.push({ bytes, atMicros });
  }
  const chunks = recorder.chunks();
  expect(chunks.length).toBeLessThan(10_100);
  expect(chunks.reduce((sum, { bytes: { buffer } }) => sum.add(buffer), new Set()).size).toBeLessThan(20);
  expect(recorder.mergedChunks).toBe(3_000_000 - chunks.length);
});
