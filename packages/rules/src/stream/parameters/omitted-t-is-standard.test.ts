import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { reportOf, limitHit, linesIn, rowsOf, describeReport, search } from "../../testing/searches.ts";

const id = "stream/omitted-t-is-standard";

const [one, two] = [linesIn("a", [1]), linesIn("a", [1, 2])];
const typed = (t: string, ...matches: readonly object[]): ExchangeSketch => search({ t }, { matches });
const silent = (...matches: readonly object[]): ExchangeSketch => search({}, { matches });
const standard = (...matches: readonly object[]): ExchangeSketch => typed("standard", ...matches);
const withAll = (
  query: Readonly<Record<string, string>>,
  searches: readonly ExchangeSketch[],
): readonly ExchangeSketch[] => searches.map((sketch) => ({ ...sketch, query: { ...sketch.query, ...query } }));

const brokenOne = [silent(two), standard(one), typed("keyword", two), silent(two)];

describe("stream/omitted-t-is-standard", () => {
  test.each(
    rowsOf({
      holds: {
        "it finds what standard finds and keyword does not": [
          silent(one),
          standard(one),
          typed("keyword", two),
          silent(one),
        ],
        "it finds what standard finds and regexp does not": [silent(), standard(), typed("regexp", two), silent()],
      },
      broken: {
        "it finds what keyword finds": brokenOne,
        "it finds what regexp finds": [silent(two), standard(), typed("regexp", two), silent(two)],
        "it finds what nothing else finds": [silent(), standard(one), typed("regexp", two), silent()],
        "it finds what another type finds, and nothing of that without it": [
          silent(two),
          standard(one),
          typed("keyword", one),
          silent(two),
        ],
        "no other type was asked for": [silent(two), standard(one), silent(two)],
        "another type was asked for": [silent(two), standard(one), typed("structural", two), silent(two)],
        "the other type stopped at a limit": [
          silent(two),
          standard(one),
          search({ t: "keyword" }, { matches: [two], skipped: limitHit }),
          silent(two),
        ],
        "the other type failed": [silent(two), standard(one), { ...typed("keyword", two), status: 500 }, silent(two)],
        "the version is V3": withAll({ v: "V3" }, brokenOne),
        "another parameter is the same": withAll({ cm: "true" }, brokenOne),
      },
      "not observed": {
        "all types find the same": [
          silent(one),
          standard(one),
          typed("keyword", one),
          typed("regexp", one),
          silent(one),
        ],
        "no other type was asked for, and both find the same": [silent(two), standard(two), silent(two)],
        "no other type was asked for, and one finds nothing": [silent(two), standard(), silent(two)],
        "standard was not asked for": [silent(two), typed("keyword", two), silent(two)],
        "it was sent once": brokenOne.slice(1),
        "it changes": [silent(one), standard(one), typed("keyword", two), silent(two)],
        "it stopped at a limit": [
          search({}, { matches: [two], skipped: limitHit }),
          standard(one),
          typed("keyword", two),
          search({}, { matches: [two], skipped: limitHit }),
        ],
        "the version is another one": withAll({ v: "V1" }, brokenOne),
        "the query has a pattern type": withAll({ q: "words patterntype:keyword" }, brokenOne),
      },
    }),
  )("when $name it is: $is", ({ searches, is }) => {
    expect(describeReport(id, searches)).toBe(is);
  });

  test("says which searches and what differs", () => {
    expect(reportOf(id, brokenOne).violations).toMatchObject([
      {
        exchange: "1",
        message: "search 2 with `t=standard` finds different results from search 1 without it: it lacks line 2 of `a`",
      },
    ]);
  });
});
