import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { readStdin } from "./read-stdin.ts";

describe("standard input as text", () => {
  test("is the whole input", async () => {
    expect(await readStdin(Readable.from(["sgp_", "0123", "\n"]))).toBe("sgp_0123\n");
  });

  test("is empty for empty input", async () => {
    expect(await readStdin(Readable.from([]))).toBe("");
  });

  test("keeps characters that were cut by a piece", async () => {
    const bytes = Buffer.from("é😀");
    expect(await readStdin(Readable.from(Array.from(bytes, (byte) => Buffer.of(byte))))).toBe("é😀");
  });

  test("is not read without end", async () => {
    function* endless() {
      for (;;) {
        yield Buffer.alloc(100_000, "x");
      }
    }
    expect((await readStdin(Readable.from(endless()))).length).toBeLessThan(1_200_000);
  });
});
