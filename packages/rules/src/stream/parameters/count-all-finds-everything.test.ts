import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import {
  chunksIn,
  reportOf,
  limitHit,
  linesIn,
  pathMatch,
  rowsOf,
  describeReport,
  search,
} from "../../testing/searches.ts";

const id = "stream/count-all-finds-everything";

const words = (count: string, matches: readonly object[], more: Partial<ExchangeSketch> = {}): ExchangeSketch =>
  search({ q: `words ${count}`.trim() }, { matches }, more);
const all = (...matches: readonly object[]): ExchangeSketch => words("count:all", matches);
const some = (...matches: readonly object[]): ExchangeSketch => words("count:5", matches);
const [one, two] = [linesIn("a", [1]), linesIn("a", [1, 2])];
const timeout = [{ reason: "shard-timeout" }];

describe("stream/count-all-finds-everything", () => {
  test.each(
    rowsOf({
      holds: {
        "it finds the same": [all(two), some(two), all(two)],
        "it finds more": [all(two, pathMatch("b")), some(one), all(two, pathMatch("b"))],
        "it sent no lines, each time": [all(linesIn("a", [])), some(two), all(linesIn("a", []))],
      },
      broken: {
        "it lacks a line": [all(one), some(two), all(one)],
        "it lacks a line that another number finds besides others": [
          all(linesIn("a", [3])),
          some(two),
          all(linesIn("a", [3])),
        ],
        "it lacks a file": [all(one), some(linesIn("b", [1])), all(one)],
        "it lacks what a search without a number finds": [all(), words("", [one]), all()],
        "it lacks a path": [all(), some(pathMatch("a")), all()],
        "it lacks a file with chunk matches": [all(), some(chunksIn("a", ["x"])), all()],
        "it says that it stopped at a limit": ["count:all", "count:5", "count:all"].map((count) =>
          search({ q: `words ${count}` }, { matches: count === "count:5" ? [two] : [one], skipped: limitHit }),
        ),
      },
      "not observed": {
        "it ran out of time": [
          search({ q: "words count:all" }, { skipped: timeout }),
          some(two),
          search({ q: "words count:all" }, { skipped: timeout }),
        ],
        "the other finds nothing": [all(one), some(), all(one)],
        "it was sent once": [all(one), some(two)],
        "it finds something else the second time": [all(one), some(two), all(linesIn("a", [3]))],
        "it failed once": [all(one), some(two), all(one), { ...all(one), status: 503 }],
        "it sent no lines, once": [all(two), some(two), all(linesIn("a", []))],
        "it says not of what its paths are": [all({ type: "path" }), some(pathMatch("a")), all({ type: "path" })],
        "the other says not of what its path is": [all(), some({ type: "path" }), all()],
        "only so much is delivered": [all(one), some(two), all(one)].map((sketch) => ({
          ...sketch,
          query: { ...sketch.query, display: "1" },
        })),
        "the other failed": [all(one), { ...some(two), cutBy: "reset" }, all(one)],
        "the other is somebody else's": [all(one), { ...some(two), credential: "oauth-token" }, all(one)],
      },
    }),
  )("when $name it is: $is", ({ searches, is }) => {
    expect(describeReport(id, searches)).toBe(is);
  });

  const at = (commit: string, path: string, repository = "r"): object => ({ ...pathMatch(path), repository, commit });

  test.each(
    rowsOf({
      broken: {
        "it lacks a path": [all(at("c", "a")), some(at("c", "a"), at("c", "b"))],
      },
      holds: {
        "it finds more": [all(at("c", "a"), at("c", "b")), some(at("c", "a"))],
        "it lacks a path of a repository of which it tells no state": [
          all(at("c", "a")),
          some(at("c", "a"), at("c", "b", "other")),
        ],
      },
      "not observed": {
        "the other met another state": [all(at("c", "a")), some(at("d", "a"), at("d", "b"))],
        "the other tells no commit of something": [all(at("c", "a")), some(at("c", "a"), at("c", "b"), pathMatch("z"))],
        "it tells no commit of something": [all(at("c", "a"), pathMatch("z")), some(at("c", "a"), at("c", "b"))],
        "it ran out of time": [
          search({ q: "words count:all" }, { matches: [at("c", "a")], skipped: timeout }),
          some(at("c", "b")),
        ],
      },
    }),
  )("sent once, when $name it is: $is", ({ searches, is }) => {
    expect(describeReport(id, searches)).toBe(is);
    expect(describeReport(id, searches.toReversed())).toBe(is);
  });

  test("sent again, is held against what tells the same state, and only if it finds the same there", () => {
    const moved = [all(at("d", "a"), at("d", "b")), some(at("c", "a"), at("c", "b")), all(at("c", "a"))];
    expect(describeReport(id, moved)).toBe("broken");
    expect(describeReport(id, [...moved, all(at("c", "a"))])).toBe("broken");
    expect(describeReport(id, [...moved, all(at("c", "a"), at("c", "b"))])).toBe("not observed");
  });

  test.each([
    { name: "before", sentAtMicros: 9, is: "not observed" },
    { name: "with the first of", sentAtMicros: 10, is: "broken" },
    { name: "with the last of", sentAtMicros: 20, is: "broken" },
    { name: "after", sentAtMicros: 21, is: "not observed" },
  ])("a search sent $name those it is compared with is: $is", ({ sentAtMicros, is }) => {
    const searches = [
      words("count:all", [one], { sentAtMicros: 20 }),
      words("count:5", [two], { sentAtMicros }),
      words("count:all", [one], { sentAtMicros: 10 }),
    ];
    expect(describeReport(id, searches)).toBe(is);
  });

  test("says what is missing, three examples and how many more", () => {
    const others = [
      linesIn("a", [1, 2, 9]),
      pathMatch("b"),
      { type: "repo", repository: "r" },
      { type: "commit", repository: "r", oid: "c1" },
    ];
    const { violations } = reportOf(id, [all(linesIn("a", [9])), some(...others), all(linesIn("a", [9]))]);
    expect(violations).toMatchObject([
      {
        exchange: "1",
        message:
          "search 1 with `count:all` lacks results of search 2: line 1 of `a`, line 2 of `a`, the path match `b` of a/repository and 2 more",
      },
    ]);
    expect(reportOf(id, [all(), some(...others.slice(2), linesIn("z", [1])), all()]).violations).toMatchObject([
      {
        message:
          "search 1 with `count:all` lacks results of search 2: `z` of a/repository, the repo match r, the commit match `c1` of r",
      },
    ]);
  });
});
