import { Buffer } from "node:buffer";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { listKeptFiles, openKeptFile } from "./kept-exchanges.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-kept-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Encodes a number with 7 bits per byte. */
const varint = (value: number): readonly number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))];

function frame(kind: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(kind), content]);
  const [head, tail] = [Buffer.alloc(4), Buffer.alloc(4)];
  head.writeUInt32LE(body.length + 4);
  tail.writeUInt32LE(crc32(body));
  return Buffer.concat([head, body, tail]);
}

const piece = (id: number, text: string): Buffer => frame("P", Buffer.from([...varint(id), ...Buffer.from(text)]));

const request = JSON.stringify({
  method: "GET",
  url: "http://h/.api/search/stream?q=x",
  headers: [["Authorization", "token x"]],
});

interface Written {
  readonly head?: object;
  readonly parts?: readonly number[];
  readonly chunks?: readonly (readonly [number, number])[];
}

function exchange({
  head = {},
  parts = [3, 4],
  chunks = [
    [3, 5],
    [4, 7],
  ],
}: Written = {}): Buffer {
  const told = {
    id: "e1",
    phase: "measure",
    side: "base",
    query: "q",
    request: 1,
    status: 200,
    headers: 2,
    inFlight: 4,
  };
  const text = Buffer.from(JSON.stringify({ ...told, ratePerSecond: 9, sentAtMicros: 10, endedAtMicros: 40, ...head }));
  const numbers = [
    ...varint(parts.length),
    ...parts.flatMap(varint),
    ...varint(chunks.length),
    ...chunks.flat().flatMap(varint),
  ];
  return frame("X", Buffer.from([...varint(text.length), ...text, ...numbers]));
}

const pieces = [
  piece(1, request),
  piece(2, '[["Content-Type","text/event-stream"]]'),
  piece(3, "abcd"),
  piece(4, "efg"),
];
const magic = Buffer.from("ASSAYEX1");

let number = 0;

/** Reads a file: each exchange with the text and times of its chunks, and why reading ended early. */
function readFrom(...parts: readonly Uint8Array[]) {
  number += 1;
  const path = join(folder, `search-${String(number).padStart(2, "0")}.bin`);
  writeFileSync(path, Buffer.concat(parts));
  const file = openKeptFile(path);
  const found = [...file.entries()].map((entry) =>
    entry.kind === "exchange"
      ? {
          id: entry.exchange.record.id,
          load: entry.load,
          chunks: Array.from(entry.exchange.chunks(), ({ bytes, atMicros }) => [
            Buffer.from(bytes).toString(),
            atMicros,
          ]),
        }
      : entry,
  );
  file.close();
  return { found, problem: file.problem() };
}

const whole = {
  id: "e1",
  load: { phase: "measure", side: "base", query: "q", inFlight: 4, ratePerSecond: 9 },
  chunks: [
    ["abc", 15],
    ["defg", 22],
  ],
};

describe("a file of kept exchanges", () => {
  test("returns bodies in their original chunks, whatever pieces they are stored in", () => {
    expect(readFrom(magic, ...pieces, exchange())).toEqual({ found: [whole], problem: undefined });
  });

  test("of an earlier version has arms instead of sides", () => {
    const { found } = readFrom(magic, ...pieces, exchange({ head: { side: undefined, arm: "b" } }));
    expect(found).toEqual([{ ...whole, load: { ...whole.load, side: "head" } }]);
  });

  test("caches recent pieces, and reports the end of a conversation", () => {
    const over = frame("E", Buffer.from("c1"));
    const { found, problem } = readFrom(magic, ...pieces, frame("F", Buffer.alloc(0)), exchange(), over);
    expect([found, problem]).toEqual([[whole, { kind: "session-over", session: "c1" }], undefined]);
  });

  test.each([
    { name: "the first poller", head: {}, session: "c1" },
    { name: "another poller", head: { poller: "2" }, session: "c1-2" },
  ])("returns the conversation of a call, and that $name sent it", ({ head, session }) => {
    const path = join(folder, `conversation-${session}.bin`);
    writeFileSync(path, Buffer.concat([magic, ...pieces, exchange({ head: { session: "c1", ...head } })]));
    const file = openKeptFile(path);
    expect([...file.entries()]).toMatchObject([{ conversation: "c1", exchange: { record: { session } } }]);
    file.close();
  });

  const bytes = Buffer.concat([magic, ...pieces, exchange(), exchange()]);
  const lengths = Array.from({ length: exchange().length }, (_, index) => bytes.length - 1 - index);
  test("is read up to a truncated last record", () => {
    for (const length of lengths) {
      expect(readFrom(bytes.subarray(0, length))).toEqual({ found: [whole], problem: undefined });
    }
  });

  test.each<[string, readonly Uint8Array[], string]>([
    ["that is something else", [Buffer.from("{}")], "it is not a file of exchanges"],
    [
      "with a record of no length",
      [magic, ...pieces, exchange(), Buffer.alloc(8)],
      "a record in it has an impossible length",
    ],
    [
      "with a record beyond measure",
      [magic, ...pieces, exchange(), Buffer.alloc(8, 255)],
      "a record in it has an impossible length",
    ],
    [
      "that was changed",
      [magic, ...pieces, exchange(), Buffer.from(exchange()).fill(1, 9, 12)],
      "a record in it is damaged",
    ],
    [
      "with a missing piece",
      [magic, ...pieces, exchange(), exchange({ parts: [99] })],
      "a piece of an exchange is missing",
    ],
    [
      "whose pieces were forgotten twice",
      [magic, ...pieces, exchange(), frame("F", Buffer.alloc(0)), frame("F", Buffer.alloc(0)), exchange()],
      "a piece of an exchange is missing",
    ],
    [
      "whose chunks are not the body",
      [magic, ...pieces, exchange(), exchange({ chunks: [[1, 1]] })],
      "the description of an exchange is inconsistent",
    ],
    [
      "with an id that is none",
      [magic, ...pieces, exchange(), exchange({ head: { id: "\n" } })],
      "the description of an exchange is inconsistent",
    ],
    [
      "with a head that is not an object",
      [magic, ...pieces, exchange(), frame("X", Buffer.from([1, 49]))],
      "the description of an exchange cannot be read",
    ],
    [
      "with a head that is longer than it",
      [magic, ...pieces, exchange(), frame("X", Buffer.from([255, 255, 255, 127]))],
      "the description of an exchange is too long",
    ],
    ["with half a number", [magic, ...pieces, exchange(), frame("P", Buffer.from([255]))], "a number is incomplete"],
  ])("%s is read up to there and says why", (_name, parts, problem) => {
    const { found, ...rest } = readFrom(...parts);
    expect([rest.problem, found.every((entry) => "id" in entry && entry.id === "e1")]).toEqual([problem, true]);
  });

  describe("that is still being written", () => {
    /** Reads a file that grows to each of these states, and then what is left at its end. */
    function followed(states: readonly Uint8Array[]) {
      number += 1;
      const path = join(folder, `growing-${number}.bin`);
      writeFileSync(path, "");
      const file = openKeptFile(path);
      const ids = (isGrowing: boolean): readonly string[] =>
        Array.from(file.entries({ isGrowing }), (entry) =>
          entry.kind === "exchange" ? entry.exchange.record.id : entry.session,
        );
      const meanwhile = states.map((state) => {
        writeFileSync(path, state);
        return ids(true);
      });
      const atLast = ids(false);
      file.close();
      return { meanwhile, atLast, problem: file.problem() };
    }
    const file = Buffer.concat([magic, ...pieces, exchange(), frame("E", Buffer.from("c1")), exchange()]);
    const lengthsOf = Array.from({ length: file.length + 1 }, (_, length) => length);

    test("is read record by record, however small the pieces", () => {
      const { meanwhile, atLast, problem } = followed(lengthsOf.map((length) => file.subarray(0, length)));
      expect([meanwhile.flat(), atLast, problem]).toEqual([["e1", "c1", "e1"], [], undefined]);
    });

    test("leaves incomplete data to the next call, even if its space is allocated", () => {
      const { meanwhile, atLast, problem } = followed(
        lengthsOf.map((length) => Buffer.concat([file.subarray(0, length), Buffer.alloc(file.length - length)])),
      );
      expect([meanwhile.flat(), atLast, problem]).toEqual([["e1", "c1", "e1"], [], undefined]);
    });

    test.each<[string, Uint8Array, string]>([
      ["that is another file", Buffer.from("{}        "), "it is not a file of exchanges"],
      ["that is damaged", Buffer.from(file).fill(1, 20, 24), "a record in it is damaged"],
    ])("%s is so at its end only", (_name, content, why) => {
      const { meanwhile, problem } = followed([content, content]);
      expect([meanwhile, problem]).toEqual([[[], []], why]);
    });

    test("is read up to where the caller stopped", () => {
      const { found } = readFrom(file);
      number += 1;
      const path = join(folder, `left-${number}.bin`);
      writeFileSync(path, file);
      const kept = openKeptFile(path);
      const one = kept.entries({ isGrowing: true }).next();
      const rest = [...kept.entries()];
      kept.close();
      expect([one.done, rest.length]).toEqual([false, found.length - 1]);
    });
  });

  test("is found by its name, and a missing folder has none", () => {
    const own = mkdtempSync(join(folder, "own-"));
    for (const name of ["search-01.bin", "conversation-00.bin", "search-1.bin", "other.bin", "counts.json"]) {
      writeFileSync(join(own, name), "");
    }
    expect(listKeptFiles(own)).toEqual(["conversation-00.bin", "search-01.bin"].map((name) => join(own, name)));
    expect(listKeptFiles(join(folder, "none"))).toEqual([]);
  });
});
