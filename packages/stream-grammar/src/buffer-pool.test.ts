import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { giveBack, take } from "./buffer-pool.ts";

/** Takes until nothing given back is left, so that what a test gives back is all there is. */
function empty(bytes: number): void {
  for (let count = 0; count < 20; count += 1) {
    take(bytes);
  }
}

function given(bytes: number, count: number): readonly Buffer[] {
  empty(bytes);
  const buffers = Array.from({ length: count }, () => take(bytes));
  for (const buffer of buffers) {
    giveBack(buffer);
  }
  return buffers;
}

/** Which of the given buffers come back when as many are taken again. */
function comeBack(bytes: number, buffers: readonly Buffer[]): number {
  const again = buffers.map(() => take(bytes));
  return again.filter((buffer) => buffers.includes(buffer)).length;
}

describe("what is taken", () => {
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
    expect(take(bytes)).toHaveLength(length);
  });

  test("is never too small, and at most twice what was asked for above the smallest size", () => {
    fc.assert(
      fc.property(fc.integer({ min: 4096, max: 2 ** 18 }), (bytes) => {
        const buffer = take(bytes);
        expect(buffer.length).toBeGreaterThanOrEqual(bytes);
        expect(buffer.length).toBeLessThan(2 * bytes);
        giveBack(buffer);
      }),
    );
  });
});

describe("what is given back", () => {
  test.each([
    { bytes: 1, given: 1, kept: 1 },
    { bytes: 5000, given: 8, kept: 8 },
    { bytes: 5000, given: 9, kept: 8 },
    { bytes: 2 ** 20, given: 9, kept: 8 },
    { bytes: 2 ** 20 + 1, given: 1, kept: 1 },
    { bytes: 2 ** 20 + 1, given: 2, kept: 1 },
  ])("is taken again: of $given buffers for $bytes bytes, $kept", ({ bytes, given: count, kept }) => {
    expect(comeBack(bytes, given(bytes, count))).toBe(kept);
  });

  test("is taken again for its own size only", () => {
    const [buffer] = given(5000, 1);
    expect(take(4096)).not.toBe(buffer);
    expect(take(8193)).not.toBe(buffer);
    expect(take(8192)).toBe(buffer);
  });

  test("is not handed out twice", () => {
    const buffers = given(5000, 1);
    expect(comeBack(5000, [...buffers, ...buffers])).toBe(1);
  });

  test("is ignored when it is the empty buffer that no line has been kept in", () => {
    giveBack(Buffer.alloc(0));
    expect(take(0)).toHaveLength(4096);
  });
});
