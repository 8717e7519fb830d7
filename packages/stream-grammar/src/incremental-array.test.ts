import { repetitions } from "@assay/tools/proving";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createIncrementalArray } from "./incremental-array.ts";
import { checkStream, cut } from "./testing/check-stream.ts";

interface Grown {
  readonly value: readonly unknown[] | undefined;
  /** Copied by value: parsing ahead writes into the buffer temporarily. */
  readonly bytes: Buffer;
}

/** Passes the text in parts that end at the given offsets, then as a whole. */
function growing(text: string | Buffer, ends: readonly number[], minPieceBytes = 1): Grown {
  const bytes = Buffer.from(text);
  const ahead = createIncrementalArray(minPieceBytes);
  const part = { buffer: bytes, start: 0, mayHoldNonAscii: true };
  for (const end of ends) {
    ahead.grow({ ...part, end });
  }
  return { value: ahead.finish({ ...part, end: bytes.length }), bytes };
}

const everywhere = (text: string): readonly number[] => Array.from(Buffer.from(text), (_, index) => index);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

describe("a value that arrives in parts", () => {
  test.each([
    { name: "objects that begin with their type", text: '[{"type":"a"},{"type":"b","x":[1]},{"type":"c"}]' },
    { name: "text outside ASCII", text: '[{"type":"a","x":"ä🔎"},{"type":"b","x":"→"},{"type":"c"}]' },
    { name: "a member named __proto__", text: '[{"type":"a","__proto__":1},{"type":"b","__proto__":{}}]' },
    { name: "white space after the array", text: '[{"type":"a"},{"type":"b"}]  ' },
  ])("$name is parsed ahead", ({ text }) => {
    expect(growing(text, everywhere(text)).value).toEqual(JSON.parse(text));
  });

  test.each([
    { name: "an object", text: '{"a":[{"type":"a"},{"type":"b"}]}' },
    { name: "an array that is too short to parse early", text: '[{"type":"a"}]' },
    { name: "a boundary deeper down", text: '[{"type":"a","x":[{"type":"b"},{"type":"c"}]},{"type":"d"}]' },
    { name: "text that looks like a boundary", text: '[{"type":"a},{","x":"},{\\"type\\":\\""},{"x":1}]' },
    { name: "a text that ends where an object might", text: '[{"x":"},{"type":"b"},{"type":"c"}]' },
    { name: "two arrays", text: '[{"type":"a"}],[{"type":"b"},{"type":"c"}]' },
    { name: "a second array after the first", text: '[{"type":"a"},{"type":"b"}][{"type":"c"}]' },
    { name: "an array without its end", text: '[{"type":"a"},{"type":"b"}' },
    { name: "a comma before the end", text: '[{"type":"a"},{"type":"b"},]' },
  ])("$name is left to be parsed as a whole", ({ text }) => {
    expect(growing(text, everywhere(text)).value).toBeUndefined();
  });

  describe("is parsed", () => {
    const before = "data: ".repeat(4);

    /** The same with other bytes before the value. */
    const inside = (text: string, ends: readonly number[], minPieceBytes: number): readonly unknown[] | undefined => {
      const buffer = Buffer.from(before + text);
      const ahead = createIncrementalArray(minPieceBytes);
      const part = { buffer, start: before.length, mayHoldNonAscii: false };
      for (const end of ends) {
        ahead.grow({ ...part, end: before.length + end });
      }
      return ahead.finish({ ...part, end: buffer.length });
    };

    test("once enough of it has arrived, to the byte", () => {
      const arrived = '[{"type":"a"},{"type":"b"}';
      const text = `${arrived}]`;
      expect(inside(text, [arrived.length], arrived.length)).toEqual(JSON.parse(text));
      expect(inside(text, [arrived.length], arrived.length + 1)).toBeUndefined();
    });

    test("again only after as many new bytes", () => {
      const arrived = `[{"type":"${"a".repeat(50)}"},{"type":"b"}`;
      const deeper = ',{"x":[{"type":"b"},{"type":"c"';
      const text = `${arrived}${deeper}}]}]`;
      const ends = [arrived.length, arrived.length + deeper.length];
      // Checking the deeper boundary would have stopped the incremental parsing.
      expect(inside(text, ends, arrived.length)).toEqual(JSON.parse(text));
      expect(inside(text, ends, 1)).toBeUndefined();
    });

    test("from the end of the last search", () => {
      const text = '[{"type":"aaaaaaaaaaaaaaaa"},{"type":"b"}]';
      const cutInBoundary = text.indexOf("},{") + 4;
      expect(inside(text, [cutInBoundary, text.length - 1], 1)).toEqual(JSON.parse(text));
    });
  });

  test("a value after an abandoned one is parsed incrementally again", () => {
    const ahead = createIncrementalArray(1);
    const values = ['[{"x":[{"type":"a"},{"type":"b"}]}]', '[{"type":"a"},{"type":"b"}]'].map((text) => {
      const part = { buffer: Buffer.from(text), start: 0, mayHoldNonAscii: false };
      ahead.grow({ ...part, end: part.buffer.length - 2 });
      return ahead.finish({ ...part, end: part.buffer.length });
    });
    expect(values).toEqual([undefined, [{ type: "a" }, { type: "b" }]]);
  });
});

/** Text that is often a long array and often only looks like one. */
const arrayText = (): fc.Arbitrary<string> => {
  const element = fc.oneof(
    fc.record({ type: fc.string(), x: fc.jsonValue() }).map((value) => JSON.stringify(value)),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.constantFrom(
      '{"type":"a","x":[{"type":"b"},{"type":"c"}]}',
      '"},{"',
      '{"type":"},{\\"type\\":\\""}',
      "[",
      "]",
      "}",
      '"',
    ),
  );
  return fc.array(element, { maxLength: 12 }).map((elements) => `[${elements.join(",")}]`);
};

test("incremental parsing gives the same result as parsing the whole, and leaves the bytes unchanged", () => {
  fc.assert(
    fc.property(arrayText(), fc.array(fc.nat()), fc.integer({ min: 1, max: 30 }), (text, places, minPieceBytes) => {
      const length = Buffer.byteLength(text);
      const ends = places.map((place) => place % (length + 1)).sort((a, b) => a - b);
      const { value, bytes } = growing(text, ends, minPieceBytes);
      expect(bytes.toString()).toBe(text);
      expect(value ?? parsed(text)).toEqual(parsed(text));
    }),
    { numRuns: repetitions(500, 2000) },
  );
});

test("bytes that are not UTF-8 read as they do in one piece", () => {
  const bytes = Buffer.from('[{"type":"a\xe2\x82"},{"type":"\xff"},{"type":"\xf0\x9f"}]', "latin1");
  const { value } = growing(bytes, [...bytes.keys()]);
  expect(value).toEqual(JSON.parse(bytes.toString("utf8")));
});

describe("a long event", () => {
  const matches = Array.from({ length: 20_000 }, (_, index) => ({ type: "content", path: `größe/${index}` }));
  const json = JSON.stringify(matches);

  test.each([
    { name: "is JSON", data: json },
    { name: "lacks its last bracket", data: json.slice(0, -1) },
    { name: "is broken in its middle", data: json.replace('"größe/10000"', "10000,") },
    { name: "ends in a carriage return", data: `${json}\r` },
    { name: "is followed by another data line", data: `${json}\ndata: ${json}` },
    { name: "begins with two spaces", data: ` ${json}` },
  ])("that $name is judged alike in one chunk and in many", ({ data }) => {
    const bytes = Buffer.from(`event: matches\ndata: ${data}\n\nevent: done\ndata: {}\n\n`);
    const cuts = Array.from({ length: 100 }, (_, index) => (index * bytes.length) / 100);
    const stamped = ({ events, findings }: ReturnType<typeof checkStream>): unknown => ({
      events: events.map((event) => ({ ...event, atMicros: 0 })),
      findings,
    });
    expect(stamped(checkStream(cut(bytes, cuts.map(Math.floor))))).toEqual(stamped(checkStream([bytes])));
  });
});
