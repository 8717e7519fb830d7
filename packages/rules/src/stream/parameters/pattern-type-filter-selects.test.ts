import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { reportOf, limitHit, linesIn, rowsOf, describeReport, search } from "../../testing/searches.ts";

const id = "stream/pattern-type-filter-selects";

const [one, two, three] = [linesIn("a", [1]), linesIn("a", [1, 2]), linesIn("a", [3])];
const plain = (...matches: readonly object[]): ExchangeSketch => search({}, { matches });
const asked = (t: string, ...matches: readonly object[]): ExchangeSketch => search({ t }, { matches });
const filter = (type: string, ...matches: readonly object[]): ExchangeSketch =>
  search({ q: `words patternType:${type}` }, { matches });
const told = (match: object, commit: string): object => ({ ...match, commit });

describe("stream/pattern-type-filter-selects", () => {
  test.each(
    rowsOf({
      holds: {
        "the filter finds what t finds": [plain(one), asked("keyword", two), filter("keyword", two)],
        "the filter finds something else": [plain(one), asked("keyword", two), filter("keyword", three)],
      },
      broken: {
        "the filter changes nothing": [plain(one), asked("keyword", two), filter("keyword", one)],
        "the same for expressions": [plain(one), asked("regexp", two), filter("regexp", one)],
        "they met the same state": [
          plain(told(one, "c")),
          asked("regexp", told(two, "c")),
          filter("regexp", told(one, "c")),
        ],
      },
      "not observed": {
        "t changes nothing either": [plain(one), asked("regexp", one), filter("regexp", one)],
        "t was not tried": [plain(one), filter("regexp", one)],
        "the filter is for the default": [plain(one), asked("standard", one), filter("standard", one)],
        "t is there as well": [
          plain(one),
          asked("regexp", two),
          search({ q: "words patternType:regexp", t: "regexp" }, { matches: [one] }),
        ],
        "the filter stopped at a limit": [
          plain(one),
          asked("regexp", two),
          search({ q: "words patternType:regexp" }, { matches: [one], skipped: limitHit }),
        ],
        "they met different states": [
          plain(told(one, "c")),
          asked("regexp", told(two, "c")),
          filter("regexp", told(one, "d")),
        ],
      },
    }),
  )("when $name it is: $is", ({ searches, is }) => {
    expect(describeReport(id, searches)).toBe(is);
    expect(describeReport(id, searches.toReversed())).toBe(is);
  });

  test("says which searches", () => {
    expect(reportOf(id, [plain(one), asked("regexp", two), filter("regexp", one)]).violations).toMatchObject([
      {
        exchange: "3",
        message:
          "search 3 with `patternType:regexp` in its query finds exactly what search 1 without it finds, although `t=regexp` finds different results",
      },
    ]);
  });
});
