import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { chunksIn, comparing, lineMatch, linesIn, said, search } from "../../testing/searches.ts";

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
  test.each<{ name: string; searches: readonly ExchangeSketch[]; is: string }>([
    { name: "a longer line was cut", searches: [plain("12345"), cut("4", "1234")], is: "holds" },
    { name: "the line is as long as that", searches: [plain("1234"), cut("4", "1234")], is: "not observed" },
    { name: "a line is longer", searches: [cut("4", "12345")], is: "broken" },
    {
      name: "a line is longer, and nothing else was searched for",
      searches: [{ ...cut("4", "12345"), cutBy: "reset" }],
      is: "broken",
    },
    { name: "a line among others is longer", searches: [cut("4", "1\n12345\n1")], is: "broken" },
    {
      name: "the text is longer and each of its lines is not",
      searches: [plain("12345"), cut("4", "1234\n1234\r\n1234")],
      is: "holds",
    },
    { name: "line ends are CR LF", searches: [plain("12345"), cut("4", "1234\r\n1234\r")], is: "holds" },
    {
      name: "line ends are of other kinds",
      searches: [plain("12345"), cut("4", "1234\r1234\v1234\f1234\u{85}1234\u{2028}1234\u{2029}1234")],
      is: "holds",
    },
    { name: "characters take several bytes", searches: [plain("ééééé"), cut("4", "éééé")], is: "holds" },
    {
      name: "characters take two UTF-16 units",
      searches: [plain("12345"), cut("4", "\u{1F600}\u{1F600}\u{1F600}\u{1F600}")],
      is: "holds",
    },
    { name: "there are too many such characters", searches: [cut("2", "\u{1F600}\u{1F600}\u{1F600}")], is: "broken" },
    { name: "the longest line has one character", searches: [cut("1", "12")], is: "broken" },
    { name: "no length is asked for", searches: [plain("12345"), cut("0", "12345")], is: "not observed" },
    { name: "the length is not limited", searches: [plain("12345"), cut("-1", "12345")], is: "not observed" },
    { name: "the length is no number", searches: [plain("12345"), cut("x", "12345")], is: "not observed" },
    {
      name: "chunk matches are off",
      searches: [plain("12345"), search({ "max-line-len": "4" }, { matches: [chunksIn("a", ["12345"])] })],
      is: "not observed",
    },
    {
      name: "chunk matches are asked for in words that mean nothing",
      searches: [plain("12345"), search({ cm: "yes", "max-line-len": "4" }, { matches: [chunksIn("a", ["12345"])] })],
      is: "not observed",
    },
    {
      name: "chunk matches are asked for as the vendor's own programs do",
      searches: [search({ cm: "t", "max-line-len": "4" }, { matches: [chunksIn("a", ["12345"])] })],
      is: "broken",
    },
    { name: "nobody knows who asked", searches: [{ ...cut("4", "12345"), credential: "unknown" }], is: "broken" },
    {
      name: "nobody knows who asked, and the line was cut",
      searches: [plain("12345"), cut("4", "1234")].map((sketch) => ({ ...sketch, credential: "unknown" as const })),
      is: "holds",
    },
    {
      name: "line matches are longer",
      searches: [search({ cm: "true", "max-line-len": "4" }, { matches: [line("12345")] })],
      is: "not observed",
    },
    { name: "it was refused", searches: [{ ...cut("4", "12345"), status: 400 }], is: "not observed" },
    {
      name: "there is no stream",
      searches: [{ query: { q: "words", cm: "true", "max-line-len": "4" } }, plain("12345")],
      is: "not observed",
    },
    {
      name: "the long line is in another file",
      searches: [search({}, { matches: [linesIn("b", [lineMatch(1, "12345")])] }), cut("4", "1234")],
      is: "not observed",
    },
    {
      name: "the file came without chunk matches",
      searches: [plain("12345"), search({ cm: "true", "max-line-len": "4" }, { matches: [linesIn("a", [])] })],
      is: "not observed",
    },
    { name: "the line is no text", searches: [plain(12_345), cut("4", "1234")], is: "not observed" },
    {
      name: "the file has changed",
      searches: [
        search({}, { matches: [at("c", line("12345"))] }),
        search({ cm: "true", "max-line-len": "4" }, { matches: [at("d", chunksIn("a", ["1234"]))] }),
      ],
      is: "not observed",
    },
    {
      name: "a chunk match of another search is longer",
      searches: [whole("12\n12345"), cut("4", "12\n1234")],
      is: "holds",
    },
    {
      name: "a chunk match of another search has more lines around it",
      searches: [whole("12\n12345", { cl: "9" }), cut("4", "12")],
      is: "not observed",
    },
    {
      name: "a chunk match of another search has as many lines around it",
      searches: [whole("12345", { cl: "9" }), cut("4", "1234", { cl: "9" })],
      is: "holds",
    },
    {
      name: "another search without chunk matches asks for context",
      searches: [plain("12345", { cl: "9" }), cut("4", "1234")],
      is: "holds",
    },
    {
      name: "another search may cut lines as well",
      searches: [cut("9", "12345"), cut("4", "1234")],
      is: "not observed",
    },
    {
      name: "the other search is another one",
      searches: [plain("12345", { t: "regexp" }), cut("4", "1234")],
      is: "not observed",
    },
    {
      name: "the other search was not answered with a stream",
      searches: [{ query: { q: "words" } }, cut("4", "1234")],
      is: "not observed",
    },
  ])("when $name it is: $is", ({ searches, is }) => {
    expect(said(id, searches)).toBe(is);
  });

  test("says how many lines are longer and shows three", () => {
    const long = cut("4", "12345\nabcdef\n1\nABCDEFG\n1234567890");
    const { violations, observations } = comparing(id, [long, cut("5", "12345")]);
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
  test.each<{ name: string; searches: readonly ExchangeSketch[]; is: string }>([
    { name: "is gone", searches: [whole(inLine), cut("3", "ab")], is: "holds" },
    { name: "is whole", searches: [whole(inLine), cut("3", "ab\u{1f600}")], is: "holds" },
    { name: "is replaced", searches: [whole(inLine), cut("3", "ab\u{FFFD}")], is: "broken" },
    {
      name: "is replaced, before a mark of the cut",
      searches: [whole(`${inLine}${inLine}`), cut("9", "ab\u{FFFD}...")],
      is: "broken",
    },
    { name: "is one half of a pair", searches: [whole(inLine), cut("3", "ab\u{d83d}")], is: "broken" },
    {
      name: "is replaced in one of several lines",
      searches: [whole(`x\n${inLine}`), cut("3", "x\nab\u{FFFD}")],
      is: "broken",
    },
    {
      name: "is no text in the whole line either",
      searches: [whole("ab\u{FFFD}cd"), cut("3", "ab\u{FFFD}")],
      is: "holds",
    },
    {
      name: "is no text in one of the lines that begin alike",
      searches: [whole(`${inLine}\nab\u{FFFD}cd`), cut("3", "ab\u{FFFD}")],
      is: "holds",
    },
    {
      name: "is replaced in a line that nobody knows",
      searches: [whole("xyz12"), cut("3", "ab\u{FFFD}")],
      is: "holds",
    },
    { name: "is the first one", searches: [whole("\u{1f600}bcd"), cut("1", "\u{FFFD}")], is: "holds" },
    {
      name: "is replaced where other lines were asked for",
      searches: [whole(inLine, { cl: "3" }), cut("3", "ab\u{FFFD}")],
      is: "not observed",
    },
  ])("$name: $is", ({ searches, is }) => {
    expect(said(id, searches)).toBe(is);
  });
});
