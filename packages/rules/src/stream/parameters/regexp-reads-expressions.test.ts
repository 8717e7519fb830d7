import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { limitHit, lineMatch, linesIn, said, search } from "../../testing/searches.ts";
import type { FoundSketch } from "../../testing/searches.ts";

const id = "stream/regexp-reads-expressions";

const file = "repo:^r$ file:^a$";
const word = [
  linesIn("a", [lineMatch(1, "a word"), lineMatch(2, "the Word"), lineMatch(3, "word and wo.d"), lineMatch(4, "wo.d")]),
];
const lines = (...numbers: readonly number[]): FoundSketch => ({
  matches: [linesIn("a", [...numbers])],
});
const none: FoundSketch = { matches: [] };

/** A search for the word, sent at this time. */
const base = (sentAtMicros: number, found: FoundSketch = { matches: word }): ExchangeSketch =>
  search({ q: `${file} word count:all` }, found, { sentAtMicros });
const byT = (found: FoundSketch, q = `${file} wo.d count:all`, sentAtMicros = 12): ExchangeSketch =>
  search({ q, t: "regexp" }, found, { sentAtMicros });
const byFilter = (found: FoundSketch, more: Readonly<Record<string, string>> = {}): ExchangeSketch =>
  search({ q: `${file} wo.d count:all patternType:regexp`, ...more }, found, { sentAtMicros: 15 });
const around = (...between: readonly ExchangeSketch[]): readonly ExchangeSketch[] => [base(10), ...between, base(20)];

describe("stream/regexp-reads-expressions", () => {
  test.each<{ name: string; searches: readonly ExchangeSketch[]; is: string }>([
    {
      name: "all of them find the line",
      searches: around(byT(lines(1)), byFilter(lines(1))),
      is: "holds",
    },
    { name: "some of them do", searches: around(byT(none), byFilter(lines(1, 2))), is: "holds" },
    {
      name: "none of them finds anything",
      searches: around(byT(none), byFilter(none)),
      is: "broken",
    },
    {
      name: "they find what has the text",
      searches: around(byT(lines(3, 4)), byFilter(lines(3, 4))),
      is: "broken",
    },
    {
      name: "a filter is asked for against `t`",
      searches: around(byFilter(none), byFilter(none, { t: "standard" })),
      is: "broken",
    },
    { name: "one search alone finds nothing", searches: around(byT(none)), is: "not observed" },
    {
      name: "the filter asks for another type",
      searches: around(...[12, 15].map((time) => byT(none, `${file} wo.d count:all patternType:standard`, time))),
      is: "not observed",
    },
    {
      name: "they stop at a limit",
      searches: around(byT({ ...none, skipped: limitHit }), byFilter({ ...none, skipped: limitHit })),
      is: "not observed",
    },
    {
      name: "one does not say which lines it found",
      searches: around(byT({ matches: [linesIn("a", [{}])] }), byFilter(none)),
      is: "not observed",
    },
    {
      name: "they were sent before the word",
      searches: [byT(none), byFilter(none), base(16), base(20)],
      is: "not observed",
    },
    {
      name: "the word was sent once",
      searches: [base(10), byT(none), byFilter(none)],
      is: "not observed",
    },
    {
      name: "the word found something else later",
      searches: [base(10), byT(none), byFilter(none), base(20, lines(7))],
      is: "not observed",
    },
    {
      name: "the word stands nowhere but with the text",
      searches: [10, 20]
        .map((time) => base(time, { matches: [linesIn("a", [lineMatch(3, "word and wo.d")])] }))
        .concat(byT(none), byFilter(none)),
      is: "not observed",
    },
    {
      name: "the lines do not tell their text",
      searches: [10, 20]
        .map((time) => base(time, { matches: [linesIn("a", [lineMatch(1, 5)])] }))
        .concat(byT(none), byFilter(none)),
      is: "not observed",
    },
    {
      name: "one finds the line in a state that one search for the word met",
      searches: [
        base(10, { matches: word.map((match) => ({ ...match, commit: "c" })) }),
        byT({ matches: [{ ...linesIn("a", [1]), commit: "c" }] }),
        byFilter(none),
        base(20, { matches: [{ ...linesIn("a", [7]), commit: "d" }] }),
      ],
      is: "holds",
    },
    {
      name: "another word of the file names another commit",
      searches: [
        ...[10, 20].map((time) => base(time, { matches: word.map((match) => ({ ...match, commit: "c" })) })),
        byT(none),
        byFilter(none),
        search({ q: `${file} other count:all` }, { matches: [{ ...linesIn("a", [7]), commit: "d" }] }),
      ],
      is: "not observed",
    },
    {
      name: "another word of the file names the same commit",
      searches: [
        ...[10, 20].map((time) => base(time, { matches: word.map((match) => ({ ...match, commit: "c" })) })),
        byT(none),
        byFilter(none),
        search({ q: `${file} other count:all` }, { matches: [{ ...linesIn("a", [7]), commit: "c" }] }),
      ],
      is: "broken",
    },
    {
      name: "another word of the file is found nowhere, as if the file were not there",
      searches: [...around(byT(none), byFilter(none)), search({ q: `${file} other count:all` }, none)],
      is: "not observed",
    },
    {
      name: "they ask for another file",
      searches: around(...[12, 15].map((time) => byT(none, "repo:^r$ file:^b$ wo.d", time))),
      is: "not observed",
    },
    {
      name: "they ask for several words",
      searches: around(...[12, 15].map((time) => byT(none, `${file} wo.d two`, time))),
      is: "not observed",
    },
    {
      name: "they ask for a broken expression",
      searches: around(...[12, 15].map((time) => byT(none, `${file} wo.d(`, time))),
      is: "not observed",
    },
    {
      name: "another dot is asked for, and found",
      searches: around(
        byT(none),
        byFilter(none),
        ...[12, 15].map((time) => byT(lines(1), `${file} w.rd count:all`, time)),
      ),
      is: "broken",
    },
  ])("$name: $is", ({ searches, is }) => {
    expect(said(id, searches)).toBe(is);
  });
});
