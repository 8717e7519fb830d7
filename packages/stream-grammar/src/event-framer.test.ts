import { describe, expect, test } from "vitest";
import { createEventFramer } from "./event-framer.ts";
import type { EventFramer } from "./event-framer.ts";

interface Framed {
  readonly events: string[];
  /** Parts of data passed before all of it had arrived. */
  readonly parts: string[];
  readonly framer: EventFramer;
}

interface Options {
  readonly maxLineBytes?: number;
  /** Called after each frame. */
  readonly afterFrame?: (framer: EventFramer) => void;
}

/** Pushes chunks and records all callbacks. */
function frame(chunks: readonly string[], { maxLineBytes = 1000, afterFrame = () => {} }: Options = {}): Framed {
  const events: string[] = [];
  const parts: string[] = [];
  const framer = createEventFramer({
    maxLineBytes,
    onTooLong: (offset) => events.push(`too long@${offset}`),
    onViolation: (code, { offset }) => events.push(`${code}@${offset}`),
    onObservation: (code, { offset }) => events.push(`${code}@${offset}`),
    onFrame({ name, buffer, start, end }) {
      events.push(`${name} ${buffer.toString("utf8", start, end)}`);
      afterFrame(framer);
    },
    onPart: ({ buffer, start, end }) => parts.push(buffer.toString("utf8", start, end)),
    onBlockEnd: ({ endOffset }) => events.push(`end@${endOffset}`),
  });
  for (const chunk of chunks) {
    framer.push(Buffer.from(chunk), 0);
  }
  return { events, parts, framer };
}

describe("data that arrives in parts", () => {
  test.each<{ name: string; chunks: readonly string[]; parts: readonly string[] }>([
    { name: "without its space", chunks: ["event: a\ndata: [", "1,", "2]\n"], parts: ["[", "[1,"] },
    { name: "from after the colon without a space", chunks: ["event: a\ndata:[", "1]\n"], parts: ["["] },
    { name: "with a second space", chunks: ["event: a\ndata:  [", "1]\n"], parts: [" ["] },
    { name: "only after its field name has arrived", chunks: ["event: a\nda", "ta", ": 1", "\n"], parts: ["1"] },
    { name: "not without an event name", chunks: ["data: [", "1]\n"], parts: [] },
    { name: "not a second data line", chunks: ["event: a\ndata: 1\ndata: [", "1]\n"], parts: [] },
    { name: "not another field", chunks: ["event: a\ndatum: [", "1]\n"], parts: [] },
    { name: "not an event name", chunks: ["event: a", "b\n"], parts: [] },
  ])("is shown $name", ({ chunks, parts }) => {
    expect(frame(chunks).parts).toEqual(parts);
  });

  test("may be ignored", () => {
    const names: string[] = [];
    const framer = createEventFramer({
      maxLineBytes: 100,
      onTooLong() {},
      onViolation() {},
      onObservation() {},
      onFrame: ({ name }) => names.push(name),
      onBlockEnd() {},
    });
    framer.push(Buffer.from("event: done\ndata: {"), 0);
    framer.push(Buffer.from("}\n"), 0);
    expect(names).toEqual(["done"]);
  });
});

describe("earlier contents of memory are not part of a line", () => {
  test.each<{ name: string; before: string; chunks: readonly string[]; says: readonly string[] }>([
    { name: "a field name", before: "data: {}", chunks: ["da", "ta\n"], says: ["not-a-field@0"] },
    {
      name: "a field name after a byte order mark",
      before: "abcdata: {}",
      chunks: ["\uFEFFda", "ta\n"],
      says: ["byte-order-mark@0", "not-a-field@3"],
    },
    {
      name: "the space after a colon",
      before: "data: {}",
      chunks: ["da", "ta:\n"],
      says: ["no-space-after-colon@4"],
    },
  ])("$name", ({ before, chunks, says }) => {
    frame([before, "\n"]);
    expect(frame(chunks).events).toEqual(says);
  });
});

describe("a stopped framer", () => {
  test("reads nothing more, not even from the same chunk", () => {
    const text = "event: done\ndata: {}\n\nevent: done\ndata: {}\n\nfoo";
    const { events, parts, framer } = frame([text, "bar\n\nevent: done\ndata: {"], {
      afterFrame: (stoppedFramer) => stoppedFramer.stop(),
    });
    framer.end();
    expect(events).toEqual(["done {}"]);
    expect(parts).toEqual([]);
    expect(framer.isStopped).toBe(true);
  });

  test("shows no parts", () => {
    const { framer, parts } = frame(["event: done\n"]);
    framer.stop();
    framer.push(Buffer.from("data: {"), 0);
    expect(parts).toEqual([]);
  });

  test("by a line that is too long reports that and nothing else", () => {
    const { events, framer } = frame(["event: abcdefgh\nda"], { maxLineBytes: 8 });
    expect(framer.isStopped).toBe(true);
    framer.end();
    expect(events).toEqual(["too long@0"]);
  });
});
