import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { releaseBuffer, acquireBuffer } from "./buffer-pool.ts";

/** Empties the pool, so that it holds only the buffers a test releases. */
function empty(bytes: number): void {
  for (let count = 0; count < 20; count += 1) {
    acquireBuffer(bytes);
  }
}

function given(bytes: number, count: number): readonly Buffer[] {
  empty(bytes);
  const buffers = Array.from({ length: count }, () => acquireBuffer(bytes));
  for (const buffer of buffers) {
    releaseBuffer(buffer);
  }
  return buffers;
}

/** Number of the given buffers that are handed out again. */
function reusedBuffers(bytes: number, buffers: readonly Buffer[]): number {
  const again = buffers.map(() => acquireBuffer(bytes));
  return again.filter((buffer) => buffers.includes(buffer)).length;
}

describe("an acquired buffer", () => {
  test.each([
    { bytes: 0, length: 4096 },
    { bytes: 1, length: 4096 },
    { bytes: 4096, length: 4096 },
    { bytes: 4097, length: 8192 },
    { bytes: 8192, length: 8192 },
    { bytes: 8193, length: 16_384 },
    { bytes: 2 ** 20, length: 2 ** 20 },
    { bytes: 2 ** 20 + 1, length: 2 ** 21 },
  ])("for $bytes bytes is a buffer of $length", ({ bytes, length }) => {
    expect(acquireBuffer(bytes)).toHaveLength(length);
  });

  test("is never too small, and at most twice the requested size above the smallest size", () => {
    fc.assert(
      fc.property(fc.integer({ min: 4096, max: 2 ** 18 }), (bytes) => {
        const buffer = acquireBuffer(bytes);
        expect(buffer.length).toBeGreaterThanOrEqual(bytes);
        expect(buffer.length).toBeLessThan(2 * bytes);
        releaseBuffer(buffer);
      }),
    );
  });
});

describe("a released buffer", () => {
  test.each([
    { bytes: 1, given: 1, kept: 1 },
    { bytes: 5000, given: 8, kept: 8 },
    { bytes: 5000, given: 9, kept: 8 },
    { bytes: 2 ** 20, given: 9, kept: 8 },
    { bytes: 2 ** 20 + 1, given: 1, kept: 1 },
    { bytes: 2 ** 20 + 1, given: 2, kept: 1 },
  ])("is taken again: of $given buffers for $bytes bytes, $kept", ({ bytes, given: count, kept }) => {
    expect(reusedBuffers(bytes, given(bytes, count))).toBe(kept);
  });

  test("is reused for its own size only", () => {
    const [buffer] = given(5000, 1);
    expect(acquireBuffer(4096)).not.toBe(buffer);
    expect(acquireBuffer(8193)).not.toBe(buffer);
    expect(acquireBuffer(8192)).toBe(buffer);
  });

  test("is not handed out twice", () => {
    const buffers = given(5000, 1);
    expect(reusedBuffers(5000, [...buffers, ...buffers])).toBe(1);
  });

  test("is ignored if it is the empty buffer", () => {
    releaseBuffer(Buffer.alloc(0));
    expect(acquireBuffer(0)).toHaveLength(4096);
  });
});
