import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createChunkClock } from "./chunk-clock.ts";

type Chunks = readonly (readonly [bytes: number, atMicros: number])[];

function timesOf(chunks: Chunks, offsets: readonly number[]): readonly number[] {
  const clock = createChunkClock();
  for (const [bytes, atMicros] of chunks) {
    clock.add(bytes, atMicros);
  }
  return offsets.map((offset) => clock.timeAt(offset));
}

describe("the clock of a body", () => {
  test.each<{ name: string; chunks: Chunks; offsets: readonly number[]; times: readonly number[] }>([
    {
      name: "returns the time of the chunk with the byte",
      chunks: [
        [3, 10],
        [2, 20],
      ],
      offsets: [0, 2, 3, 4],
      times: [10, 10, 20, 20],
    },
    {
      name: "returns the latest time for bytes not yet received",
      chunks: [[3, 10]],
      offsets: [3, 99],
      times: [10, 10],
    },
    { name: "is zero without chunks", chunks: [], offsets: [0], times: [0] },
    {
      name: "never goes back",
      chunks: [
        [1, 10],
        [1, 5],
        [1, 12],
      ],
      offsets: [0, 1, 2],
      times: [10, 10, 12],
    },
    {
      name: "passes empty chunks",
      chunks: [
        [1, 10],
        [0, 11],
        [1, 12],
      ],
      offsets: [0, 1],
      times: [10, 12],
    },
  ])("$name", ({ chunks, offsets, times }) => {
    expect(timesOf(chunks, offsets)).toEqual(times);
  });

  test("agrees with a lookup of each byte, also for bodies of many chunks", () => {
    const sizes = fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 3000 });
    fc.assert(
      fc.property(sizes, (bytes) => {
        const owners = bytes.flatMap((count, index) => Array.from({ length: count }, () => index));
        const chunks = bytes.map((count, index) => [count, index] as const);
        expect(timesOf(chunks, [...owners.keys()])).toEqual(owners);
      }),
      { numRuns: 20 },
    );
  });
});
