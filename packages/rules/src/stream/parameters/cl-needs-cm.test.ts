import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import {
  chunksIn,
  reportOf,
  limitHit,
  lineMatch,
  linesIn,
  pathMatch,
  rowsOf,
  describeReport,
  search,
} from "../../testing/searches.ts";

const id = "stream/cl-needs-cm";

const [one, two] = [linesIn("a", [1]), linesIn("a", [1, 2])];
const open = linesIn("a", [1, lineMatch("2")]);
const plain = (...matches: readonly object[]): ExchangeSketch => search({}, { matches });
const context = (...matches: readonly object[]): ExchangeSketch => search({ cl: "3" }, { matches });
const asked = (query: Readonly<Record<string, string>>, ...matches: readonly object[]): ExchangeSketch =>
  search(query, { matches });

describe("stream/cl-needs-cm", () => {
  test.each(
    rowsOf({
      holds: {
        "it changes nothing": [plain(one), context(one), plain(one)],
        "there are chunk matches anyway": [
          plain(one, chunksIn("b", ["x"])),
          context(one, chunksIn("b", ["x"])),
          plain(one, chunksIn("b", ["x"])),
        ],
      },
      broken: {
        "it adds lines": [plain(one), context(two), plain(one)],
        "it loses lines": [plain(two), context(one), plain(two)],
        "it turns chunk matches on": [plain(one), context(chunksIn("a", ["x"])), plain(one)],
        "it adds chunk matches": [plain(one), context({ ...chunksIn("a", ["x"]), ...one }), plain(one)],
        "chunk matches are off": [plain(one), asked({ cl: "3", cm: "false" }, two), plain(one)],
        "cl has two digits": [plain(one), asked({ cl: "12" }, two), plain(one)],
        "cl is the default": [plain(one), asked({ cl: "1" }, two), plain(one)],
      },
      "not observed": {
        "chunk matches are on": [plain(one), asked({ cl: "3", cm: "true" }, two), plain(one)],
        "cm has an undocumented value": [plain(one), asked({ cl: "3", cm: "no" }, two), plain(one)],
        "cl has an undocumented value": [plain(one), asked({ cl: "-3" }, two), plain(one)],
        "cl begins like a number": [plain(one), asked({ cl: "3x" }, two), plain(one)],
        "the only file has a line without a number": [plain(open), context(open), plain(open)],
        "the search without it has chunk there are matches inf": [
          asked({ cm: "false" }, one),
          context(two),
          asked({ cm: "false" }, one),
        ],
        "no lines are found": [plain(pathMatch("a")), context(pathMatch("b")), plain(pathMatch("a"))],
        "no lines are sent": [plain(linesIn("a", [])), context(linesIn("b", [])), plain(linesIn("a", []))],
        "it sends no lines": [plain(one), context(linesIn("a", [])), plain(one)],
        "the search without it was sent once": [plain(one), context(two)],
        "the search without it changes": [plain(one), context(two), plain(two)],
        "it stopped at a limit": [plain(two), search({ cl: "3" }, { matches: [one], skipped: limitHit }), plain(two)],
        "other parameters differ": [plain(one), asked({ cl: "3", t: "regexp" }, two), plain(one)],
      },
    }),
  )("when $name it is: $is", ({ searches, is }) => {
    expect(describeReport(id, searches)).toBe(is);
  });

  test("says which searches and what differs", () => {
    expect(reportOf(id, [plain(one), context(two), plain(one)]).violations).toMatchObject([
      {
        exchange: "2",
        message: "search 2 with `cl=3` finds different results from search 1 without it: it also has line 2 of `a`",
      },
    ]);
    expect(reportOf(id, [plain(one), context(chunksIn("a", ["x"])), plain(one)]).violations).toMatchObject([
      {
        exchange: "2",
        message: "search 2 with `cl=3` has chunk matches in `a`, search 1 without it has none",
      },
    ]);
  });
});
