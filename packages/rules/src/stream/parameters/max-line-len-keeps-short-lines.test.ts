import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { chunksIn, reportOf, limitHit, linesIn, rowsOf, describeReport, search } from "../../testing/searches.ts";

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
  test.each(
    rowsOf({
      holds: {
        "short lines stay": [whole(["one\ntwo"]), cut(["one\ntwo"])],
        "the text without the parameter comes later": [cut(["one"]), whole(["one"])],
        "a line has more than without the parameter": [whole(["on\ntwo"]), cut(["one\ntwo"])],
        "the long line is cut and the short ones stay": [
          whole(["one\n1234567890123\ntwo", "x"]),
          cut(["one\n1234567890\ntwo", "x"]),
        ],
        "the text ends behind what is left of the long line": [
          whole(["one\n1234567890123\ntwo", "x"]),
          cut(["one\n1234567890", "x"]),
        ],
        "the long line is left out": [whole(["one\n1234567890123\ntwo", "x"]), cut(["one\ntwo", "x"])],
        "the chunks come in another order": [whole(["one", "two"]), cut(["two", "one"])],
        "one of the texts ends with a line feed": [whole(["one\n"]), cut(["one"])],
        "lines end with CR LF": [whole(["one\r\ntwo"]), cut(["one\ntwo"])],
      },
      broken: {
        "a short line is shorter": [whole(["one\ntwo"]), cut(["one\ntw"])],
        "a short line is gone": [whole(["one\ntwo"]), cut(["one"])],
        "a short line is empty": [whole(["one\ntwo"]), cut(["one\n"])],
        "all is gone": [whole(["one"]), cut([""])],
        "a line is as long as that with its end": [whole(["12345678"]), cut(["1234"])],
        "the long line is cut, and a short one of its chunk, too": [
          whole(["one\n1234567890123\ntwo", "x"]),
          cut(["on\n1234567890\ntwo", "x"]),
        ],
        "no commit is named, and the file was the same before and after": [
          untold(["one"], 1),
          untoldCut(["on"], 2),
          untold(["one"], 3),
        ],
      },
      "not observed": {
        "a line is too long where its end counts": [whole(["123456789"]), cut(["1234"])],
        "a line is too long where bytes count": [whole(["ééééé"]), cut(["éé"])],
        "there are only chunks with long lines": [whole(["one\n1234567890123"]), cut(["one\n1234567890"])],
        "a text could not be read": [whole(["o\u{FFFD}e"]), cut(["one"])],
        "there is nothing in the text": [whole(["  "]), cut(["  "])],
        "there are other chunks": [whole(["one", "two"]), cut(["one"])],
        "a chunk has no text": [whole(["one", 5]), cut(["one", 5])],
        "the commits differ": [other("d"), cut(["one"])],
        "the file is another one": [
          search({ cm: "true" }, { matches: [at("c", chunksIn("b", ["one"]))] }),
          cut(["on"]),
        ],
        "the other one may cut lines": [whole(["one"], { "max-line-len": "9" }), cut(["on"])],
        "the other one says that it is not limited": [whole(["one"], { "max-line-len": "-1" }), cut(["on"])],
        "the context differs": [whole(["one\ntwo"], { cl: "3" }), cut(["one"])],
        "a search stopped at a limit": [whole(["one\ntwo"]), cut(["one"], {}, { skipped: limitHit })],
        "the other one stopped at a limit": [whole(["one\ntwo"], {}, { skipped: limitHit }), cut(["one"])],
        "chunk matches are off": [
          search({}, { matches: [at("c", linesIn("a", [1]))] }),
          search({ "max-line-len": "10" }, { matches: [at("c", linesIn("a", [1]))] }),
        ],
        "the length is no limit": [whole(["one"]), cut(["o"], { "max-line-len": "-1" })],
        "no commit is named, and nothing was asked after it": [untold(["one"], 1), untoldCut(["on"], 2)],
        "no commit is named, and the file changed": [untold(["one"], 1), untoldCut(["on"], 2), untold(["two"], 3)],
      },
    }),
  )("when $name it is: $is", ({ searches, is }) => {
    expect(describeReport(id, searches)).toBe(is);
  });

  test("says how many chunk matches have changed, and shows one", () => {
    const { violations, observations } = reportOf(id, [whole(["one", "two", "x"]), cut(["on", "tw", "x"])]);
    expect(violations.map(({ message }) => message)).toEqual([
      "search 2 with `max-line-len=10` changes lines that are not longer than that, in 2 chunk matches: `one` is missing in `a`",
    ]);
    expect(observations).toBe(1);
  });
});
