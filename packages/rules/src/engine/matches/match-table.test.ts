import { Buffer } from "node:buffer";
import { repetitions } from "@assay/tools/proving";
import fc from "fast-check";
import type { StreamEvent } from "@assay/stream-grammar";
import { describe, expect, test } from "vitest";
import { FileIndex } from "./file-index.ts";
import type { Match, MatchList } from "./match.ts";
import { MatchTable, createMatchReader } from "./match-table.ts";
import { readMatches } from "./read-matches.ts";

const position = { start: { offset: 0, line: 0, column: 0 }, end: { offset: 3, line: 0, column: 3 } };

const content = (members: object = {}): object => ({
  type: "content",
  path: "src/größe.ts",
  repositoryID: 7,
  repository: "a/repository",
  hunks: null,
  ...members,
});

const withLines = content({
  commit: "0123456789abcdef",
  language: "Go",
  branches: ["main", "next"],
  repoLastFetched: "2026-11-27T08:30:00Z",
  pathMatches: [position],
  lineMatches: [
    { line: '\ta "quoted" line', lineNumber: 3, offsetAndLengths: [[1, 4]] },
    { lineNumber: 4, offsetAndLengths: [], line: "größe" },
    {
      line: "last",
      offsetAndLengths: [
        [0, 1],
        [2, 2],
      ],
      lineNumber: 9,
    },
  ],
});
const withChunks = content({
  chunkMatches: [
    { context: "a\nb", contextStart: {}, ranges: [position, position] },
    { context: "c", ranges: [] },
  ],
});

const eventOf = (value: unknown): StreamEvent => ({
  name: "matches",
  index: 1,
  offset: 5,
  dataOffset: 20,
  dataBytes: 100,
  atMicros: 0,
  parsed: true,
  value,
});

/** Passes the data of an event to a reader, in parts that end at these offsets. */
function readData(text: string | Buffer, ends: readonly number[] = [], reader = createMatchReader()): unknown {
  const before = "data: ";
  const buffer = Buffer.concat([Buffer.from(before), Buffer.from(text), Buffer.from("\n")]);
  const part = { buffer, start: before.length, mayHoldNonAscii: true };
  for (const end of ends) {
    reader.grow({ ...part, end: before.length + end });
  }
  return reader.finish({ ...part, end: buffer.length - 1 });
}

const members = [
  "index",
  "value",
  "isObject",
  "type",
  "repository",
  "path",
  "commit",
  "language",
  "repoLastFetched",
  "hasKnownFetchTime",
  "fileNumber",
  "isFirstOfFile",
  "branchCount",
  "hunkCount",
  "hasLineMatches",
  "hasListedChunks",
  "chunkCount",
  "chunks",
  "hasContexts",
  "marks",
] as const;

/** Everything that rules can read of a match. */
function factsOf(match: Match): unknown {
  const { lines, pathRanges } = match;
  const indexes = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
  return {
    ...Object.fromEntries(members.map((name) => [name, match[name]])),
    fitsSchema: match.type === "content" && match.fitsSchema,
    positions: [match.position(), match.position("/type")],
    lines: indexes(lines.count).map((line) => ({
      number: lines.number(line),
      text: lines.text(line),
      hasPairs: lines.hasPairs(line),
      pairs: indexes(lines.pairCount(line)).map((pair) => lines.pair(line, pair)),
    })),
    pathRanges: indexes(pathRanges.count).map((range) => pathRanges.offsets(range)),
  };
}

const allFacts = (list: MatchList): readonly unknown[] =>
  Array.from({ length: list.length }, (_, index) => factsOf(list.at(index)));

const factsIn = (value: unknown): readonly unknown[] => allFacts(readMatches(eventOf(value), new FileIndex()));

describe("an array of matches is read without being parsed", () => {
  test.each<{ name: string; matches: readonly unknown[] }>([
    { name: "without elements", matches: [] },
    { name: "with lines", matches: [withLines, withLines] },
    { name: "with chunk matches", matches: [withChunks] },
    { name: "with chunk matches under another name", matches: [content({ pieces: [{ context: "a" }] })] },
    { name: "with arrays under other names", matches: [content({ pieces: [{ text: "a" }], more: [] })] },
    { name: "with both lines and chunk matches", matches: [{ ...withLines, ...withChunks }] },
    { name: "with hunks", matches: [content({ hunks: [1, 2] })] },
    { name: "with neither lines nor chunk matches", matches: [content({ lineMatches: [], chunkMatches: [] })] },
    {
      name: "of other types",
      matches: [{ type: "path", repository: "a", path: "b" }, withLines, { type: 1 }, null, 3],
    },
    { name: "that do not fit the schema", matches: [content({ path: 1 }), content({ lineMatches: {} })] },
    { name: "with texts in other types", matches: [content({ language: 1 }), content({ commit: "x" })] },
    { name: "with a chunk match without context", matches: [content({ chunkMatches: [{ content: "a" }, 1] })] },
    { name: "with fractions", matches: [content({ repositoryID: 1.5 }), content({ repositoryID: 1e3 })] },
  ])("$name", ({ matches }) => {
    const table = readData(JSON.stringify(matches));
    expect(table).toBeInstanceOf(MatchTable);
    expect(factsIn(table)).toEqual(factsIn(JSON.parse(JSON.stringify(matches))));
  });

  test("whatever its white space", () => {
    const text = ` [ ${JSON.stringify(withLines, undefined, " ").replaceAll("\n", " ")} , {"type":"path"} ] `;
    expect(factsIn(readData(text))).toEqual(factsIn(JSON.parse(text)));
  });

  test("after another array, whose elements are gone", () => {
    const reader = createMatchReader();
    readData(JSON.stringify([withChunks, withLines]), [], reader);
    const text = JSON.stringify([withLines]);
    expect(factsIn(readData(text, [], reader))).toEqual(factsIn(JSON.parse(text)));
  });
});

test.each<{ name: string; text: string }>([
  { name: "an object", text: "{}" },
  { name: "an array without its end", text: '[{"type":"a"}' },
  { name: "a comma before the end", text: '[{"type":"a"},]' },
  { name: "two arrays", text: "[][]" },
  { name: "elements without a comma", text: '[{"type":"a"}{"type":"b"}]' },
  { name: "an element that is not JSON", text: '[{"type":"content"},{"type":}]' },
  { name: "nothing", text: "" },
])("$name is left to the parser", ({ text }) => {
  expect(readData(text)).toBeUndefined();
});

/** Reads the data from a buffer that holds these bytes of an earlier line after it. */
const readBefore = (text: string, after: string): unknown =>
  createMatchReader().finish({
    buffer: Buffer.from(text + after),
    start: 0,
    end: Buffer.byteLength(text),
    mayHoldNonAscii: true,
  });

test.each(["\n", " ", "   [", "]"])("an array is read before %j, which is not part of it", (after) => {
  expect(readBefore(JSON.stringify([withLines]), after)).toBeInstanceOf(MatchTable);
});

test.each([
  { text: '[{"type":"a"}', after: "]" },
  { text: "[", after: "]" },
  { text: "[ ", after: "  ]" },
])("$text is left to the parser before $after, which is not part of it", ({ text, after }) => {
  expect(readBefore(text, after)).toBeUndefined();
});

describe("a long array", () => {
  const many = Array.from({ length: 600 }, (_, index) => ({
    ...(index % 2 === 0 ? withLines : withChunks),
    path: `${index}`,
  }));
  const text = JSON.stringify(many);
  const bytes = Buffer.byteLength(text);

  test("that arrives in parts is read to the same facts", () => {
    const ends = Array.from({ length: 12 }, (_, index) => Math.floor((bytes * (index + 1)) / 13));
    expect(factsIn(readData(text, ends))).toEqual(factsIn(many));
  });

  test("whose texts look like boundaries is read, or left to the parser", () => {
    const trap = many.map((match, index) => ({
      ...match,
      language: index > 300 ? '},{"type":"' : "Go",
      inner: [{ type: "a" }, { type: "b" }],
    }));
    const json = JSON.stringify(trap);
    const ends = [40_000, 80_000, 120_000, 160_000];
    expect(factsIn(readData(json, ends) ?? trap)).toEqual(factsIn(trap));
  });
});

const element = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(withLines, withChunks, content(), { type: "path", path: "a" }) },
  fc
    .record(
      {
        lineMatches: fc.array(
          fc.record(
            {
              line: fc.oneof(fc.string(), fc.constant(1)),
              lineNumber: fc.oneof(fc.nat(), fc.constantFrom(-1, 2 ** 40, 1.5)),
              offsetAndLengths: fc.array(fc.array(fc.integer(), { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
            },
            { requiredKeys: [] },
          ),
          { maxLength: 3 },
        ),
        chunkMatches: fc.array(fc.record({ context: fc.string(), ranges: fc.array(fc.nat()) }), { maxLength: 2 }),
        branches: fc.array(fc.string(), { maxLength: 2 }),
        repository: fc.oneof(fc.string(), fc.constant(null)),
        other: fc.jsonValue({ maxDepth: 2 }),
      },
      { requiredKeys: [] },
    )
    .map(content),
);

/** Changes of single bytes, at positions that are a share of the length. */
const changes = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 0.999, noNaN: true }),
    byte: fc.constantFrom(...Buffer.from('{}[]",:\\0123456789-.etrufalsn \tx\u0001\u00e9')),
    kind: fc.constantFrom("replace", "insert", "remove"),
  }),
  { maxLength: 2 },
);

test("whatever is read of the bytes, a parser reads too", () => {
  let readCount = 0;
  fc.assert(
    fc.property(fc.array(element, { maxLength: 3 }), changes, (matches, list) => {
      const bytes = [...Buffer.from(JSON.stringify(matches))];
      for (const { at, byte, kind } of list) {
        bytes.splice(Math.floor(at * bytes.length), kind === "insert" ? 0 : 1, ...(kind === "remove" ? [] : [byte]));
      }
      const data = Buffer.from(bytes);
      const table = readData(data);
      readCount += Number(table !== undefined);
      expect(table === undefined ? [] : factsIn(table)).toEqual(
        table === undefined ? [] : factsIn(JSON.parse(data.toString())),
      );
    }),
    { numRuns: repetitions(2000, 100_000) },
  );
  expect(readCount).toBeGreaterThan(200);
});
