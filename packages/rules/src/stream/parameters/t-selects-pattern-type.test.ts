import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { reportOf, limitHit, linesIn, rowsOf, describeReport, search } from "../../testing/searches.ts";

const id = "stream/t-selects-pattern-type";

const [one, two, three] = [linesIn("a", [1]), linesIn("a", [1, 2]), linesIn("a", [3])];
const plain = (...matches: readonly object[]): ExchangeSketch => search({}, { matches });
const asked = (t: string, ...matches: readonly object[]): ExchangeSketch => search({ t }, { matches });
const filter = (type: string, ...matches: readonly object[]): ExchangeSketch =>
  search({ q: `words patternType:${type}` }, { matches });
const told = (match: object, commit: string): object => ({ ...match, commit });

describe("stream/t-selects-pattern-type", () => {
  test.each(
    rowsOf({
      holds: {
        "t finds what the filter finds": [plain(one), asked("regexp", two), filter("regexp", two)],
        "the filter was tried once, so that the files may have changed": [
          plain(one),
          asked("regexp", three),
          filter("regexp", two),
        ],
      },
      broken: {
        "t finds something else than both": [
          plain(one),
          filter("regexp", two),
          asked("regexp", three),
          filter("regexp", two),
        ],
        "t finds what is found without it": [plain(one), asked("regexp", one), filter("regexp", two)],
        "the same for keywords": [plain(one), asked("keyword", one), filter("keyword", two)],
        "what is found without it is asked for as standard": [
          asked("standard", one),
          asked("regexp", one),
          filter("regexp", two),
        ],
        "all tell the same commit": [
          plain(told(one, "a")),
          asked("regexp", told(one, "a")),
          filter("regexp", told(two, "a")),
        ],
      },
      "not observed": {
        "t finds something else than the filter, which finds what is found without both": [
          plain(one),
          filter("regexp", one),
          asked("regexp", two),
          filter("regexp", one),
        ],
        "the file has another commit for the filter": [
          plain(told(one, "c")),
          asked("regexp", told(three, "c")),
          filter("regexp", told(two, "d")),
        ],
        "the filter finds nothing else": [plain(one), asked("regexp", one), filter("regexp", one)],
        "no filter was tried": [plain(one), asked("regexp", one)],
        "the filter is for another type": [plain(one), asked("regexp", one), filter("keyword", two)],
        "the filter stopped at a limit": [
          plain(one),
          asked("regexp", one),
          search({ q: "words patternType:regexp" }, { matches: [two], skipped: limitHit }),
        ],
        "the filter met another state": [
          plain(told(one, "a")),
          asked("regexp", told(one, "a")),
          filter("regexp", told(two, "b")),
        ],
        "t met another state": [
          plain(told(one, "a")),
          asked("regexp", told(one, "b")),
          filter("regexp", told(two, "a")),
        ],
      },
    }),
  )("when $name it is: $is", ({ searches, is }) => {
    expect(describeReport(id, searches)).toBe(is);
  });

  test("says which searches", () => {
    const { violations } = reportOf(id, [plain(one), asked("regexp", one), filter("regexp", two)]);
    expect(violations).toMatchObject([
      {
        exchange: "2",
        message:
          "search 2 with `t=regexp` finds exactly what search 1 without it finds, although `patternType:regexp` in the query finds different results",
      },
    ]);
  });
});
