import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { comparing, limitHit, linesIn, said, search } from "../../testing/searches.ts";

const id = "stream/pattern-type-filter-selects";

const [one, two, three] = [linesIn("a", [1]), linesIn("a", [1, 2]), linesIn("a", [3])];
const plain = (...matches: readonly object[]): ExchangeSketch => search({}, { matches });
const asked = (t: string, ...matches: readonly object[]): ExchangeSketch => search({ t }, { matches });
const filter = (type: string, ...matches: readonly object[]): ExchangeSketch =>
  search({ q: `words patternType:${type}` }, { matches });
const told = (match: object, commit: string): object => ({ ...match, commit });

describe("stream/pattern-type-filter-selects", () => {
  test.each<{ name: string; searches: readonly ExchangeSketch[]; is: string }>([
    {
      name: "the filter finds what t finds",
      searches: [plain(one), asked("keyword", two), filter("keyword", two)],
      is: "holds",
    },
    {
      name: "the filter finds something else",
      searches: [plain(one), asked("keyword", two), filter("keyword", three)],
      is: "holds",
    },
    {
      name: "the filter changes nothing",
      searches: [plain(one), asked("keyword", two), filter("keyword", one)],
      is: "broken",
    },
    {
      name: "the same for expressions",
      searches: [plain(one), asked("regexp", two), filter("regexp", one)],
      is: "broken",
    },
    {
      name: "t changes nothing either",
      searches: [plain(one), asked("regexp", one), filter("regexp", one)],
      is: "not observed",
    },
    { name: "t was not tried", searches: [plain(one), filter("regexp", one)], is: "not observed" },
    {
      name: "the filter is for the default",
      searches: [plain(one), asked("standard", one), filter("standard", one)],
      is: "not observed",
    },
    {
      name: "t is there as well",
      searches: [
        plain(one),
        asked("regexp", two),
        search({ q: "words patternType:regexp", t: "regexp" }, { matches: [one] }),
      ],
      is: "not observed",
    },
    {
      name: "the filter stopped at a limit",
      searches: [
        plain(one),
        asked("regexp", two),
        search({ q: "words patternType:regexp" }, { matches: [one], skipped: limitHit }),
      ],
      is: "not observed",
    },
    {
      name: "they met different states",
      searches: [plain(told(one, "c")), asked("regexp", told(two, "c")), filter("regexp", told(one, "d"))],
      is: "not observed",
    },
    {
      name: "they met the same state",
      searches: [plain(told(one, "c")), asked("regexp", told(two, "c")), filter("regexp", told(one, "c"))],
      is: "broken",
    },
  ])("when $name it is: $is", ({ searches, is }) => {
    expect(said(id, searches)).toBe(is);
    expect(said(id, searches.toReversed())).toBe(is);
  });

  test("says which searches", () => {
    expect(comparing(id, [plain(one), asked("regexp", two), filter("regexp", one)]).violations).toMatchObject([
      {
        exchange: "3",
        message:
          "search 3 with `patternType:regexp` in its query finds what search 1 without it finds, and nothing else, although `t=regexp` finds other things",
      },
    ]);
  });
});
