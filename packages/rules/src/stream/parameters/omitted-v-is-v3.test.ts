import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { wireEvent } from "../../testing/said-of-stream.ts";
import { comparing, limitHit, linesIn, pathMatch, said, search } from "../../testing/searches.ts";

const id = "stream/omitted-v-is-v3";

const [one, two] = [linesIn("a", [1]), linesIn("a", [1, 2])];
const silent = (...matches: readonly object[]): ExchangeSketch => search({}, { matches });
const explicit = (...matches: readonly object[]): ExchangeSketch => search({ v: "V3" }, { matches });
const both = (
  base: object,
  varied: object,
  query: Readonly<Record<string, string>> = {},
): readonly ExchangeSketch[] => [search(query, base), search({ ...query, v: "V3" }, varied), search(query, base)];

/** Read in another way the query finds other things, so that anybody could tell how it was read. */
const otherwise = search({ t: "regexp" }, { matches: [linesIn("elsewhere", [7])] });
const witnessed = (searches: readonly ExchangeSketch[]): readonly ExchangeSketch[] =>
  searches.flatMap((sketch) => [
    sketch,
    ...(sketch.query?.["v"] === "V3" && sketch.query["t"] === undefined
      ? [{ ...otherwise, query: { ...sketch.query, ...otherwise.query, q: sketch.query["q"] ?? "", v: "V3" } }]
      : []),
  ]);

describe("stream/omitted-v-is-v3", () => {
  test.each<{ name: string; searches: readonly ExchangeSketch[]; is: string }>([
    { name: "both find the same", searches: [silent(two), explicit(two), silent(two)], is: "holds" },
    { name: "both find nothing", searches: [silent(), explicit(), silent()], is: "holds" },
    {
      name: "the order is another one",
      searches: [silent(one, pathMatch("b")), explicit(pathMatch("b"), one), silent(one, pathMatch("b"))],
      is: "holds",
    },
    { name: "a line is missing with it", searches: [silent(two), explicit(one), silent(two)], is: "broken" },
    { name: "a line is missing without it", searches: [silent(one), explicit(two), silent(one)], is: "broken" },
    { name: "a file is missing", searches: [silent(one), explicit(), silent(one)], is: "broken" },
    { name: "everything is missing without it", searches: [silent(), explicit(one), silent()], is: "broken" },
    { name: "the type is another one", searches: [silent(one), explicit(pathMatch("a")), silent(one)], is: "broken" },
    { name: "the search without it was sent once", searches: [silent(one), explicit(two)], is: "not observed" },
    { name: "the search without it changes", searches: [silent(one), explicit(two), silent(two)], is: "not observed" },
    {
      name: "the version is another one",
      searches: [silent(one), search({ v: "V2" }, { matches: [two] }), silent(one)],
      is: "not observed",
    },
    {
      name: "the searches differ in more",
      searches: [silent(one), search({ v: "V3", cl: "1" }, { matches: [two] }), silent(one)],
      is: "not observed",
    },
    {
      name: "the pattern type is given",
      searches: both({ matches: [one] }, { matches: [two] }, { t: "regexp" }),
      is: "not observed",
    },
    {
      name: "the pattern type is in the query",
      searches: both({ matches: [one] }, { matches: [two] }, { q: "words patternType:regexp" }),
      is: "not observed",
    },
    {
      name: "other parameters are the same",
      searches: both({ matches: [one] }, { matches: [two] }, { cm: "true" }),
      is: "broken",
    },
    {
      name: "the search without it stopped at a limit",
      searches: both({ matches: [one], skipped: limitHit }, { matches: [two] }),
      is: "not observed",
    },
    {
      name: "the search with it stopped at a limit",
      searches: both({ matches: [one] }, { matches: [two], skipped: limitHit }),
      is: "not observed",
    },
    {
      name: "the search with it told of a problem",
      searches: both({ matches: [two] }, { matches: [one], before: wireEvent("alert", {}) }),
      is: "not observed",
    },
    {
      name: "the search with it tells of no lines",
      searches: [silent(one), explicit(linesIn("a", [])), silent(one)],
      is: "not observed",
    },
    {
      name: "the search with it tells of no lines and lacks a file",
      searches: [silent(one, linesIn("b", [1])), explicit(linesIn("a", [])), silent(one, linesIn("b", [1]))],
      is: "broken",
    },
    {
      name: "the search with it says not of what its path is",
      searches: [silent(pathMatch("a")), explicit({ type: "path" }), silent(pathMatch("a"))],
      is: "not observed",
    },
    {
      name: "the search with it says not of what its content is",
      searches: [silent(one), explicit({ type: "content" }), silent(one)],
      is: "not observed",
    },
    {
      name: "the search without it says not of what its path is",
      searches: [silent({ type: "path" }), explicit(pathMatch("a")), silent({ type: "path" })],
      is: "not observed",
    },
    {
      name: "the search with it failed",
      searches: [silent(one), { ...explicit(), status: 500 }, silent(one)],
      is: "not observed",
    },
    {
      name: "nobody knows who asked",
      searches: [silent(one), explicit(), silent(one)].map((sketch) => ({ ...sketch, credential: "unknown" as const })),
      is: "not observed",
    },
  ])("when $name it is: $is", ({ searches, is }) => {
    expect(said(id, witnessed(searches))).toBe(is);
  });

  test("is not observed where every way to read the query finds the same", () => {
    const searches = [silent(two), explicit(two), search({ t: "regexp" }, { matches: [two] }), silent(two)];
    expect(said(id, searches)).toBe("not observed");
  });

  test("is broken where the two differ, though nobody read the query in another way", () => {
    expect(said(id, [silent(two), explicit(one), silent(two)])).toBe("broken");
    expect(said(id, [silent(two), explicit(), silent(two)])).toBe("not observed");
  });

  test("says which searches and what differs", () => {
    const searches = [silent(one, pathMatch("p")), explicit(linesIn("a", [2])), silent(one, pathMatch("p"))];
    expect(comparing(id, witnessed(searches)).violations).toMatchObject([
      {
        exchange: "1",
        message:
          "search 2 with `v=V3` finds other things than search 1 without it: it lacks line 1 of `a`, the path match `p` of a/repository and has line 2 of `a` besides",
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
    expect(said(id, witnessed(searches))).toBe(is);
  });
});
