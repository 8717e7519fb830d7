import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { chunksIn, comparing, linesIn, limitHit, said, search } from "../../testing/searches.ts";

const id = "stream/max-line-len-keeps-short-lines";

type Query = Readonly<Record<string, string>>;

const at = (commit: string, file: object): object => ({ ...file, commit });
const whole = (texts: readonly unknown[], query: Query = {}, more: object = {}): ExchangeSketch =>
  search({ cm: "true", ...query }, { matches: [at("c", chunksIn("a", texts))], ...more });
const cut = (texts: readonly unknown[], query: Query = {}, more: object = {}): ExchangeSketch =>
  whole(texts, { "max-line-len": "10", ...query }, more);
const untold = (texts: readonly unknown[], sentAtMicros: number, query: Query = {}): ExchangeSketch =>
  search({ cm: "true", ...query }, { matches: [chunksIn("a", texts)] }, { sentAtMicros });
const untoldCut = (texts: readonly unknown[], sentAtMicros: number): ExchangeSketch =>
  untold(texts, sentAtMicros, { "max-line-len": "10" });
const other = (commit: string, query: Query = {}): ExchangeSketch =>
  search({ cm: "true", ...query }, { matches: [at(commit, chunksIn("a", ["other"]))] });

describe("stream/max-line-len-keeps-short-lines", () => {
  test.each<{ name: string; searches: readonly ExchangeSketch[]; is: string }>([
    { name: "short lines stay", searches: [whole(["one\ntwo"]), cut(["one\ntwo"])], is: "holds" },
    { name: "the text without the parameter comes later", searches: [cut(["one"]), whole(["one"])], is: "holds" },
    { name: "a short line is shorter", searches: [whole(["one\ntwo"]), cut(["one\ntw"])], is: "broken" },
    {
      name: "a line has more than without the parameter",
      searches: [whole(["on\ntwo"]), cut(["one\ntwo"])],
      is: "holds",
    },
    { name: "a short line is gone", searches: [whole(["one\ntwo"]), cut(["one"])], is: "broken" },
    { name: "a short line is empty", searches: [whole(["one\ntwo"]), cut(["one\n"])], is: "broken" },
    { name: "all is gone", searches: [whole(["one"]), cut([""])], is: "broken" },
    { name: "a line is as long as that with its end", searches: [whole(["12345678"]), cut(["1234"])], is: "broken" },
    {
      name: "a line is too long where its end counts",
      searches: [whole(["123456789"]), cut(["1234"])],
      is: "not observed",
    },
    {
      name: "a line is too long where bytes count",
      searches: [whole(["ééééé"]), cut(["éé"])],
      is: "not observed",
    },
    {
      name: "the long line is cut and the short ones stay",
      searches: [whole(["one\n1234567890123\ntwo", "x"]), cut(["one\n1234567890\ntwo", "x"])],
      is: "holds",
    },
    {
      name: "the long line is cut, and a short one of its chunk, too",
      searches: [whole(["one\n1234567890123\ntwo", "x"]), cut(["on\n1234567890\ntwo", "x"])],
      is: "broken",
    },
    {
      name: "the text ends behind what is left of the long line",
      searches: [whole(["one\n1234567890123\ntwo", "x"]), cut(["one\n1234567890", "x"])],
      is: "holds",
    },
    {
      name: "the long line is left out",
      searches: [whole(["one\n1234567890123\ntwo", "x"]), cut(["one\ntwo", "x"])],
      is: "holds",
    },
    {
      name: "there are only chunks with long lines",
      searches: [whole(["one\n1234567890123"]), cut(["one\n1234567890"])],
      is: "not observed",
    },
    { name: "the chunks come in another order", searches: [whole(["one", "two"]), cut(["two", "one"])], is: "holds" },
    { name: "one of the texts ends with a line feed", searches: [whole(["one\n"]), cut(["one"])], is: "holds" },
    { name: "lines end with CR LF", searches: [whole(["one\r\ntwo"]), cut(["one\ntwo"])], is: "holds" },
    { name: "a text could not be read", searches: [whole(["o\u{FFFD}e"]), cut(["one"])], is: "not observed" },
    { name: "there is nothing in the text", searches: [whole(["  "]), cut(["  "])], is: "not observed" },
    { name: "there are other chunks", searches: [whole(["one", "two"]), cut(["one"])], is: "not observed" },
    { name: "a chunk has no text", searches: [whole(["one", 5]), cut(["one", 5])], is: "not observed" },
    { name: "the commits differ", searches: [other("d"), cut(["one"])], is: "not observed" },
    {
      name: "the file is another one",
      searches: [search({ cm: "true" }, { matches: [at("c", chunksIn("b", ["one"]))] }), cut(["on"])],
      is: "not observed",
    },
    {
      name: "the other one may cut lines",
      searches: [whole(["one"], { "max-line-len": "9" }), cut(["on"])],
      is: "not observed",
    },
    {
      name: "the other one says that it is not limited",
      searches: [whole(["one"], { "max-line-len": "-1" }), cut(["on"])],
      is: "not observed",
    },
    { name: "the context differs", searches: [whole(["one\ntwo"], { cl: "3" }), cut(["one"])], is: "not observed" },
    {
      name: "a search stopped at a limit",
      searches: [whole(["one\ntwo"]), cut(["one"], {}, { skipped: limitHit })],
      is: "not observed",
    },
    {
      name: "the other one stopped at a limit",
      searches: [whole(["one\ntwo"], {}, { skipped: limitHit }), cut(["one"])],
      is: "not observed",
    },
    {
      name: "chunk matches are off",
      searches: [
        search({}, { matches: [at("c", linesIn("a", [1]))] }),
        search({ "max-line-len": "10" }, { matches: [at("c", linesIn("a", [1]))] }),
      ],
      is: "not observed",
    },
    {
      name: "the length is no limit",
      searches: [whole(["one"]), cut(["o"], { "max-line-len": "-1" })],
      is: "not observed",
    },
    {
      name: "no commit is told, and nothing was asked after it",
      searches: [untold(["one"], 1), untoldCut(["on"], 2)],
      is: "not observed",
    },
    {
      name: "no commit is told, and the file was the same before and after",
      searches: [untold(["one"], 1), untoldCut(["on"], 2), untold(["one"], 3)],
      is: "broken",
    },
    {
      name: "no commit is told, and the file changed",
      searches: [untold(["one"], 1), untoldCut(["on"], 2), untold(["two"], 3)],
      is: "not observed",
    },
  ])("when $name it is: $is", ({ searches, is }) => {
    expect(said(id, searches)).toBe(is);
  });

  test("says how many chunk matches have changed, and shows one", () => {
    const { violations, observations } = comparing(id, [whole(["one", "two", "x"]), cut(["on", "tw", "x"])]);
    expect(violations.map(({ message }) => message)).toEqual([
      "search 2 with `max-line-len=10` has changed lines that are not longer than that, in 2 chunk matches: `one` in `a` is not there",
    ]);
    expect(observations).toBe(1);
  });
});
