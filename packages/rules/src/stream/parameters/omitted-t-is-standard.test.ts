import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { comparing, limitHit, linesIn, said, search } from "../../testing/searches.ts";

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
  test.each<{ name: string; searches: readonly ExchangeSketch[]; is: string }>([
    {
      name: "it finds what standard finds and keyword does not",
      searches: [silent(one), standard(one), typed("keyword", two), silent(one)],
      is: "holds",
    },
    {
      name: "it finds what standard finds and regexp does not",
      searches: [silent(), standard(), typed("regexp", two), silent()],
      is: "holds",
    },
    { name: "it finds what keyword finds", searches: brokenOne, is: "broken" },
    {
      name: "it finds what regexp finds",
      searches: [silent(two), standard(), typed("regexp", two), silent(two)],
      is: "broken",
    },
    {
      name: "it finds what nothing else finds",
      searches: [silent(), standard(one), typed("regexp", two), silent()],
      is: "broken",
    },
    {
      name: "all types find the same",
      searches: [silent(one), standard(one), typed("keyword", one), typed("regexp", one), silent(one)],
      is: "not observed",
    },
    {
      name: "it finds what another type finds, and nothing of that without it",
      searches: [silent(two), standard(one), typed("keyword", one), silent(two)],
      is: "broken",
    },
    { name: "no other type was asked for", searches: [silent(two), standard(one), silent(two)], is: "broken" },
    {
      name: "another type was asked for",
      searches: [silent(two), standard(one), typed("structural", two), silent(two)],
      is: "broken",
    },
    {
      name: "the other type stopped at a limit",
      searches: [
        silent(two),
        standard(one),
        search({ t: "keyword" }, { matches: [two], skipped: limitHit }),
        silent(two),
      ],
      is: "broken",
    },
    {
      name: "the other type failed",
      searches: [silent(two), standard(one), { ...typed("keyword", two), status: 500 }, silent(two)],
      is: "broken",
    },
    {
      name: "no other type was asked for, and both find the same",
      searches: [silent(two), standard(two), silent(two)],
      is: "not observed",
    },
    {
      name: "no other type was asked for, and one finds nothing",
      searches: [silent(two), standard(), silent(two)],
      is: "not observed",
    },
    {
      name: "standard was not asked for",
      searches: [silent(two), typed("keyword", two), silent(two)],
      is: "not observed",
    },
    { name: "it was sent once", searches: brokenOne.slice(1), is: "not observed" },
    {
      name: "it changes",
      searches: [silent(one), standard(one), typed("keyword", two), silent(two)],
      is: "not observed",
    },
    {
      name: "it stopped at a limit",
      searches: [
        search({}, { matches: [two], skipped: limitHit }),
        standard(one),
        typed("keyword", two),
        search({}, { matches: [two], skipped: limitHit }),
      ],
      is: "not observed",
    },
    { name: "the version is V3", searches: withAll({ v: "V3" }, brokenOne), is: "broken" },
    { name: "the version is another one", searches: withAll({ v: "V1" }, brokenOne), is: "not observed" },
    {
      name: "the query has a pattern type",
      searches: withAll({ q: "words patterntype:keyword" }, brokenOne),
      is: "not observed",
    },
    { name: "another parameter is the same", searches: withAll({ cm: "true" }, brokenOne), is: "broken" },
  ])("when $name it is: $is", ({ searches, is }) => {
    expect(said(id, searches)).toBe(is);
  });

  test("says which searches and what differs", () => {
    expect(comparing(id, brokenOne).violations).toMatchObject([
      {
        exchange: "1",
        message: "search 2 with `t=standard` finds other things than search 1 without it: it lacks line 2 of `a`",
      },
    ]);
  });
});
