import { expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { chunksIn, reportOf, limitHit, rowsOf, describeReport, search } from "../../testing/searches.ts";

const id = "stream/max-line-len-leaves-no-line-out";

const at = (commit: string, file: object): object => ({ ...file, commit });
const whole = (texts: readonly unknown[], more: object = {}): ExchangeSketch =>
  search({ cm: "true" }, { matches: [at("c", chunksIn("a", texts))], ...more });
const cut = (texts: readonly unknown[], more: object = {}, most = "10"): ExchangeSketch =>
  search({ cm: "true", "max-line-len": most }, { matches: [at("c", chunksIn("a", texts))], ...more });

const long = "a line that is too long";
const text = `one\n${long}\ntwo`;

test.each(
  rowsOf({
    holds: {
      "it is cut": [whole([text]), cut(["one\na line tha\ntwo"])],
      "it is cut to nothing": [whole([text]), cut(["one\n\ntwo"])],
      "it stays whole": [whole([text]), cut([text])],
      "the text ends with it": [whole([text]), cut(["one\na line tha"])],
      "the text ends in front of it": [whole([text]), cut(["one"])],
      "a short one is gone as well": [whole([`${text}\nthree`]), cut(["one\ntwo"])],
    },
    broken: {
      "it is gone": [whole([text]), cut(["one\ntwo"])],
      "it is gone, and the text ends with a line feed": [whole([text]), cut(["one\ntwo\n"])],
      "it is gone at the beginning": [whole([`${long}\ntwo`]), cut(["two"])],
      "one of two chunks lacks it": [whole([text, "b"]), cut(["one\ntwo", "b"])],
    },
    "not observed": {
      "it is gone at the end": [whole([`one\n${long}`]), cut(["one"])],
      "it is gone in front of a blank line": [whole([`one\n${long}\n  `]), cut(["one\n  "])],
      "it is gone in front of its own beginning": [whole([`${long}\na line`]), cut(["a line"])],
      "another is perhaps too long": [whole([`${text}\n123456789`]), cut(["one\ntwo"])],
      "a chunk is gone": [whole([text, "b"]), cut(["one\ntwo"])],
      "some bytes could not be read": [whole([`${text}\n\uFFFD`]), cut(["one\ntwo\n\uFFFD"])],
      "no number is asked for": [whole([text]), cut(["one\ntwo"], {}, "-1")],
      "it was not asked without": [cut(["one\ntwo"])],
      "the search was limited": [whole([text]), cut(["one\ntwo"], { skipped: limitHit })],
      "the file is another one": [whole([text]), cut([], { matches: [at("d", chunksIn("a", ["one\ntwo"]))] })],
    },
  }),
)("of a line that is too long, where $name: $is", ({ searches, is }) => {
  expect(describeReport(id, searches)).toBe(is);
});

test("says where lines are gone", () => {
  const { violations } = reportOf(id, [whole([text]), cut(["one\ntwo"])]);
  const message =
    "search 2 with `max-line-len=10` omits longer lines from a chunk match of `a`, but continues after them";
  expect(violations).toMatchObject([{ message }]);
});
