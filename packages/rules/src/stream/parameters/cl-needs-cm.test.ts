import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { chunksIn, comparing, limitHit, lineMatch, linesIn, pathMatch, said, search } from "../../testing/searches.ts";

const id = "stream/cl-needs-cm";

const [one, two] = [linesIn("a", [1]), linesIn("a", [1, 2])];
const open = linesIn("a", [1, lineMatch("2")]);
const plain = (...matches: readonly object[]): ExchangeSketch => search({}, { matches });
const context = (...matches: readonly object[]): ExchangeSketch => search({ cl: "3" }, { matches });
const asked = (query: Readonly<Record<string, string>>, ...matches: readonly object[]): ExchangeSketch =>
  search(query, { matches });

describe("stream/cl-needs-cm", () => {
  test.each<{ name: string; searches: readonly ExchangeSketch[]; is: string }>([
    { name: "it changes nothing", searches: [plain(one), context(one), plain(one)], is: "holds" },
    { name: "it adds lines", searches: [plain(one), context(two), plain(one)], is: "broken" },
    { name: "it loses lines", searches: [plain(two), context(one), plain(two)], is: "broken" },
    {
      name: "it turns chunk matches on",
      searches: [plain(one), context(chunksIn("a", ["x"])), plain(one)],
      is: "broken",
    },
    {
      name: "it adds chunk matches",
      searches: [plain(one), context({ ...chunksIn("a", ["x"]), ...one }), plain(one)],
      is: "broken",
    },
    {
      name: "there are chunk matches anyway",
      searches: [
        plain(one, chunksIn("b", ["x"])),
        context(one, chunksIn("b", ["x"])),
        plain(one, chunksIn("b", ["x"])),
      ],
      is: "holds",
    },
    {
      name: "chunk matches are off",
      searches: [plain(one), asked({ cl: "3", cm: "false" }, two), plain(one)],
      is: "broken",
    },
    {
      name: "chunk matches are on",
      searches: [plain(one), asked({ cl: "3", cm: "true" }, two), plain(one)],
      is: "not observed",
    },
    {
      name: "cm has an undocumented value",
      searches: [plain(one), asked({ cl: "3", cm: "no" }, two), plain(one)],
      is: "not observed",
    },
    {
      name: "cl has an undocumented value",
      searches: [plain(one), asked({ cl: "-3" }, two), plain(one)],
      is: "not observed",
    },
    { name: "cl has two digits", searches: [plain(one), asked({ cl: "12" }, two), plain(one)], is: "broken" },
    {
      name: "cl begins like a number",
      searches: [plain(one), asked({ cl: "3x" }, two), plain(one)],
      is: "not observed",
    },
    {
      name: "the only file has a line without a number",
      searches: [plain(open), context(open), plain(open)],
      is: "not observed",
    },
    { name: "cl is the default", searches: [plain(one), asked({ cl: "1" }, two), plain(one)], is: "broken" },
    {
      name: "the search without it has chunk matches off",
      searches: [asked({ cm: "false" }, one), context(two), asked({ cm: "false" }, one)],
      is: "not observed",
    },
    {
      name: "no lines are found",
      searches: [plain(pathMatch("a")), context(pathMatch("b")), plain(pathMatch("a"))],
      is: "not observed",
    },
    {
      name: "no lines are told",
      searches: [plain(linesIn("a", [])), context(linesIn("b", [])), plain(linesIn("a", []))],
      is: "not observed",
    },
    { name: "it tells of no lines", searches: [plain(one), context(linesIn("a", [])), plain(one)], is: "not observed" },
    { name: "the search without it was sent once", searches: [plain(one), context(two)], is: "not observed" },
    { name: "the search without it changes", searches: [plain(one), context(two), plain(two)], is: "not observed" },
    {
      name: "it stopped at a limit",
      searches: [plain(two), search({ cl: "3" }, { matches: [one], skipped: limitHit }), plain(two)],
      is: "not observed",
    },
    {
      name: "other parameters differ",
      searches: [plain(one), asked({ cl: "3", t: "regexp" }, two), plain(one)],
      is: "not observed",
    },
  ])("when $name it is: $is", ({ searches, is }) => {
    expect(said(id, searches)).toBe(is);
  });

  test("says which searches and what differs", () => {
    expect(comparing(id, [plain(one), context(two), plain(one)]).violations).toMatchObject([
      {
        exchange: "2",
        message: "search 2 with `cl=3` finds other things than search 1 without it: it has line 2 of `a` besides",
      },
    ]);
    expect(comparing(id, [plain(one), context(chunksIn("a", ["x"])), plain(one)]).violations).toMatchObject([
      {
        exchange: "2",
        message: "search 2 with `cl=3` has chunk matches in `a`, search 1 without it has none",
      },
    ]);
  });
});
