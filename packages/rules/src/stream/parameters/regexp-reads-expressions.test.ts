import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { limitHit, lineMatch, linesIn, rowsOf, describeReport, search } from "../../testing/searches.ts";
import type { FoundSketch } from "../../testing/searches.ts";

const id = "stream/regexp-reads-expressions";

const file = "repo:^r$ file:^a$";
const texts = ["a word", "the Word", "word and wo.d", "wo.d"];
const toLines = (...numbers: readonly number[]): readonly unknown[] =>
  numbers.map((number) => lineMatch(number, texts[number - 1]));
const word = [linesIn("a", toLines(1, 2, 3, 4))];
const lines = (...numbers: readonly number[]): FoundSketch => ({ matches: [linesIn("a", toLines(...numbers))] });
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
  test.each(
    rowsOf({
      holds: {
        "all of them find the line": around(byT(lines(1)), byFilter(lines(1))),
        "some of them do": around(byT(none), byFilter(lines(1, 2))),
        "one finds the line in a state that one search for the word met": [
          base(10, { matches: word.map((match) => ({ ...match, commit: "c" })) }),
          byT({ matches: [{ ...linesIn("a", toLines(1)), commit: "c" }] }),
          byFilter(none),
          base(20, { matches: [{ ...linesIn("a", [7]), commit: "d" }] }),
        ],
      },
      broken: {
        "none of them finds anything": around(byT(none), byFilter(none)),
        "they find what has the text": around(byT(lines(3, 4)), byFilter(lines(3, 4))),
        "a filter is asked for against `t`": around(byFilter(none), byFilter(none, { t: "standard" })),
        "another word of the file names the same commit": [
          ...[10, 20].map((time) => base(time, { matches: word.map((match) => ({ ...match, commit: "c" })) })),
          byT(none),
          byFilter(none),
          search({ q: `${file} other count:all` }, { matches: [{ ...linesIn("a", [7]), commit: "c" }] }),
        ],
        "another dot is asked for, and found": around(
          byT(none),
          byFilter(none),
          ...[12, 15].map((time) => byT(lines(1), `${file} w.rd count:all`, time)),
        ),
      },
      "not observed": {
        "it finds nothing for a text that no line has": around(byT(none, `${file} wo%72d count:all`)),
        "one search alone finds nothing": around(byT(none)),
        "the filter asks for another type": around(
          ...[12, 15].map((time) => byT(none, `${file} wo.d count:all patternType:standard`, time)),
        ),
        "they stop at a limit": around(byT({ ...none, skipped: limitHit }), byFilter({ ...none, skipped: limitHit })),
        "one does not say which lines it found": around(byT({ matches: [linesIn("a", [{}])] }), byFilter(none)),
        "they were sent before the word": [byT(none), byFilter(none), base(16), base(20)],
        "the word was sent once": [base(10), byT(none), byFilter(none)],
        "the word found something else later": [base(10), byT(none), byFilter(none), base(20, lines(7))],
        "the word stands nowhere but with the text": [10, 20]
          .map((time) => base(time, { matches: [linesIn("a", [lineMatch(3, "word and wo.d")])] }))
          .concat(byT(none), byFilter(none)),
        "the lines do not tell their text": [10, 20]
          .map((time) => base(time, { matches: [linesIn("a", [lineMatch(1, 5)])] }))
          .concat(byT(none), byFilter(none)),
        "another word of the file names another commit": [
          ...[10, 20].map((time) => base(time, { matches: word.map((match) => ({ ...match, commit: "c" })) })),
          byT(none),
          byFilter(none),
          search({ q: `${file} other count:all` }, { matches: [{ ...linesIn("a", [7]), commit: "d" }] }),
        ],
        "another word of the file names another commit, on a connection of its own": [
          ...[
            ...[10, 20].map((time) => base(time, { matches: word.map((match) => ({ ...match, commit: "c" })) })),
            byT(none),
            byFilter(none),
          ].map((sketch): ExchangeSketch => ({ ...sketch, reusesConnection: true })),
          search({ q: `${file} other count:all` }, { matches: [{ ...linesIn("a", [7]), commit: "d" }] }),
        ],
        "another word of the file is found nowhere, as if the file were not there": [
          ...around(byT(none), byFilter(none)),
          search({ q: `${file} other count:all` }, none),
        ],
        "they ask for another file": around(...[12, 15].map((time) => byT(none, "repo:^r$ file:^b$ wo.d", time))),
        "they ask for several words": around(...[12, 15].map((time) => byT(none, `${file} wo.d two`, time))),
        "they ask for a broken expression": around(...[12, 15].map((time) => byT(none, `${file} wo.d(`, time))),
      },
    }),
  )("$name: $is", ({ searches, is }) => {
    expect(describeReport(id, searches)).toBe(is);
  });

  const specialLines = ["word größer", "word a+b", "word 5%20x", "word it's"].map((text, index) =>
    lineMatch(index + 1, text),
  );
  const special = [linesIn("a", specialLines)];
  const aroundSpecial = (...between: readonly ExchangeSketch[]): readonly ExchangeSketch[] => [
    base(10, { matches: special }),
    ...between,
    base(20, { matches: special }),
  ];
  const asksFor = (pattern: string, found: FoundSketch): readonly ExchangeSketch[] =>
    [12, 15].map((time) => byT(found, `${file} ${pattern} count:all`, time));

  test.each(
    ["größer", "a[+]b", "5%20x", "it's"].flatMap((pattern, index) =>
      rowsOf({
        holds: {
          [`${pattern} finds its line`]: aroundSpecial(
            ...asksFor(pattern, { matches: [linesIn("a", specialLines.slice(index, index + 1))] }),
          ),
        },
        broken: { [`${pattern} finds nothing`]: aroundSpecial(...asksFor(pattern, none)) },
      }),
    ),
  )("$name: $is", ({ searches, is }) => {
    expect(describeReport(id, searches)).toBe(is);
  });

  test("a text that is decoded twice shows lines that it does not match", () => {
    const shown = { matches: [linesIn("a", [lineMatch(1, "a word")])] };
    expect(describeReport(id, around(byT(shown, `${file} wo%72d count:all`)))).toBe("broken");
  });
});
