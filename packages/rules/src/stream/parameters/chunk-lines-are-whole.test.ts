import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import {
  chunksIn,
  comparing,
  contextLine,
  limitHit,
  lineMatch,
  linesIn,
  said,
  search,
} from "../../testing/searches.ts";
import type { FoundSketch } from "../../testing/searches.ts";

const id = "stream/chunk-lines-are-whole";

const plain = (...lines: readonly string[]): ExchangeSketch =>
  search(
    {},
    {
      matches: [
        linesIn(
          "a",
          lines.map((line, index) => lineMatch(index, line)),
        ),
      ],
    },
  );
const chunked = (...texts: readonly unknown[]): ExchangeSketch =>
  search({ cm: "true" }, { matches: [chunksIn("a", texts)] });
const withContent = (text: string): ExchangeSketch =>
  search({ cm: "true" }, { matches: [{ ...chunksIn("a", []), chunkMatches: [{ content: text }] }] });
const elsewhere = (text: string): ExchangeSketch =>
  search({ cm: "true" }, { matches: [{ ...linesIn("a", []), pieces: [{ context: text }] }] });
const at = (commit: unknown, { query = {}, body }: ExchangeSketch): ExchangeSketch => ({
  query,
  body: String(body).replaceAll('"hunks":null', `"hunks":null,"commit":${JSON.stringify(commit)}`),
});
const cut: FoundSketch = { matches: [chunksIn("a", ["a li"])], skipped: limitHit };
const whole = { matches: [linesIn("a", [lineMatch(1, "a line")])] };

describe("stream/chunk-lines-are-whole", () => {
  test.each<{ name: string; searches: readonly ExchangeSketch[]; is: string }>([
    { name: "the line is there", searches: [plain("a line"), chunked("a line")], is: "holds" },
    {
      name: "the line is there among others",
      searches: [plain("a line"), chunked("before\na line\nafter")],
      is: "holds",
    },
    {
      name: "the lines are in several chunk matches",
      searches: [plain("one", "two"), chunked("two", "one")],
      is: "holds",
    },
    {
      name: "the file came in several elements",
      searches: [
        plain("one", "two"),
        search({ cm: "true" }, { matches: [chunksIn("a", ["one"]), chunksIn("a", ["two"])] }),
      ],
      is: "holds",
    },
    {
      name: "lines that mark nothing are not there",
      searches: [
        search({}, { matches: [linesIn("a", [contextLine(4, "before"), lineMatch(5, "a line")])] }),
        chunked("a line"),
      ],
      is: "holds",
    },
    { name: "the text is in `content`", searches: [plain("a line"), withContent("a line")], is: "holds" },
    { name: "the chunk matches are in another member", searches: [plain("a line"), elsewhere("a line")], is: "holds" },
    {
      name: "the chunk matches are in another member and cut",
      searches: [plain("a line"), elsewhere("a li")],
      is: "broken",
    },
    { name: "lines end with CR LF there", searches: [plain("a line"), chunked("x\r\na line\r\n")], is: "holds" },
    { name: "lines end with CR here", searches: [plain("a line\r"), chunked("a line\nx")], is: "holds" },
    { name: "a line match has its line end", searches: [plain("a line\n"), chunked("a line")], is: "holds" },
    {
      name: "a line match has several lines",
      searches: [plain("a line\nanother"), chunked("a line\nanother")],
      is: "holds",
    },
    {
      name: "a line match has several lines and one is cut",
      searches: [plain("a line\nanother"), chunked("a line\nano")],
      is: "broken",
    },
    {
      name: "only a search that asks for chunk matches in words that mean nothing cuts the line",
      searches: [plain("a line"), search({ cm: "yes" }, { matches: [chunksIn("a", ["a li"])] }), chunked("a line")],
      is: "holds",
    },
    { name: "the line is cut", searches: [plain("a line"), chunked("a li")], is: "broken" },
    { name: "the line is cut and marked", searches: [plain("a line"), chunked("a li…")], is: "broken" },
    { name: "another line is cut", searches: [plain("one", "two"), chunked("one\ntw")], is: "broken" },
    { name: "the line is empty", searches: [plain(""), chunked("x")], is: "not observed" },
    { name: "the line could not be read", searches: [plain("a \u{FFFD}"), chunked("a ?")], is: "not observed" },
    {
      name: "the line is no text",
      searches: [search({}, { matches: [linesIn("a", [lineMatch(1, 5)])] }), chunked("x")],
      is: "not observed",
    },
    { name: "a chunk match has no text", searches: [plain("a line"), chunked("a li", 5)], is: "not observed" },
    { name: "there are no chunk matches", searches: [plain("a line"), chunked()], is: "not observed" },
    { name: "there are no line matches", searches: [plain(), chunked("x")], is: "not observed" },
    {
      name: "the file is another one",
      searches: [search({}, { matches: [linesIn("b", [1])] }), chunked("x")],
      is: "not observed",
    },
    { name: "the commit is the same", searches: [at("c", plain("a line")), at("c", chunked("a li"))], is: "broken" },
    {
      name: "the commit is another one",
      searches: [at("c", plain("a line")), at("d", chunked("a li"))],
      is: "not observed",
    },
    {
      name: "a copy told another commit before",
      searches: [at("d", plain("other")), at("c", plain("a line")), at("c", chunked("a li"))],
      is: "broken",
    },
    { name: "one commit is not told", searches: [at("c", plain("a line")), chunked("a li")], is: "not observed" },
    { name: "a commit is no text", searches: [at(5, plain("a line")), at("d", chunked("a li"))], is: "not observed" },
    {
      name: "the file came with two texts for a line",
      searches: [
        search({}, { matches: [linesIn("a", [lineMatch(1, "x")]), linesIn("a", [lineMatch(1, "y")])] }),
        chunked("z"),
      ],
      is: "not observed",
    },
    {
      name: "the file came from two commits",
      searches: [
        plain("a line"),
        search(
          { cm: "true" },
          {
            matches: [
              { ...chunksIn("a", ["x"]), commit: "c" },
              { ...chunksIn("a", ["y"]), commit: "d" },
            ],
          },
        ),
      ],
      is: "not observed",
    },
    {
      name: "lines may be cut",
      searches: [plain("a line"), search({ cm: "true", "max-line-len": "4" }, { matches: [chunksIn("a", ["a li"])] })],
      is: "not observed",
    },
    {
      name: "lines may not be cut",
      searches: [plain("a line"), search({ cm: "true", "max-line-len": "-1" }, { matches: [chunksIn("a", ["a li"])] })],
      is: "broken",
    },
    {
      name: "more lines of context are asked for",
      searches: [plain("a line"), search({ cm: "true", cl: "4" }, { matches: [chunksIn("a", ["a li"])] })],
      is: "broken",
    },
    {
      name: "chunk matches are off in so many words",
      searches: [search({ cm: "false" }, whole), chunked("a li")],
      is: "broken",
    },
    {
      name: "the other asks for context as well",
      searches: [search({ cl: "3" }, whole), chunked("a li")],
      is: "not observed",
    },
    {
      name: "the search stopped at a limit",
      searches: [plain("a line"), search({ cm: "true" }, cut)],
      is: "not observed",
    },
    {
      name: "the other stopped at a limit",
      searches: [search({}, { ...whole, skipped: limitHit }), chunked("a li")],
      is: "not observed",
    },
    {
      name: "the other stopped at a limit once",
      searches: [search({}, { ...whole, skipped: limitHit }), plain("a line"), chunked("a li")],
      is: "not observed",
    },
    {
      name: "only so much is delivered",
      searches: [
        search({ display: "5" }, whole),
        search({ cm: "true", display: "5" }, { matches: [chunksIn("a", ["a li"])] }),
      ],
      is: "not observed",
    },
    {
      name: "the other changes",
      searches: [plain("a line"), chunked("a li"), plain("a line", "another")],
      is: "not observed",
    },
    { name: "the other stays the same", searches: [plain("a line"), chunked("a li"), plain("a line")], is: "broken" },
    { name: "the other failed", searches: [{ ...plain("a line"), status: 500 }, chunked("a li")], is: "not observed" },
    {
      name: "the other failed once",
      searches: [{ ...plain("a line"), status: 500 }, chunked("a li"), plain("a line")],
      is: "broken",
    },
    {
      name: "texts are too long to be kept",
      searches: [plain("x".repeat(5_000_000), "a line"), chunked("a li")],
      is: "not observed",
    },
    {
      name: "texts of chunk matches are too long to be kept",
      searches: [plain("a line"), chunked("x".repeat(5_000_000), "a li")],
      is: "not observed",
    },
  ])("when $name it is: $is", ({ searches, is }) => {
    expect(said(id, searches)).toBe(is);
  });

  test("says which lines are missing, three of them", () => {
    const { violations, observations } = comparing(id, [plain("one", "two", "three", "four", "fine"), chunked("fine")]);
    expect(violations).toMatchObject([
      {
        exchange: "2",
        message:
          "search 2 has no chunk match with the whole of 4 matching lines of search 1: line 0 of `a` (`one`), line 1 of `a` (`two`), line 2 of `a` (`three`)",
      },
    ]);
    expect(observations).toBe(1);
  });
});
