import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { chunksIn, reportOf, lineMatch, linesIn, rowsOf, describeReport, search } from "../../testing/searches.ts";

const id = "stream/max-line-len-cuts-lines";

const line = (text: unknown): object => linesIn("a", [lineMatch(1, text)]);
const plain = (text: unknown, query: Readonly<Record<string, string>> = {}): ExchangeSketch =>
  search(query, { matches: [line(text)] });
const cut = (length: string, text: string, more: Readonly<Record<string, string>> = {}): ExchangeSketch =>
  search({ cm: "true", "max-line-len": length, ...more }, { matches: [chunksIn("a", [text])] });
const whole = (text: string, query: Readonly<Record<string, string>> = {}): ExchangeSketch =>
  search({ cm: "true", ...query }, { matches: [chunksIn("a", [text])] });
const at = (commit: string, file: object): object => ({ ...file, commit });

describe("stream/max-line-len-cuts-lines", () => {
  test.each(
    rowsOf({
      holds: {
        "a longer line was cut": [plain("12345"), cut("4", "1234")],
        "the text is longer and each of its lines is not": [plain("12345"), cut("4", "1234\n1234\r\n1234")],
        "line ends are CR LF": [plain("12345"), cut("4", "1234\r\n1234\r")],
        "line ends are of other kinds": [
          plain("12345"),
          cut("4", "1234\r1234\v1234\f1234\u{85}1234\u{2028}1234\u{2029}1234"),
        ],
        "characters take several bytes": [plain("ééééé"), cut("4", "éééé")],
        "characters take two UTF-16 units": [plain("12345"), cut("4", "\u{1F600}\u{1F600}\u{1F600}\u{1F600}")],
        "nobody knows who asked, and the line was cut": [plain("12345"), cut("4", "1234")].map((sketch) => ({
          ...sketch,
          credential: "unknown" as const,
        })),
        "a chunk match of another search is longer": [whole("12\n12345"), cut("4", "12\n1234")],
        "a chunk match of another search has as many lines around it": [
          whole("12345", { cl: "9" }),
          cut("4", "1234", { cl: "9" }),
        ],
        "another search without chunk matches asks for context": [plain("12345", { cl: "9" }), cut("4", "1234")],
      },
      "not observed": {
        "the line is as long as that": [plain("1234"), cut("4", "1234")],
        "no length is asked for": [plain("12345"), cut("0", "12345")],
        "the length is not limited": [plain("12345"), cut("-1", "12345")],
        "the length is not a number": [plain("12345"), cut("x", "12345")],
        "chunk matches are off": [
          plain("12345"),
          search({ "max-line-len": "4" }, { matches: [chunksIn("a", ["12345"])] }),
        ],
        "chunk matches are asked for in words that mean nothing": [
          plain("12345"),
          search({ cm: "yes", "max-line-len": "4" }, { matches: [chunksIn("a", ["12345"])] }),
        ],
        "line matches are longer": [search({ cm: "true", "max-line-len": "4" }, { matches: [line("12345")] })],
        "it was refused": [{ ...cut("4", "12345"), status: 400 }],
        "there is no stream": [{ query: { q: "words", cm: "true", "max-line-len": "4" } }, plain("12345")],
        "the long line is in another file": [
          search({}, { matches: [linesIn("b", [lineMatch(1, "12345")])] }),
          cut("4", "1234"),
        ],
        "the file came without chunk matches": [
          plain("12345"),
          search({ cm: "true", "max-line-len": "4" }, { matches: [linesIn("a", [])] }),
        ],
        "the line is not a string": [plain(12_345), cut("4", "1234")],
        "the file has changed": [
          search({}, { matches: [at("c", line("12345"))] }),
          search({ cm: "true", "max-line-len": "4" }, { matches: [at("d", chunksIn("a", ["1234"]))] }),
        ],
        "a chunk match of another search has more lines around it": [whole("12\n12345", { cl: "9" }), cut("4", "12")],
        "another search may cut lines as well": [cut("9", "12345"), cut("4", "1234")],
        "the other search is another one": [plain("12345", { t: "regexp" }), cut("4", "1234")],
        "the other search was not answered with a stream": [{ query: { q: "words" } }, cut("4", "1234")],
      },
      broken: {
        "a line is longer": [cut("4", "12345")],
        "a line is longer, and nothing else was searched for": [{ ...cut("4", "12345"), cutBy: "reset" }],
        "a line among others is longer": [cut("4", "1\n12345\n1")],
        "there are too many such characters": [cut("2", "\u{1F600}\u{1F600}\u{1F600}")],
        "the longest line has one character": [cut("1", "12")],
        "chunk matches are asked for as the vendor's own programs do": [
          search({ cm: "t", "max-line-len": "4" }, { matches: [chunksIn("a", ["12345"])] }),
        ],
        "nobody knows who asked": [{ ...cut("4", "12345"), credential: "unknown" }],
      },
    }),
  )("when $name it is: $is", ({ searches, is }) => {
    expect(describeReport(id, searches)).toBe(is);
  });

  test("says how many lines are longer and shows three", () => {
    const long = cut("4", "12345\nabcdef\n1\nABCDEFG\n1234567890");
    const { violations, observations } = reportOf(id, [long, cut("5", "12345")]);
    expect(violations).toMatchObject([
      {
        exchange: "1",
        message:
          "search 1 with `max-line-len=4` has 4 longer lines in chunk matches: `12345` in `a`, `abcdef` in `a`, `ABCDEFG` in `a`",
      },
    ]);
    expect(observations).toBe(1);
  });
});

describe("a character at which a line is cut", () => {
  const inLine = "ab\u{1f600}cd";
  test.each(
    rowsOf({
      holds: {
        "is gone": [whole(inLine), cut("3", "ab")],
        "is whole": [whole(inLine), cut("3", "ab\u{1f600}")],
        "is not a string in the whole line either": [whole("ab\u{FFFD}cd"), cut("3", "ab\u{FFFD}")],
        "is not a string in one of the lines that begin alike": [
          whole(`${inLine}\nab\u{FFFD}cd`),
          cut("3", "ab\u{FFFD}"),
        ],
        "is replaced in a line that nobody knows": [whole("xyz12"), cut("3", "ab\u{FFFD}")],
        "is the first one": [whole("\u{1f600}bcd"), cut("1", "\u{FFFD}")],
      },
      broken: {
        "is replaced": [whole(inLine), cut("3", "ab\u{FFFD}")],
        "is replaced, before a mark of the cut": [whole(`${inLine}${inLine}`), cut("9", "ab\u{FFFD}...")],
        "is one half of a pair": [whole(inLine), cut("3", "ab\u{d83d}")],
        "is replaced in one of several lines": [whole(`x\n${inLine}`), cut("3", "x\nab\u{FFFD}")],
      },
      "not observed": {
        "is replaced where other lines were asked for": [whole(inLine, { cl: "3" }), cut("3", "ab\u{FFFD}")],
      },
    }),
  )("$name: $is", ({ searches, is }) => {
    expect(describeReport(id, searches)).toBe(is);
  });
});
