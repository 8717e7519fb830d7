import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import {
  chunksIn,
  reportOf,
  contextLine,
  limitHit,
  lineMatch,
  linesIn,
  rowsOf,
  describeReport,
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
  test.each(
    rowsOf({
      holds: {
        "the line is there": [plain("a line"), chunked("a line")],
        "the line is there among others": [plain("a line"), chunked("before\na line\nafter")],
        "the lines are in several chunk matches": [plain("one", "two"), chunked("two", "one")],
        "the file came in several elements": [
          plain("one", "two"),
          search({ cm: "true" }, { matches: [chunksIn("a", ["one"]), chunksIn("a", ["two"])] }),
        ],
        "lines that mark nothing are not there": [
          search({}, { matches: [linesIn("a", [contextLine(4, "before"), lineMatch(5, "a line")])] }),
          chunked("a line"),
        ],
        "the text is in `content`": [plain("a line"), withContent("a line")],
        "the chunk matches are in another member": [plain("a line"), elsewhere("a line")],
        "lines end with CR LF there": [plain("a line"), chunked("x\r\na line\r\n")],
        "lines end with CR here": [plain("a line\r"), chunked("a line\nx")],
        "a line match has its line end": [plain("a line\n"), chunked("a line")],
        "a line match has several lines": [plain("a line\nanother"), chunked("a line\nanother")],
        "only a search that asks for chunk matches in words that mean nothing cuts the line": [
          plain("a line"),
          search({ cm: "yes" }, { matches: [chunksIn("a", ["a li"])] }),
          chunked("a line"),
        ],
      },
      broken: {
        "the chunk matches are in another member and cut": [plain("a line"), elsewhere("a li")],
        "a line match has several lines and one is cut": [plain("a line\nanother"), chunked("a line\nano")],
        "the line is cut": [plain("a line"), chunked("a li")],
        "the line is cut and marked": [plain("a line"), chunked("a li…")],
        "another line is cut": [plain("one", "two"), chunked("one\ntw")],
        "the commit is the same": [at("c", plain("a line")), at("c", chunked("a li"))],
        "a copy told another commit before": [
          at("d", plain("other")),
          at("c", plain("a line")),
          at("c", chunked("a li")),
        ],
        "lines may not be cut": [
          plain("a line"),
          search({ cm: "true", "max-line-len": "-1" }, { matches: [chunksIn("a", ["a li"])] }),
        ],
        "more lines of context are asked for": [
          plain("a line"),
          search({ cm: "true", cl: "4" }, { matches: [chunksIn("a", ["a li"])] }),
        ],
        "chunk matches are off explicitly": [search({ cm: "false" }, whole), chunked("a li")],
        "the other stays the same": [plain("a line"), chunked("a li"), plain("a line")],
        "the other failed once": [{ ...plain("a line"), status: 500 }, chunked("a li"), plain("a line")],
      },
      "not observed": {
        "the line is empty": [plain(""), chunked("x")],
        "the line could not be read": [plain("a \u{FFFD}"), chunked("a ?")],
        "the line is not a string": [search({}, { matches: [linesIn("a", [lineMatch(1, 5)])] }), chunked("x")],
        "a chunk match has no text": [plain("a line"), chunked("a li", 5)],
        "there are no chunk matches": [plain("a line"), chunked()],
        "there are no line matches": [plain(), chunked("x")],
        "the file is another one": [search({}, { matches: [linesIn("b", [1])] }), chunked("x")],
        "the commit is another one": [at("c", plain("a line")), at("d", chunked("a li"))],
        "one commit is not named": [at("c", plain("a line")), chunked("a li")],
        "a commit is not a string": [at(5, plain("a line")), at("d", chunked("a li"))],
        "the file came with two texts for a line": [
          search({}, { matches: [linesIn("a", [lineMatch(1, "x")]), linesIn("a", [lineMatch(1, "y")])] }),
          chunked("z"),
        ],
        "the file came from two commits": [
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
        "lines may be cut": [
          plain("a line"),
          search({ cm: "true", "max-line-len": "4" }, { matches: [chunksIn("a", ["a li"])] }),
        ],
        "the other asks for context as well": [search({ cl: "3" }, whole), chunked("a li")],
        "the search stopped at a limit": [plain("a line"), search({ cm: "true" }, cut)],
        "the other stopped at a limit": [search({}, { ...whole, skipped: limitHit }), chunked("a li")],
        "the other stopped at a limit once": [
          search({}, { ...whole, skipped: limitHit }),
          plain("a line"),
          chunked("a li"),
        ],
        "only so much is delivered": [
          search({ display: "5" }, whole),
          search({ cm: "true", display: "5" }, { matches: [chunksIn("a", ["a li"])] }),
        ],
        "the other changes": [plain("a line"), chunked("a li"), plain("a line", "another")],
        "the other failed": [{ ...plain("a line"), status: 500 }, chunked("a li")],
        "texts are too long to be kept": [plain("x".repeat(5_000_000), "a line"), chunked("a li")],
        "texts of chunk matches are too long to be kept": [plain("a line"), chunked("x".repeat(5_000_000), "a li")],
      },
    }),
  )("when $name it is: $is", ({ searches, is }) => {
    expect(describeReport(id, searches)).toBe(is);
  });

  test("says which lines are missing, three of them", () => {
    const { violations, observations } = reportOf(id, [plain("one", "two", "three", "four", "fine"), chunked("fine")]);
    expect(violations).toMatchObject([
      {
        exchange: "2",
        message:
          "search 2 returned no chunk match with the full text of 4 matching lines of search 1: line 0 of `a` (`one`), line 1 of `a` (`two`), line 2 of `a` (`three`)",
      },
    ]);
    expect(observations).toBe(1);
  });
});
