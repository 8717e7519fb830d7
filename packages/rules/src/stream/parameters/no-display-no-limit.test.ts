import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import {
  chunksIn,
  reportOf,
  files,
  linesIn,
  pathMatch,
  rowsOf,
  describeReport,
  search,
} from "../../testing/searches.ts";
import type { FoundSketch } from "../../testing/searches.ts";

const id = "stream/no-display-no-limit";
const lines = (path: string, count: number): object =>
  linesIn(
    path,
    Array.from({ length: count }, (_, index) => index),
  );
const plain = (...matches: readonly object[]): ExchangeSketch => search({}, { matches });
const limited = (...matches: readonly object[]): ExchangeSketch => search({ display: "150" }, { matches });
const none = (result: FoundSketch): ExchangeSketch => search({ display: "-1" }, result);

describe("stream/no-display-no-limit", () => {
  test.each(
    rowsOf({
      holds: {
        "as much is delivered without the parameter": [plain(...files(9)), limited(...files(9))],
        "half as much is delivered without it": [plain(...files(5)), limited(...files(10))],
        "enough is delivered once": [plain(), plain(...files(5)), limited(...files(10))],
        "half of the lines are delivered of one file": [plain(lines("a", 5)), limited(lines("a", 10))],
        "one of the searches sends no lines": [plain(lines("a", 0)), limited(lines("a", 10), lines("b", 1))],
        "another search sends no lines": [
          plain(lines("a", 1)),
          plain(lines("a", 0)),
          limited(lines("a", 9), lines("b", 9)),
        ],
        "the same path is delivered again and again": [
          plain(pathMatch("a")),
          limited(...["a", "a", "a", "b"].map(pathMatch)),
        ],
        "a search with -1 reported a problem": [
          plain(...files(9)),
          none({ matchCount: 9, skipped: [{ reason: "shard-timeout" }] }),
          limited(...files(9)),
        ],
      },
      broken: {
        "less than half is delivered without it": [plain(...files(4)), limited(...files(10))],
        "nothing is delivered without it": [plain(), limited(...files(2))],
        "less is delivered each time": [plain(), plain(...files(4)), limited(...files(10))],
        "fewer lines are delivered of one file": [plain(lines("a", 4)), limited(lines("a", 10))],
        "fewer files are delivered with chunk matches": [
          plain(chunksIn("a", ["x"])),
          limited(...["a", "b", "c"].map((path) => chunksIn(path, ["x"]))),
        ],
        "fewer paths are delivered": [plain(pathMatch("a")), limited(...["a", "b", "c"].map(pathMatch))],
        "fewer matches are delivered that say not of what": [
          plain({ type: "path" }),
          limited({ type: "path" }, { type: "path" }, { type: "path" }),
        ],
        "nothing is delivered with -1, though matches are counted": [
          plain(...files(9)),
          none({ matchCount: 9 }),
          limited(...files(9)),
        ],
        "less than half is delivered with -1": [plain(...files(9)), none({ matches: files(3) }), limited(...files(9))],
      },
      "not observed": {
        "one match was delivered with it": [plain(), limited(...files(1))],
        "there is no search without it": [limited(...files(9))],
        "the search without it failed": [{ ...plain(), status: 503 }, limited(...files(9))],
        "the search without it ran out of time": [
          search({}, { skipped: [{ reason: "shard-timeout" }] }),
          limited(...files(9)),
        ],
        "nothing is delivered with -1, as nothing was found": [plain(...files(9)), none({}), limited(...files(1))],
        "display is not a number": [plain(), search({ display: "many" }, { matches: files(9) })],
      },
    }),
  )("when $name it is: $is", ({ searches, is }) => {
    expect(describeReport(id, searches)).toBe(is);
  });

  /** Content matches of one file each, in `count` repositories with commits. */
  const told = (count: number, commit = "c"): readonly object[] =>
    Array.from({ length: count }, (_, index) => ({ ...linesIn("a", [1]), repository: `r${index}`, commit }));

  test.each<{ name: string; plain: FoundSketch; is: string }>([
    { name: "as many are counted", plain: { matches: told(3), matchCount: 9 }, is: "broken" },
    { name: "fewer are counted", plain: { matches: told(3), matchCount: 8 }, is: "holds" },
    { name: "nothing is counted", plain: { matches: told(3), matchCount: null }, is: "holds" },
    { name: "another commit is named", plain: { matches: told(3, "d"), matchCount: 9 }, is: "not observed" },
    {
      name: "one of them tells no commit",
      plain: { matches: [...told(2), { ...linesIn("a", [1]), repository: "r2" }], matchCount: 9 },
      is: "holds",
    },
    {
      name: "one of them is not among the others",
      plain: { matches: [...told(2), { ...linesIn("b", [1]), repository: "r2", commit: "c" }], matchCount: 9 },
      is: "holds",
    },
    {
      name: "one of them says not of what it is one",
      plain: { matches: [...told(3), { type: "path" }], matchCount: 9 },
      is: "holds",
    },
  ])(
    "there are matches in a third of the repositories are delivered without it, and $name: $is",
    ({ plain: found, is }) => {
      expect(
        describeReport(id, [search({}, found), search({ display: "150" }, { matches: told(9), matchCount: 9 })]),
      ).toBe(is);
    },
  );

  test("says which searches and what they delivered", () => {
    expect(reportOf(id, [plain(...files(1)), limited(...files(9))]).violations).toMatchObject([
      {
        exchange: "2",
        message: "search 2 with `display=150` returned 9 matching lines; without it, search 1 returned at most 1",
      },
    ]);
    expect(reportOf(id, [plain(lines("a", 0)), limited(...files(9))]).violations).toMatchObject([
      {
        message: "search 2 with `display=150` returned 9 matching files; without it, search 1 returned at most 1",
      },
    ]);
  });
});
