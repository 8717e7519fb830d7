import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import {
  reportOf,
  files,
  limitHit,
  linesIn,
  pathMatch,
  rowsOf,
  describeReport,
  search,
} from "../../testing/searches.ts";
import type { FoundSketch } from "../../testing/searches.ts";

const id = "stream/count-stops-search";
const words = (count: string, matches: number, more: FoundSketch = {}): ExchangeSketch =>
  search({ q: `words ${count}`.trim() }, { matches: files(matches), ...more });
const hit = { skipped: limitHit };

describe("stream/count-stops-search", () => {
  test.each(
    rowsOf({
      holds: {
        "it ended at its number": [words("count:1", 1, hit), words("count:50", 50, hit)],
        "it counted more than the other, which has not ten times as many files as its number": [
          words("count:5", 5, { matchCount: 50 }),
          words("", 20, { matchCount: 40 }),
        ],
        "it has chunk matches and ended at its number": [
          search({ q: "words count:1", cm: "true" }, { matches: files(1), ...hit }),
          words("", 9),
        ],
        "it ended before its number": [words("count:5", 4, hit), words("", 6)],
      },
      broken: {
        "it has chunk matches, and found as many as without a number and without them": [
          search({ q: "words count:5", cm: "true", cl: "2" }, { matches: files(9) }),
          words("", 9),
        ],
        "it found as many as without a number": [words("count:5", 9), words("", 9)],
        "it found more than without a number": [words("count:5", 9), words("", 8)],
        "it found as many as with `count:all`": [words("count:5", 9), words("count:all", 9)],
        "it found as many as one that stopped at a limit of the target": [words("count:5", 9), words("", 9, hit)],
        "it found as many as with a larger number that ended nothing": [words("count:5", 9), words("count:50", 9)],
        "it found more than ten times its number, and most of what there is": [
          words("count:1", 11, hit),
          words("", 12),
          words("count:all", 12),
        ],
        "it found one more than its number": [words("count:5", 6), words("", 6)],
        "the other search has a smaller number": [words("count:5", 5), words("count:4", 9)],
        "paths were found": [
          search({ q: "words count:1" }, { matches: ["a", "b"].map(pathMatch) }),
          search({}, { matches: ["a", "b"].map(pathMatch) }),
        ],
      },
      "not observed": {
        // Both may have stopped after the same first repository.
        "it found as many as with a larger number that ended the search": [
          words("count:5", 9),
          words("count:6", 9, hit),
        ],
        "it found as many as its number and no fewer are there": [words("count:5", 5), words("", 5)],
        "the other search has the same number": [words("count:5", 9), words("count:5", 9)],
        "the number cannot be understood": [words("count:five", 9), words("", 9)],
        "the searches differ in more than the number": [
          words("count:5", 9),
          search({ q: "other" }, { matches: files(9) }),
        ],
        "the searches have another pattern type": [words("count:5", 9), search({ t: "regexp" }, { matches: files(9) })],
        "only so much is delivered": [
          search({ q: "words count:5", display: "9" }, { matches: files(9) }),
          search({ display: "9" }, { matches: files(9) }),
        ],
        "the other search ran out of time": [
          words("count:5", 9),
          words("", 9, { skipped: [{ reason: "shard-timeout" }] }),
        ],
        "the search reported a problem": [
          words("count:5", 9, { skipped: [{ reason: "shard-timeout" }] }),
          words("", 9),
        ],
        "many lines of one file were found": [
          search({ q: "words count:1" }, { matches: [linesIn("a", [1, 2, 3])] }),
          search({}, { matches: [linesIn("a", [1, 2, 3])] }),
        ],
        "one file came in many elements": [
          search({ q: "words count:1" }, { matches: [linesIn("a", [1]), linesIn("a", [2])] }),
          search({}, { matches: [linesIn("a", [1]), linesIn("a", [2])] }),
        ],
      },
      "holds with a note": {
        "it found more than its number and fewer than the other": [words("count:5", 7, hit), words("", 8)],
        "it found more than ten times its number, and half of what there is": [
          words("count:1", 11, hit),
          words("", 22),
          words("count:all", 22),
        ],
        "it found ten times its number, and most of what there is": [
          words("count:1", 10, hit),
          words("", 12),
          words("count:all", 12),
        ],
      },
    }),
  )("when $name it is: $is", ({ searches, is }) => {
    expect(describeReport(id, searches)).toBe(is);
    expect(describeReport(id, searches.toReversed())).toBe(is);
  });

  test.each<{ name: string; narrow: FoundSketch; wide: ExchangeSketch; is: string }>([
    { name: "as many as were delivered elsewhere", narrow: { matchCount: 11 }, wide: words("", 11), is: "broken" },
    { name: "one fewer", narrow: { matchCount: 10 }, wide: words("", 11), is: "holds" },
    { name: "more", narrow: { matchCount: 99 }, wide: words("count:all", 11), is: "broken" },
    {
      name: "as many, but there are only ten times as many",
      narrow: { matchCount: 10 },
      wide: words("", 10),
      is: "holds",
    },
    {
      name: "as many as a search that its own number ended",
      narrow: { matchCount: 20 },
      wide: words("count:20", 20, hit),
      is: "not observed",
    },
    {
      name: "as many as a larger number that ended nothing",
      narrow: { matchCount: 20 },
      wide: words("count:50", 20),
      is: "broken",
    },
    { name: "nothing", narrow: { matchCount: null }, wide: words("", 11), is: "holds" },
    {
      name: "as many as a search that counted fewer than it delivered",
      narrow: { matchCount: 5 },
      wide: words("", 11, { matchCount: 5 }),
      is: "holds",
    },
    {
      name: "as many as a search that counted nothing",
      narrow: { matchCount: 11 },
      wide: words("", 11, { matchCount: null }),
      is: "holds",
    },
  ])("when it delivered one match and counted $name it is: $is", ({ narrow, wide, is }) => {
    expect(describeReport(id, [words("count:1", 1, narrow), wide])).toBe(is);
  });

  test("takes a departure before a note, and reports it once", () => {
    const searches = [words("count:5", 9), words("", 9), words("count:all", 10), words("count:all", 9)];
    const { violations, notes, observations } = reportOf(id, searches);
    expect(violations).toMatchObject([
      {
        exchange: "1",
        message: "search 1 with `count:5` returned matches in 9 files, but search 2, which requests more, in 9",
      },
    ]);
    expect([notes.length, observations]).toEqual([0, 1]);
  });

  test("notes how many matches there were beyond the number", () => {
    expect(reportOf(id, [words("count:5", 7, hit), words("", 9), words("count:8", 8, hit)]).notes).toMatchObject([
      {
        exchange: "1",
        code: "matches-beyond-count",
        message: "search 1 with `count:5` returned matches in 7 files, but search 2, which requests more, in 9",
      },
    ]);
  });

  test("says what was counted although little was delivered", () => {
    expect(reportOf(id, [words("count:1", 1, { matchCount: 50 }), words("", 40)]).violations).toMatchObject([
      {
        exchange: "1",
        message: "search 1 with `count:1` counted 50 matches; search 2, with a higher limit, counted only 40",
      },
    ]);
  });
});
