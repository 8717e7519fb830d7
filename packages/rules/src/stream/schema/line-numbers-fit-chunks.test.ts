import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { chunksIn, reportOf, limitHit, lineMatch, linesIn, describeReport, search } from "../../testing/searches.ts";

const id = "stream/line-numbers-fit-chunks";

type Lines = readonly (readonly [number: number, line: string])[];

const query = { q: "word" };
const plain = (lines: Lines, more: object = {}): ExchangeSketch =>
  search(query, {
    matches: [
      linesIn(
        "a",
        lines.map(([number, line]) => lineMatch(number, line)),
      ),
    ],
    ...more,
  });
const chunked = (...texts: readonly string[]): ExchangeSketch =>
  search({ ...query, cm: "true" }, { matches: [chunksIn("a", texts)] });

/** The file: `word one` is its third line, `word two` its fifth and `word three` its sixth. */
const file = "first\nsecond\nword one\nfourth\nword two\nword three\nlast";
const from0: Lines = [
  [2, "word one"],
  [4, "word two"],
  [5, "word three"],
];
const ordinal: Lines = [
  [0, "word one"],
  [1, "word two"],
  [2, "word three"],
];
const by = (shift: number, lines: Lines): Lines => lines.map(([number, line]) => [number + shift, line] as const);

describe("stream/line-numbers-fit-chunks", () => {
  test.each<{ name: string; lines: Lines; chunks: readonly string[]; is: string }>([
    { name: "numbers from 0", lines: from0, chunks: [file], is: "holds" },
    { name: "numbers from 1", lines: by(1, from0), chunks: [file], is: "holds" },
    { name: "numbers and a line feed at the end", lines: from0, chunks: [`${file}\n`], is: "holds" },
    { name: "numbers and CRLF", lines: from0, chunks: [file.replaceAll("\n", "\r\n")], is: "holds" },
    {
      name: "numbers and one chunk for each line",
      lines: from0,
      chunks: ["second\nword one\nfourth", "fourth\nword two\nword three", "word two\nword three\nlast"],
      is: "holds",
    },
    {
      name: "chunks that leave lines out between matches",
      lines: from0,
      chunks: ["word one\nword two\nword three"],
      is: "holds",
    },
    {
      name: "chunks whose first and last line are cut",
      lines: from0,
      chunks: ["word one\nfourth\nword two\nword th"],
      is: "holds",
    },
    { name: "numbers that count the matches", lines: ordinal, chunks: [file], is: "broken" },
    { name: "numbers that count them, in small chunks", lines: ordinal, chunks: ["word one\nfourth"], is: "broken" },
    {
      name: "numbers that count them, without the lines after",
      lines: ordinal,
      chunks: ["second\nword one"],
      is: "broken",
    },
    { name: "numbers that count them from 1", lines: by(1, ordinal), chunks: [file], is: "broken" },
    {
      name: "a blank line that is another by its number",
      lines: [
        [0, "word one"],
        [1, "word two"],
      ],
      chunks: ["word one\n\nword two"],
      is: "broken",
    },
    { name: "one line numbered 0 that others precede", lines: [[0, "word one"]], chunks: [file], is: "broken" },
    {
      name: "chunks of the lines alone",
      lines: ordinal,
      chunks: ["word one", "word two", "word three"],
      is: "not observed",
    },
    {
      name: "a line that stands twice",
      lines: [
        [0, "word"],
        [1, "word"],
      ],
      chunks: ["a\nword\nb\nword"],
      is: "not observed",
    },
    {
      name: "line ends that only some take for one",
      lines: ordinal,
      chunks: ["word one\u{2028}fourth\nword two"],
      is: "not observed",
    },
  ])("$name: $is", ({ lines, chunks, is }) => {
    expect(describeReport(id, [plain(lines), chunked(...chunks)])).toBe(is);
  });

  test.each<{ name: string; searches: readonly ExchangeSketch[] }>([
    { name: "that was cut off", searches: [plain(ordinal, { skipped: limitHit }), chunked(file)] },
    {
      name: "for a text of two words",
      searches: [plain(ordinal), chunked(file)].map((one) => ({ ...one, query: { ...one.query, q: "word one" } })),
    },
    {
      name: "whose lines of chunk matches may be cut",
      searches: [plain(ordinal), { ...chunked(file), query: { ...query, cm: "true", "max-line-len": "80" } }],
    },
  ])("a search $name shows nothing", ({ searches }) => {
    expect(describeReport(id, searches)).toBe("not observed");
  });

  test("what contradicts the number is shown", () => {
    expect(reportOf(id, [plain(ordinal), chunked("word one\nfourth\nword two")]).violations).toMatchObject([
      {
        message: expect.stringMatching(
          /^the lines of search \S+ have different numbers from their file: in search \S+ line 0 of `a` \(`word one`\) comes before `fourth`, and line 1 is `word two`$/u,
        ),
      },
    ]);
  });
});
