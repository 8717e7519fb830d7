import { describe, expect, test } from "vitest";
import { createLineSplitter } from "./line-splitter.ts";
import type { Line, LineSplitter } from "./line-splitter.ts";

interface Seen {
  readonly text: string;
  readonly offset: number;
  readonly atMicros: number;
  readonly mayHoldCr: boolean;
  readonly mayHoldNonAscii: boolean;
}

interface Recorded {
  readonly splitter: LineSplitter;
  readonly lines: Seen[];
  readonly parts: Seen[];
  readonly partBuffers: Buffer[];
  readonly tooLong: number[];
}

const seen = ({ buffer, start, end, offset, atMicros, mayHoldCr, mayHoldNonAscii }: Line): Seen => ({
  text: buffer.toString("utf8", start, end),
  offset,
  atMicros,
  mayHoldCr,
  mayHoldNonAscii,
});

/** Pushes chunks (chunk n has time n) and records all callbacks. */
function record(chunks: readonly string[], maxLineBytes = 2 ** 20): Recorded {
  const recorded = { lines: [], parts: [], partBuffers: [], tooLong: [] };
  const { lines, parts, partBuffers, tooLong }: Omit<Recorded, "splitter"> = recorded;
  const splitter = createLineSplitter({
    maxLineBytes,
    onLine: (line) => lines.push(seen(line)),
    onPart(line) {
      parts.push(seen(line));
      partBuffers.push(line.buffer);
    },
    onTooLong: (offset) => tooLong.push(offset),
  });
  for (const [index, chunk] of chunks.entries()) {
    splitter.push(Buffer.from(chunk), index);
  }
  return { splitter, lines, parts, partBuffers, tooLong };
}

const plain = { mayHoldCr: false, mayHoldNonAscii: false };

describe("a line", () => {
  test("has its text, its position and the time of the chunk that completed it", () => {
    const { lines, splitter } = record(["a\n\nb", "c", "\nd\ne"]);
    expect(lines).toEqual([
      { text: "a", offset: 0, atMicros: 0, ...plain },
      { text: "", offset: 2, atMicros: 0, ...plain },
      { text: "bc", offset: 3, atMicros: 2, ...plain },
      { text: "d", offset: 6, atMicros: 2, ...plain },
    ]);
    expect(splitter.unfinishedLine()).toMatchObject({ start: 0, end: 1, offset: 8, atMicros: 2, ...plain });
    expect(splitter.bytes).toBe(9);
  });

  test.each([
    { name: "a carriage return", text: "\r", marks: { mayHoldCr: true, mayHoldNonAscii: false } },
    { name: "bytes above 127", text: "ä", marks: { mayHoldCr: false, mayHoldNonAscii: true } },
  ])("is marked when it may hold $name, and only then", ({ text, marks }) => {
    const { lines, splitter } = record([`${text}\n`, "a\n", `b${text}`, "b\n", "c", "c\n", "d"]);
    expect(lines.map(({ mayHoldCr, mayHoldNonAscii }) => ({ mayHoldCr, mayHoldNonAscii }))).toEqual([
      marks,
      plain,
      marks,
      plain,
    ]);
    expect(splitter.unfinishedLine()).toMatchObject(plain);
    expect(record(["a", text]).splitter.unfinishedLine()).toMatchObject(marks);
  });

  test("is not a rest once it is complete", () => {
    expect(record(["a", "b\n"]).splitter.unfinishedLine()).toBeUndefined();
  });
});

describe("a part of a line", () => {
  test("is everything that has arrived of the line", () => {
    expect(record(["a\nb", "c", "\n\nd", "ä", "\r", "\n"]).parts).toEqual([
      { text: "b", offset: 2, atMicros: 0, ...plain },
      { text: "bc", offset: 2, atMicros: 1, ...plain },
      { text: "d", offset: 6, atMicros: 2, ...plain },
      { text: "dä", offset: 6, atMicros: 3, mayHoldCr: false, mayHoldNonAscii: true },
      { text: "dä\r", offset: 6, atMicros: 4, mayHoldCr: true, mayHoldNonAscii: true },
    ]);
  });

  test("is not passed if a chunk ends with its line, or without a chunk", () => {
    expect(record(["a\n", "", "b\n\n"]).parts).toEqual([]);
  });

  test("stays in one buffer until the buffer is full", () => {
    const { partBuffers } = record(["a", "b".repeat(4094), "c", "d"]);
    const [first] = partBuffers;
    expect(partBuffers.map((buffer) => buffer === first)).toEqual([true, true, true, false]);
    expect(first).toHaveLength(4096);
  });

  test("may be ignored", () => {
    const lines: string[] = [];
    const splitter = createLineSplitter({
      maxLineBytes: 10,
      onLine: (line) => lines.push(seen(line).text),
      onTooLong() {},
    });
    splitter.push(Buffer.from("a"), 0);
    splitter.push(Buffer.from("b\n"), 0);
    expect(lines).toEqual(["ab"]);
  });
});

describe("a line that is too long", () => {
  test.each([
    { name: "in one chunk", chunks: ["a\nbcde\nf\n"] },
    { name: "with its end in another chunk", chunks: ["a\nbc", "de\nf\n"] },
    { name: "without its end", chunks: ["a\n", "bcde", "f\n"] },
    { name: "without its end, in two chunks", chunks: ["a\nbc", "de", "f\n"] },
  ])("$name is reported once, and nothing after it is read", ({ chunks }) => {
    const { lines, parts, tooLong, splitter } = record(chunks, 3);
    expect(tooLong).toEqual([2]);
    expect(lines.map(({ text }) => text)).toEqual(["a"]);
    expect(parts.filter(({ text }) => text.length > 3)).toEqual([]);
    expect(parts.at(-1)?.text ?? "bc").toBe("bc");
    expect(parts.length).toBeLessThan(2);
    expect(splitter.unfinishedLine()).toBeUndefined();
  });
});
