import { defined } from "@assay/contract";
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
  test.each<{ name: string; searches: readonly ExchangeSketch[]; is: string }>([
    { name: "one line stands around the match", searches: [plain(5), chunks(undefined, "a\nm5\nb")], is: "holds" },
    {
      name: "two lines stand around it, one was meant",
      searches: [plain(5), chunks(undefined, "a\na\nm5\nb")],
      is: "broken",
    },
    { name: "no line stands before it, one was meant", searches: [plain(5), chunks(undefined, "m5\nb")], is: "broken" },
    { name: "no line stands around it, none was asked for", searches: [plain(5), chunks("0", "m5")], is: "holds" },
    { name: "a line stands around it, none was asked for", searches: [plain(5), chunks("0", "m5\nb")], is: "broken" },
    {
      name: "two lines stand around it as asked for",
      searches: [plain(5), chunks("2", "a\na\nm5\nb\nb")],
      is: "holds",
    },
    {
      name: "one line stands around it, two were asked for",
      searches: [plain(5), chunks("2", "a\nm5\nb")],
      is: "broken",
    },
    {
      name: "the file begins there, counted from 0",
      searches: [plain(1), chunks("2", "a\nm1\nb\nb")],
      is: "not observed",
    },
    {
      name: "the file may begin there, counted from 1",
      searches: [plain(2), chunks("2", "a\nm2\nb\nb")],
      is: "not observed",
    },
    {
      name: "a line is missing before the first line, which a search for fewer shows",
      searches: [plain(1), chunks("1", "a\nm1\nb"), chunks("2", "m1\nb\nb")],
      is: "broken",
    },
    {
      name: "a line is missing after the last match, which a search for fewer shows",
      searches: [plain(3), chunks("1", "a\nm3\nb"), chunks("2", "a\na\nm3")],
      is: "broken",
    },
    {
      name: "lines are missing after the last match, which a search for more shows",
      searches: [plain(3), chunks("6", "a\na\nm3\nb\nb"), chunks("2", "a\na\nm3\nb")],
      is: "broken",
    },
    {
      name: "the file ends after one line more, with and without a line end",
      searches: [plain(3), chunks("6", "a\na\nm3\nb"), chunks("2", "a\na\nm3\nb\n")],
      is: "holds",
    },
    {
      name: "the file has one line",
      searches: [plain(1), chunks("6", "m1"), chunks("2", "m1")],
      is: "not observed",
    },
    { name: "the file cannot begin there", searches: [plain(3), chunks("2", "a\nm3\nb\nb")], is: "broken" },
    {
      name: "lines around the match came as line matches that mark nothing",
      searches: [lines(contextLine(4, "a"), lineMatch(5, "m5"), contextLine(6, "b")), chunks(undefined, "a\nm5\nb")],
      is: "holds",
    },
    {
      name: "only lines that mark nothing came",
      searches: [lines(contextLine(4, "a")), chunks("0", "b")],
      is: "not observed",
    },
    { name: "twelve were asked for and fewer came", searches: [plain(50), chunks("12", "a\nm50\nb")], is: "broken" },
    { name: "it is no number that was asked for", searches: [plain(5), chunks("0x", "a\nm5")], is: "not observed" },
    { name: "the file ends there", searches: [plain(9), chunks("2", "a\na\nm9")], is: "holds" },
    {
      name: "a later match shows that the file goes on",
      searches: [plain(9, 20), chunks("2", "a\na\nm9", "a\na\nm20")],
      is: "broken",
    },
    {
      name: "two matches share their lines",
      searches: [plain(9, 12), chunks("2", "a\na\nm9\nb\nb\nm12\nc\nc")],
      is: "holds",
    },
    {
      name: "two matches share their lines in two chunk matches",
      searches: [plain(9, 12), chunks("2", "a\na\nm9\nb", "b\nm12\nc\nc")],
      is: "holds",
    },
    {
      name: "chunk matches overlap",
      searches: [plain(9, 12), chunks("2", "a\na\nm9\nb\nb", "b\nb\nm12\nc\nc")],
      is: "holds",
    },
    {
      name: "a chunk match holds another match as context",
      searches: [plain(9, 11), chunks("2", "a\na\nm9\nb\nm11", "m9\nb\nm11\nc\nc")],
      is: "holds",
    },
    {
      name: "chunk matches that only touch are one",
      searches: [plain(9, 14), chunks("2", "a\na\nm9\nb\nb\nc\nc\nm14")],
      is: "holds",
    },
    {
      name: "there are more lines between two matches",
      searches: [plain(9, 15), chunks("2", "a\na\nm9\nb\nb\nc\nd\nd\nm15")],
      is: "broken",
    },
    { name: "lines around it are empty", searches: [plain(5), chunks("1", "\nm5\n")], is: "holds" },
    { name: "the text ends with a line feed", searches: [plain(5), chunks("1", "a\nm5\nb\n")], is: "holds" },
    {
      name: "the text is all of it with a line feed, and none was asked for",
      searches: [plain(5), chunks("0", "m5\n")],
      is: "holds",
    },
    { name: "lines end with CR LF", searches: [plain(5), chunks("1", "a\r\nm5\r\nb\r\n")], is: "holds" },
    {
      name: "the text is in `content`",
      searches: [
        plain(5),
        search({ cm: "true" }, { matches: [{ ...chunksIn("a", []), chunkMatches: [{ content: "m5" }] }] }),
      ],
      is: "broken",
    },
    {
      name: "a line match has its line end",
      searches: [lines(lineMatch(5, "m5\r\n")), chunks("1", "m5")],
      is: "broken",
    },
    {
      name: "a line match has two lines",
      searches: [lines(lineMatch(5, "m5\nm6")), chunks("1", "m5\nm6")],
      is: "not observed",
    },
    {
      name: "a line match has an empty line behind it",
      searches: [lines(lineMatch(5, "m5\n\n")), chunks("1", "m5")],
      is: "not observed",
    },
    {
      name: "a line match is empty",
      searches: [lines(lineMatch(5, "m5"), lineMatch(9, "")), chunks("1", "m5")],
      is: "not observed",
    },
    {
      name: "a line match has no text",
      searches: [lines(lineMatch(5, "m5"), lineMatch(9, 9)), chunks("1", "m5")],
      is: "not observed",
    },
    {
      name: "a line match has no number",
      searches: [lines(lineMatch(5, "m5"), lineMatch("9", "m9")), chunks("1", "m5\nm9")],
      is: "not observed",
    },
    {
      name: "a line match has half a number",
      searches: [lines(lineMatch(5.5, "m5")), chunks("1", "m5")],
      is: "not observed",
    },
    { name: "a line match is in no chunk match", searches: [plain(5, 9), chunks("1", "m5")], is: "not observed" },
    {
      name: "the same text stands on two matched lines",
      searches: [lines(lineMatch(5, "m"), lineMatch(20, "m")), chunks("1", "a\nm\nb", "m")],
      is: "holds",
    },
    {
      name: "a line of context has the text of a match",
      searches: [lines(lineMatch(5, "m")), chunks("1", "a\nm\nm\nb")],
      is: "holds",
    },
    {
      name: "a chunk match has nothing to do with the matches",
      searches: [plain(5), chunks("1", "a\nm5\nb", "x\ny\nz\nx\ny")],
      is: "holds",
    },
    {
      name: "the order of line matches is another one",
      searches: [plain(20, 5), chunks("1", "a\nm20", "a\nm5\nb")],
      is: "holds",
    },
    {
      name: "the order of line matches hides nothing",
      searches: [plain(20, 5), chunks("1", "a\nm20", "a\nm5")],
      is: "broken",
    },
    {
      name: "lines may be cut",
      searches: [plain(5), search({ cm: "true", "max-line-len": "9" }, matched("m5"))],
      is: "not observed",
    },
    { name: "cl has an undocumented value", searches: [plain(5), chunks("-1", "m5")], is: "not observed" },
    { name: "cm is off", searches: [plain(5), search({ cl: "2" }, matched("m5"))], is: "not observed" },
    {
      name: "the search stopped at a limit",
      searches: [plain(5), search({ cm: "true" }, { ...matched("m5"), skipped: limitHit })],
      is: "not observed",
    },
    { name: "a chunk match has no text", searches: [plain(5), chunks("1", "m5", null)], is: "not observed" },
    { name: "there is no search to compare with", searches: [chunks("1", "m5")], is: "not observed" },
  ])("when $name it is: $is", ({ searches, is }) => {
    expect(said(id, searches)).toBe(is);
  });

  test("gives no more than three examples", () => {
    const [violation] = comparing(id, [plain(5), chunks("0", "a\nm5", "b\nm5", "c\nm5", "d\nm5")]).violations;
    expect(violation?.message.split("1 lines before a match")).toHaveLength(4);
  });

  test("says which searches and what stands around the matches, three examples", () => {
    const searches = [plain(5, 20), chunks("1", "a\na\nm5", "m20"), chunks(undefined, "a\nm5\nb", "m20")];
    expect(comparing(id, searches).violations).toMatchObject([
      {
        exchange: "2",
        message:
          "search 2 with `cl=1` has other lines around the matches of search 1: 2 lines before a match in `a`, only 0 lines after line 5 in `a`, only 0 lines before line 20 in `a`",
      },
      {
        exchange: "3",
        message:
          "search 3 without `cl`, which stands for 1, has other lines around the matches of search 1: only 0 lines before line 20 in `a`",
      },
    ]);
    expect(comparing(id, [plain(5, 20), chunks("0", "a\nm5\nb", "c\nm20\nd\ne", "m5\nb")]).violations).toMatchObject([
      {
        message:
          "search 2 with `cl=0` has other lines around the matches of search 1: 1 lines before a match in `a`, 1 lines before a match in `a`, 1 lines after a match in `a`",
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
    expect(said(id, [...asked("c1"), other(commit)])).toBe(is);
  });
});
