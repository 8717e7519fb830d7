import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { comparing, limitHit, linesIn, said, search } from "../../testing/searches.ts";

const id = "stream/t-selects-pattern-type";

const [one, two, three] = [linesIn("a", [1]), linesIn("a", [1, 2]), linesIn("a", [3])];
const plain = (...matches: readonly object[]): ExchangeSketch => search({}, { matches });
const asked = (t: string, ...matches: readonly object[]): ExchangeSketch => search({ t }, { matches });
const filter = (type: string, ...matches: readonly object[]): ExchangeSketch =>
  search({ q: `words patternType:${type}` }, { matches });
const told = (match: object, commit: string): object => ({ ...match, commit });

describe("stream/t-selects-pattern-type", () => {
  test.each<{ name: string; searches: readonly ExchangeSketch[]; is: string }>([
    {
      name: "t finds what the filter finds",
      searches: [plain(one), asked("regexp", two), filter("regexp", two)],
      is: "holds",
    },
    {
      name: "t finds something else than both",
      searches: [plain(one), filter("regexp", two), asked("regexp", three), filter("regexp", two)],
      is: "broken",
    },
    {
      name: "t finds something else than the filter, which finds what is found without both",
      searches: [plain(one), filter("regexp", one), asked("regexp", two), filter("regexp", one)],
      is: "not observed",
    },
    {
      name: "the filter was tried once, so that the files may have changed",
      searches: [plain(one), asked("regexp", three), filter("regexp", two)],
      is: "holds",
    },
    {
      name: "the file has another commit for the filter",
      searches: [plain(told(one, "c")), asked("regexp", told(three, "c")), filter("regexp", told(two, "d"))],
      is: "not observed",
    },
    {
      name: "t finds what is found without it",
      searches: [plain(one), asked("regexp", one), filter("regexp", two)],
      is: "broken",
    },
    {
      name: "the same for keywords",
      searches: [plain(one), asked("keyword", one), filter("keyword", two)],
      is: "broken",
    },
    {
      name: "what is found without it is asked for as standard",
      searches: [asked("standard", one), asked("regexp", one), filter("regexp", two)],
      is: "broken",
    },
    {
      name: "the filter finds nothing else",
      searches: [plain(one), asked("regexp", one), filter("regexp", one)],
      is: "not observed",
    },
    { name: "no filter was tried", searches: [plain(one), asked("regexp", one)], is: "not observed" },
    {
      name: "the filter is for another type",
      searches: [plain(one), asked("regexp", one), filter("keyword", two)],
      is: "not observed",
    },
    {
      name: "the filter stopped at a limit",
      searches: [
        plain(one),
        asked("regexp", one),
        search({ q: "words patternType:regexp" }, { matches: [two], skipped: limitHit }),
      ],
      is: "not observed",
    },
    {
      name: "all tell the same commit",
      searches: [plain(told(one, "a")), asked("regexp", told(one, "a")), filter("regexp", told(two, "a"))],
      is: "broken",
    },
    {
      name: "the filter met another state",
      searches: [plain(told(one, "a")), asked("regexp", told(one, "a")), filter("regexp", told(two, "b"))],
      is: "not observed",
    },
    {
      name: "t met another state",
      searches: [plain(told(one, "a")), asked("regexp", told(one, "b")), filter("regexp", told(two, "a"))],
      is: "not observed",
    },
  ])("when $name it is: $is", ({ searches, is }) => {
    expect(said(id, searches)).toBe(is);
  });

  test("says which searches", () => {
    const { violations } = comparing(id, [plain(one), asked("regexp", one), filter("regexp", two)]);
    expect(violations).toMatchObject([
      {
        exchange: "2",
        message:
          "search 2 with `t=regexp` finds what search 1 without it finds, and nothing else, although `patternType:regexp` in the query finds other things",
      },
    ]);
  });
});
