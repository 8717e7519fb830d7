import { expect, test } from "vitest";
import { doneEvent, streamReport, summarizeReport, wireEvent } from "../../testing/stream-report.ts";

const stays = "stream/line-pairs-stay-in-the-line";
const marks = "stream/line-pairs-mark-the-word";
const query = { q: "needle count:5" };
const bodyOf = (line: unknown, ...pairs: readonly unknown[]): string =>
  wireEvent("matches", [{ type: "content", lineMatches: [{ line, lineNumber: 0, offsetAndLengths: pairs }] }]) +
  doneEvent;
const holds = "holds, 1 observed";
const isBroken = "broken 1 times, 1 observed";
const line = "a Needle here";

test.each<{ name: string; line: unknown; pair: unknown; inside: string; word: string }>([
  { name: "the word", line, pair: [2, 6], inside: holds, word: holds },
  { name: "the text one further", line, pair: [3, 6], inside: holds, word: isBroken },
  { name: "up to the end instead of the length", line, pair: [2, 8], inside: holds, word: isBroken },
  { name: "more than the line", line, pair: [2, 14], inside: isBroken, word: holds },
  { name: "a negative offset", line, pair: [-1, 6], inside: isBroken, word: holds },
  { name: "a negative length", line, pair: [2, -6], inside: isBroken, word: holds },
  { name: "the line feed as well", line: "a needle", pair: [2, 7], inside: holds, word: holds },
  { name: "a longer word around it", line: "x pin_needles", pair: [2, 11], inside: holds, word: holds },
  { name: "a line without the word", line: "something", pair: [2, 6], inside: holds, word: holds },
  { name: "the word in UTF-16 units", line: "😀é needle", pair: [4, 6], inside: holds, word: holds },
  { name: "the word in code points", line: "😀é needle", pair: [3, 6], inside: holds, word: holds },
  { name: "the word in bytes", line: "😀é needle", pair: [7, 6], inside: holds, word: holds },
  { name: "the word in no unit", line: "😀é needle", pair: [6, 6], inside: holds, word: isBroken },
  { name: "no pair", line, pair: 1, inside: "not observed", word: "not observed" },
  { name: "no text", line: null, pair: [2, 6], inside: "not observed", word: "not observed" },
])("a pair that marks $name", ({ line: text, pair, inside, word }) => {
  const body = bodyOf(text, pair);
  expect([summarizeReport(stays, { body, query }), summarizeReport(marks, { body, query })]).toEqual([inside, word]);
});

test.each([
  { name: "for several words", query: { q: "needle here" } },
  { name: "for an expression", query: { q: "nee.le" } },
  { name: "for a text between quotes", query: { q: '"needle"' } },
  { name: "with another filter", query: { q: "needle type:symbol" } },
  { name: "for keywords", query: { q: "needle", t: "keyword" } },
  { name: "whose query is not known", query: {} },
])("a search $name tells nothing of its pairs", ({ query: asked }) => {
  const body = bodyOf(line, [900, 6]);
  expect([summarizeReport(stays, { body, query: asked }), summarizeReport(marks, { body, query: asked })]).toEqual([
    "not observed",
    "not observed",
  ]);
});

test("the first pair of an event that is wrong is shown", () => {
  const body = bodyOf(line, [2, 6], [3, 6], [4, 6]) + bodyOf(line, [2, 90]);
  expect(streamReport(marks, { body, query: { q: "needle", t: "regexp" } }).violations).toMatchObject([
    {
      pointer: "/0/lineMatches/0/offsetAndLengths/1",
      message: "the pair of offset 3 and length 6 does not mark `needle`, although the line contains it",
    },
  ]);
  expect(streamReport(stays, { body: bodyOf(line, [2, 90]), query }).violations).toMatchObject([
    { message: "the pair of offset 2 and length 90 ends beyond its line, which has 13 bytes" },
  ]);
});
