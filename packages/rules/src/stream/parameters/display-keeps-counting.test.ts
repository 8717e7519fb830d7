import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import {
  chunksIn,
  reportOf,
  files,
  limitHit,
  lineMatch,
  linesIn,
  rowsOf,
  describeReport,
  search,
} from "../../testing/searches.ts";

const id = "stream/display-keeps-counting";
const plain = search({}, { matches: files(10), matchCount: 10 });
const marked = {
  line: "x",
  lineNumber: 1,
  offsetAndLengths: [
    [0, 1],
    [2, 1],
    [4, 1],
  ],
};
const limited = (matchCount: unknown, count = 2, more: object = {}): ExchangeSketch =>
  search({ display: "2" }, { matches: files(count), matchCount, ...more });

describe("stream/display-keeps-counting", () => {
  test.each(
    rowsOf({
      holds: {
        "as much is counted as without the parameter": [plain, limited(10)],
        "half of what is there is counted": [plain, limited(5)],
        "one less is counted where a limit stopped the search": [plain, limited(9, 2, { skipped: limitHit }), plain],
        "more is counted than without it": [plain, limited(20)],
        "once the search without it counted no more either": [
          plain,
          limited(2),
          search({}, { matches: files(10), matchCount: 2 }),
        ],
      },
      broken: {
        "one more is counted than was delivered, of many": [plain, limited(3)],
        "one less is counted than each time without it": [plain, limited(9), plain],
        "everything is delivered, and more is counted than each time without it": [
          plain,
          search({ display: "15" }, { matches: files(10), matchCount: 20 }),
          plain,
        ],
        "everything is delivered, and less is counted than each time without it": [
          plain,
          search({ display: "10" }, { matches: files(10), matchCount: 9 }),
          plain,
        ],
        "everything is delivered, and more repositories are counted than each time without it": [
          plain,
          search({ display: "15" }, { matches: files(10), matchCount: 10, repositoriesCount: 136 }),
          plain,
        ],
        "no more is counted than was delivered": [plain, limited(2)],
        "less is counted than was delivered": [plain, limited(1)],
        "the search with the parameter came first": [limited(2), plain],
        "every search without it counted more": [plain, limited(2), search({}, { matches: files(10), matchCount: 3 })],
        "both stopped at a limit of their own": [
          search({}, { matches: files(10), skipped: limitHit }),
          limited(2, 2, { skipped: limitHit }),
        ],
      },
      "not observed": {
        "other things are delivered than without it, and more is counted": [
          plain,
          search({ display: "10" }, { matches: files(9), matchCount: 20 }),
          plain,
        ],
        "everything is delivered, and the searches without it count differently": [
          plain,
          search({ display: "15" }, { matches: files(10), matchCount: 20 }),
          search({}, { matches: files(10), matchCount: 12 }),
        ],
        "one of two searches without it counts no highlights, and there are no more lines": [
          search({}, { matches: [linesIn("a", [marked])], matchCount: 3 }),
          search({}, { matches: [linesIn("a", [marked])], matchCount: 1 }),
          search({ display: "1" }, { matches: files(1), matchCount: 1 }),
        ],
        "the limit was not reached": [plain, limited(1, 1)],
        "as much was delivered without it": [search({}, { matches: files(2), matchCount: 10 }), limited(2)],
        "the count is not a number": [plain, limited("2")],
        "the other count is not a number": [search({}, { matches: files(9), matchCount: null }), limited(2)],
        "there is no other search": [limited(2)],
        "the other search is another one": [search({ t: "regexp" }, { matches: files(9) }), limited(2)],
        "the other search is somebody else's": [{ ...plain, credential: "oauth-token" }, limited(2)],
        "the other search failed": [{ ...plain, status: 503 }, limited(2)],
        "the search ran out of time": [plain, limited(2, 2, { skipped: [{ reason: "shard-timeout" }] })],
        "the other search ran out of time": [
          search({}, { matches: files(10), skipped: [{ reason: "shard-timeout" }] }),
          limited(2),
        ],
        "display asks for nothing": [plain, search({ display: "0" }, { matches: files(2), matchCount: 2 })],
        "display stands for its default": [plain, search({ display: "-1" }, { matches: files(2), matchCount: 2 })],
      },
    }),
  )("when $name it is: $is", ({ searches, is }) => {
    expect(describeReport(id, searches)).toBe(is);
  });

  describe("with several highlights on a line", () => {
    const line = (number: number, highlights: number): unknown => ({
      line: "a line",
      lineNumber: number,
      offsetAndLengths: Array.from({ length: highlights }, () => [0, 1]),
    });
    const lines = (count: number): object =>
      linesIn(
        "a",
        Array.from({ length: count }, (_, index) => line(index, 3)),
      );
    test.each([
      { unit: "highlights", all: 30, counted: 6, is: "broken" },
      { unit: "highlights", all: 30, counted: 14, is: "broken" },
      { unit: "highlights", all: 30, counted: 15, is: "holds" },
      { unit: "lines", all: 10, counted: 2, is: "broken" },
      { unit: "lines", all: 10, counted: 4, is: "broken" },
      { unit: "lines", all: 10, counted: 5, is: "holds" },
      { unit: "lines", all: 29, counted: 15, is: "holds" },
      { unit: "files", all: 1, counted: 1, is: "not observed" },
    ])(
      "where $all are counted in $unit and $counted with the parameter it is: $is",
      ({ all, counted: matchCount, is }) => {
        const searches = [
          search({}, { matches: [lines(10)], matchCount: all }),
          search({ display: "2" }, { matches: [lines(2)], matchCount }),
        ];
        expect(describeReport(id, searches)).toBe(is);
      },
    );

    test("files are counted where the count is smaller than the number of lines", () => {
      const many = (count: number): readonly object[] =>
        Array.from({ length: count }, (_, index) => linesIn(`f${index}`, [1, 2]));
      const with3 = (matchCount: number): ExchangeSketch => search({ display: "3" }, { matches: many(3), matchCount });
      const all = search({}, { matches: many(9), matchCount: 9 });
      expect(describeReport(id, [all, with3(3)])).toBe("broken");
      expect(describeReport(id, [all, with3(5)])).toBe("holds");
    });
  });

  test("counts chunk matches by their ranges", () => {
    const chunks = (count: number): object => ({
      ...chunksIn("a", []),
      chunkMatches: [{ context: "x", ranges: Array.from({ length: count }, () => ({})) }],
    });
    const searches = [
      search({ cm: "true" }, { matches: [chunks(9)], matchCount: 9 }),
      search({ cm: "true", display: "2" }, { matches: [chunks(2)], matchCount: 2 }),
    ];
    expect(describeReport(id, searches)).toBe("broken");
  });

  test("says which searches and what they counted", () => {
    const searches = [plain, limited(2), plain, search({}, { matches: files(9), matchCount: 9 }), plain];
    const [violation] = reportOf(id, searches).violations;
    expect(violation).toMatchObject({
      exchange: "2",
      message:
        "search 2 with `display=2` returned 2 matches and counted 2; without it, searches 1, 3, 4 counted at least 9",
    });
  });

  test("makes nothing of line matches that are no such thing", () => {
    const odd = search({ display: "1" }, { matches: [linesIn("a", [null, lineMatch("x")])], matchCount: 1 });
    expect(describeReport(id, [odd, search({}, { matches: [linesIn("a", [null])], matchCount: 5 })])).toBe(
      "not observed",
    );
  });
});
