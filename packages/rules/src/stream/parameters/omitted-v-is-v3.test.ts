import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { wireEvent } from "../../testing/stream-report.ts";
import { reportOf, limitHit, linesIn, pathMatch, rowsOf, describeReport, search } from "../../testing/searches.ts";

const id = "stream/omitted-v-is-v3";

const [one, two] = [linesIn("a", [1]), linesIn("a", [1, 2])];
const silent = (...matches: readonly object[]): ExchangeSketch => search({}, { matches });
const explicit = (...matches: readonly object[]): ExchangeSketch => search({ v: "V3" }, { matches });
const both = (
  base: object,
  varied: object,
  query: Readonly<Record<string, string>> = {},
): readonly ExchangeSketch[] => [search(query, base), search({ ...query, v: "V3" }, varied), search(query, base)];

/** The query finds other results if it is read differently, so the results show how it was read. */
const otherwise = search({ t: "regexp" }, { matches: [linesIn("elsewhere", [7])] });
const witnessed = (searches: readonly ExchangeSketch[]): readonly ExchangeSketch[] =>
  searches.flatMap((sketch) => [
    sketch,
    ...(sketch.query?.["v"] === "V3" && sketch.query["t"] === undefined
      ? [{ ...otherwise, query: { ...sketch.query, ...otherwise.query, q: sketch.query["q"] ?? "", v: "V3" } }]
      : []),
  ]);

describe("stream/omitted-v-is-v3", () => {
  test.each(
    rowsOf({
      holds: {
        "both find the same": [silent(two), explicit(two), silent(two)],
        "both find nothing": [silent(), explicit(), silent()],
        "the order is another one": [
          silent(one, pathMatch("b")),
          explicit(pathMatch("b"), one),
          silent(one, pathMatch("b")),
        ],
      },
      broken: {
        "a line is missing with it": [silent(two), explicit(one), silent(two)],
        "a line is missing without it": [silent(one), explicit(two), silent(one)],
        "a file is missing": [silent(one), explicit(), silent(one)],
        "everything is missing without it": [silent(), explicit(one), silent()],
        "the type is another one": [silent(one), explicit(pathMatch("a")), silent(one)],
        "other parameters are the same": both({ matches: [one] }, { matches: [two] }, { cm: "true" }),
        "the pattern type is given": both({ matches: [one] }, { matches: [two] }, { t: "regexp" }),
        "the pattern type is in the query": both(
          { matches: [one] },
          { matches: [two] },
          { q: "words patternType:regexp" },
        ),
        "the search with it sends no lines and lacks a file": [
          silent(one, linesIn("b", [1])),
          explicit(linesIn("a", [])),
          silent(one, linesIn("b", [1])),
        ],
      },
      "not observed": {
        "the search without it was sent once": [silent(one), explicit(two)],
        "the search without it changes": [silent(one), explicit(two), silent(two)],
        "the version is another one": [silent(one), search({ v: "V2" }, { matches: [two] }), silent(one)],
        "the searches differ in more": [silent(one), search({ v: "V3", cl: "1" }, { matches: [two] }), silent(one)],
        "both find the same, and the pattern type is given": both(
          { matches: [one] },
          { matches: [one] },
          { t: "regexp" },
        ),
        "the pattern type is given, and the search without it was sent once": [
          search({ t: "regexp" }, { matches: [one] }),
          search({ t: "regexp", v: "V3" }, { matches: [two] }),
        ],
        "the search without it stopped at a limit": both({ matches: [one], skipped: limitHit }, { matches: [two] }),
        "the search with it stopped at a limit": both({ matches: [one] }, { matches: [two], skipped: limitHit }),
        "the search with it reported a problem": both(
          { matches: [two] },
          { matches: [one], before: wireEvent("alert", {}) },
        ),
        "the search with it sends no lines": [silent(one), explicit(linesIn("a", [])), silent(one)],
        "the search with it says not of what its path is": [
          silent(pathMatch("a")),
          explicit({ type: "path" }),
          silent(pathMatch("a")),
        ],
        "the search with it says not of what its content is": [silent(one), explicit({ type: "content" }), silent(one)],
        "the search without it says not of what its path is": [
          silent({ type: "path" }),
          explicit(pathMatch("a")),
          silent({ type: "path" }),
        ],
        "the search with it failed": [silent(one), { ...explicit(), status: 500 }, silent(one)],
        "nobody knows who asked": [silent(one), explicit(), silent(one)].map((sketch) => ({
          ...sketch,
          credential: "unknown" as const,
        })),
      },
    }),
  )("when $name it is: $is", ({ searches, is }) => {
    expect(describeReport(id, witnessed(searches))).toBe(is);
  });

  test("is not observed where every way to read the query finds the same", () => {
    const searches = [silent(two), explicit(two), search({ t: "regexp" }, { matches: [two] }), silent(two)];
    expect(describeReport(id, searches)).toBe("not observed");
  });

  test("is broken where the two differ, though nobody read the query in another way", () => {
    expect(describeReport(id, [silent(two), explicit(one), silent(two)])).toBe("broken");
    expect(describeReport(id, [silent(two), explicit(), silent(two)])).toBe("not observed");
  });

  test("says which searches and what differs", () => {
    const searches = [silent(one, pathMatch("p")), explicit(linesIn("a", [2])), silent(one, pathMatch("p"))];
    expect(reportOf(id, witnessed(searches)).violations).toMatchObject([
      {
        exchange: "1",
        message:
          "search 2 with `v=V3` finds different results from search 1 without it: it lacks line 1 of `a`, the path match `p` of a/repository and also has line 2 of `a`",
      },
    ]);
  });

  test.each([
    { sentAtMicros: 9, is: "not observed" },
    { sentAtMicros: 10, is: "broken" },
    { sentAtMicros: 20, is: "broken" },
    { sentAtMicros: 21, is: "not observed" },
  ])("a search sent at $sentAtMicros, between 10 and 20 or not, is: $is", ({ sentAtMicros, is }) => {
    const searches = [
      { ...silent(one), sentAtMicros: 10 },
      { ...explicit(two), sentAtMicros },
      { ...silent(one), sentAtMicros: 20 },
    ];
    expect(describeReport(id, witnessed(searches))).toBe(is);
  });
});
