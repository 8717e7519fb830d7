import { defined } from "@assay/contract";
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

const id = "stream/cl-gives-context-lines";

/** Line matches with the texts `m<number>`. */
const plain = (...numbers: readonly number[]): ExchangeSketch =>
  search(
    {},
    {
      matches: [
        linesIn(
          "a",
          numbers.map((number) => lineMatch(number, `m${number}`)),
        ),
      ],
    },
  );
const lines = (...given: readonly unknown[]): ExchangeSketch => search({}, { matches: [linesIn("a", given)] });
const chunks = (cl: string | undefined, ...texts: readonly unknown[]): ExchangeSketch =>
  search({ cm: "true", ...defined({ cl }) }, { matches: [chunksIn("a", texts)] });
const matched = (text: string): FoundSketch => ({ matches: [chunksIn("a", [text])] });

describe("stream/cl-gives-context-lines", () => {
  test.each(
    rowsOf({
      holds: {
        "one line stands around the match": [plain(5), chunks(undefined, "a\nm5\nb")],
        "no line stands around it, none was asked for": [plain(5), chunks("0", "m5")],
        "two lines stand around it as asked for": [plain(5), chunks("2", "a\na\nm5\nb\nb")],
        "the file ends after one line more, with and without a line end": [
          plain(3),
          chunks("6", "a\na\nm3\nb"),
          chunks("2", "a\na\nm3\nb\n"),
        ],
        "lines around the match came as line matches that mark nothing": [
          lines(contextLine(4, "a"), lineMatch(5, "m5"), contextLine(6, "b")),
          chunks(undefined, "a\nm5\nb"),
        ],
        "the file ends there": [plain(9), chunks("2", "a\na\nm9")],
        "two matches share their lines": [plain(9, 12), chunks("2", "a\na\nm9\nb\nb\nm12\nc\nc")],
        "two matches share their lines in two chunk matches": [
          plain(9, 12),
          chunks("2", "a\na\nm9\nb", "b\nm12\nc\nc"),
        ],
        "chunk matches overlap": [plain(9, 12), chunks("2", "a\na\nm9\nb\nb", "b\nb\nm12\nc\nc")],
        "a chunk match holds another match as context": [
          plain(9, 11),
          chunks("2", "a\na\nm9\nb\nm11", "m9\nb\nm11\nc\nc"),
        ],
        "chunk matches that only touch are one": [plain(9, 14), chunks("2", "a\na\nm9\nb\nb\nc\nc\nm14")],
        "lines around it are empty": [plain(5), chunks("1", "\nm5\n")],
        "the text ends with a line feed": [plain(5), chunks("1", "a\nm5\nb\n")],
        "the text is all of it with a line feed, and none was asked for": [plain(5), chunks("0", "m5\n")],
        "lines end with CR LF": [plain(5), chunks("1", "a\r\nm5\r\nb\r\n")],
        "the same text stands on two matched lines": [
          lines(lineMatch(5, "m"), lineMatch(20, "m")),
          chunks("1", "a\nm\nb", "m"),
        ],
        "a line of context has the text of a match": [lines(lineMatch(5, "m")), chunks("1", "a\nm\nm\nb")],
        "a chunk match has nothing to do with the matches": [plain(5), chunks("1", "a\nm5\nb", "x\ny\nz\nx\ny")],
        "the order of line matches is another one": [plain(20, 5), chunks("1", "a\nm20", "a\nm5\nb")],
      },
      broken: {
        "two lines stand around it, one was meant": [plain(5), chunks(undefined, "a\na\nm5\nb")],
        "no line stands before it, one was meant": [plain(5), chunks(undefined, "m5\nb")],
        "a line stands around it, none was asked for": [plain(5), chunks("0", "m5\nb")],
        "one line stands around it, two were asked for": [plain(5), chunks("2", "a\nm5\nb")],
        "a line is missing before the first line, which a search for fewer shows": [
          plain(1),
          chunks("1", "a\nm1\nb"),
          chunks("2", "m1\nb\nb"),
        ],
        "a line is missing after the last match, which a search for fewer shows": [
          plain(3),
          chunks("1", "a\nm3\nb"),
          chunks("2", "a\na\nm3"),
        ],
        "lines are missing after the last match, which a search for more shows": [
          plain(3),
          chunks("6", "a\na\nm3\nb\nb"),
          chunks("2", "a\na\nm3\nb"),
        ],
        "the file cannot begin there": [plain(3), chunks("2", "a\nm3\nb\nb")],
        "twelve were asked for and fewer came": [plain(50), chunks("12", "a\nm50\nb")],
        "a later match shows that the file goes on": [plain(9, 20), chunks("2", "a\na\nm9", "a\na\nm20")],
        "there are more lines between two matches": [plain(9, 15), chunks("2", "a\na\nm9\nb\nb\nc\nd\nd\nm15")],
        "the text is in `content`": [
          plain(5),
          search({ cm: "true" }, { matches: [{ ...chunksIn("a", []), chunkMatches: [{ content: "m5" }] }] }),
        ],
        "a line match has its line end": [lines(lineMatch(5, "m5\r\n")), chunks("1", "m5")],
        "the order of line matches hides nothing": [plain(20, 5), chunks("1", "a\nm20", "a\nm5")],
      },
      "not observed": {
        "the file begins there, counted from 0": [plain(1), chunks("2", "a\nm1\nb\nb")],
        "the file may begin there, counted from 1": [plain(2), chunks("2", "a\nm2\nb\nb")],
        "the file has one line": [plain(1), chunks("6", "m1"), chunks("2", "m1")],
        "only lines that mark nothing came": [lines(contextLine(4, "a")), chunks("0", "b")],
        "it is not a number that was asked for": [plain(5), chunks("0x", "a\nm5")],
        "a line match has two lines": [lines(lineMatch(5, "m5\nm6")), chunks("1", "m5\nm6")],
        "a line match has an empty line behind it": [lines(lineMatch(5, "m5\n\n")), chunks("1", "m5")],
        "a line match is empty": [lines(lineMatch(5, "m5"), lineMatch(9, "")), chunks("1", "m5")],
        "a line match has no text": [lines(lineMatch(5, "m5"), lineMatch(9, 9)), chunks("1", "m5")],
        "a line match has no number": [lines(lineMatch(5, "m5"), lineMatch("9", "m9")), chunks("1", "m5\nm9")],
        "a line match has half a number": [lines(lineMatch(5.5, "m5")), chunks("1", "m5")],
        "a line match is in no chunk match": [plain(5, 9), chunks("1", "m5")],
        "lines may be cut": [plain(5), search({ cm: "true", "max-line-len": "9" }, matched("m5"))],
        "cl has an undocumented value": [plain(5), chunks("-1", "m5")],
        "cm is off": [plain(5), search({ cl: "2" }, matched("m5"))],
        "the search stopped at a limit": [plain(5), search({ cm: "true" }, { ...matched("m5"), skipped: limitHit })],
        "a chunk match has no text": [plain(5), chunks("1", "m5", null)],
        "there is no search to compare with": [chunks("1", "m5")],
      },
    }),
  )("when $name it is: $is", ({ searches, is }) => {
    expect(describeReport(id, searches)).toBe(is);
  });

  test("gives no more than three examples", () => {
    const [violation] = reportOf(id, [plain(5), chunks("0", "a\nm5", "b\nm5", "c\nm5", "d\nm5")]).violations;
    expect(violation?.message.split("1 lines before a match")).toHaveLength(4);
  });

  test("says which searches and what stands around the matches, three examples", () => {
    const searches = [plain(5, 20), chunks("1", "a\na\nm5", "m20"), chunks(undefined, "a\nm5\nb", "m20")];
    expect(reportOf(id, searches).violations).toMatchObject([
      {
        exchange: "2",
        message:
          "search 2 with `cl=1` has different lines around the matches of search 1: 2 lines before a match in `a`, only 0 lines after line 5 in `a`, only 0 lines before line 20 in `a`",
      },
      {
        exchange: "3",
        message:
          "search 3 without `cl`, which defaults to 1, has different lines around the matches of search 1: only 0 lines before line 20 in `a`",
      },
    ]);
    expect(reportOf(id, [plain(5, 20), chunks("0", "a\nm5\nb", "c\nm20\nd\ne", "m5\nb")]).violations).toMatchObject([
      {
        message:
          "search 2 with `cl=0` has different lines around the matches of search 1: 1 lines before a match in `a`, 1 lines before a match in `a`, 1 lines after a match in `a`",
      },
    ]);
  });
});

describe("a line that another search shows after the last match", () => {
  const inFile = (match: object, commit: string): FoundSketch => ({ matches: [{ ...match, commit }] });
  const asked = (commit: string): readonly ExchangeSketch[] => [
    search({}, inFile(linesIn("a", [lineMatch(3, "m3")]), commit)),
    search({ cm: "true", cl: "2" }, inFile(chunksIn("a", ["a\na\nm3"]), commit)),
  ];
  const other = (commit: string): ExchangeSketch =>
    search({ q: "other" }, inFile(linesIn("a", [lineMatch(5, "other")]), commit));

  test.each([
    { name: "the same commit", commit: "c1", is: "broken" },
    { name: "another commit", commit: "c2", is: "holds" },
  ])("is missing where it is of $name: $is", ({ commit, is }) => {
    expect(describeReport(id, [...asked("c1"), other(commit)])).toBe(is);
  });
});
