import { expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { chunksIn, comparing, limitHit, said, search } from "../../testing/searches.ts";

const id = "stream/max-line-len-leaves-no-line-out";

const at = (commit: string, file: object): object => ({ ...file, commit });
const whole = (texts: readonly unknown[], more: object = {}): ExchangeSketch =>
  search({ cm: "true" }, { matches: [at("c", chunksIn("a", texts))], ...more });
const cut = (texts: readonly unknown[], more: object = {}, most = "10"): ExchangeSketch =>
  search({ cm: "true", "max-line-len": most }, { matches: [at("c", chunksIn("a", texts))], ...more });

const long = "a line that is too long";
const text = `one\n${long}\ntwo`;

test.each<{ name: string; searches: readonly ExchangeSketch[]; is: string }>([
  { name: "it is cut", searches: [whole([text]), cut(["one\na line tha\ntwo"])], is: "holds" },
  { name: "it is cut to nothing", searches: [whole([text]), cut(["one\n\ntwo"])], is: "holds" },
  { name: "it stays whole", searches: [whole([text]), cut([text])], is: "holds" },
  { name: "the text ends with it", searches: [whole([text]), cut(["one\na line tha"])], is: "holds" },
  { name: "the text ends in front of it", searches: [whole([text]), cut(["one"])], is: "holds" },
  { name: "it is gone", searches: [whole([text]), cut(["one\ntwo"])], is: "broken" },
  {
    name: "it is gone, and the text ends with a line feed",
    searches: [whole([text]), cut(["one\ntwo\n"])],
    is: "broken",
  },
  { name: "it is gone at the beginning", searches: [whole([`${long}\ntwo`]), cut(["two"])], is: "broken" },
  { name: "it is gone at the end", searches: [whole([`one\n${long}`]), cut(["one"])], is: "not observed" },
  {
    name: "it is gone in front of a blank line",
    searches: [whole([`one\n${long}\n  `]), cut(["one\n  "])],
    is: "not observed",
  },
  {
    name: "it is gone in front of its own beginning",
    searches: [whole([`${long}\na line`]), cut(["a line"])],
    is: "not observed",
  },
  {
    name: "another is perhaps too long",
    searches: [whole([`${text}\n123456789`]), cut(["one\ntwo"])],
    is: "not observed",
  },
  { name: "a short one is gone as well", searches: [whole([`${text}\nthree`]), cut(["one\ntwo"])], is: "holds" },
  { name: "one of two chunks lacks it", searches: [whole([text, "b"]), cut(["one\ntwo", "b"])], is: "broken" },
  { name: "a chunk is gone", searches: [whole([text, "b"]), cut(["one\ntwo"])], is: "not observed" },
  {
    name: "some bytes could not be read",
    searches: [whole([`${text}\n\uFFFD`]), cut(["one\ntwo\n\uFFFD"])],
    is: "not observed",
  },
  { name: "no number is asked for", searches: [whole([text]), cut(["one\ntwo"], {}, "-1")], is: "not observed" },
  { name: "it was not asked without", searches: [cut(["one\ntwo"])], is: "not observed" },
  {
    name: "the search was limited",
    searches: [whole([text]), cut(["one\ntwo"], { skipped: limitHit })],
    is: "not observed",
  },
  {
    name: "the file is another one",
    searches: [whole([text]), cut([], { matches: [at("d", chunksIn("a", ["one\ntwo"]))] })],
    is: "not observed",
  },
])("of a line that is too long, where $name: $is", ({ searches, is }) => {
  expect(said(id, searches)).toBe(is);
});

test("says where lines are gone", () => {
  const { violations } = comparing(id, [whole([text]), cut(["one\ntwo"])]);
  const message =
    "search 2 with `max-line-len=10` leaves lines that are longer than that out of a chunk match of `a`, and goes on behind them";
  expect(violations).toMatchObject([{ message }]);
});
