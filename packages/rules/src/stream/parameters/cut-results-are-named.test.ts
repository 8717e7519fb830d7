import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { wireEvent } from "../../testing/stream-report.ts";
import {
  reportOf,
  contextLine,
  limitHit,
  lineMatch,
  linesIn,
  pathMatch,
  rowsOf,
  describeReport,
  search,
} from "../../testing/searches.ts";
import type { FoundSketch } from "../../testing/searches.ts";

const id = "stream/count-cut-is-named";

const words = (count: string, matches: readonly unknown[], more: FoundSketch = {}): ExchangeSketch =>
  search({ q: `words ${count}`.trim() }, { matches, ...more });
const [one, two] = [linesIn("a", [1]), linesIn("a", [1, 2])];
const named = { skipped: limitHit };
const whole = words("", [two]);

describe("stream/count-cut-is-named", () => {
  test.each(
    rowsOf({
      holds: {
        "a line was left out and named": [words("count:1", [one], named), whole],
        "what was left out is named in an earlier progress": [
          words("count:1", [one], { before: wireEvent("progress", { done: false, ...named }) }),
          whole,
        ],
        "some entry is there, whatever its reason": [
          words("count:1", [one], { skipped: [{ reason: "never-seen-before" }] }),
          whole,
        ],
        "what is named is not an array": [words("count:1", [one], { skipped: "results" }), whole],
        "it reported a problem as well": [words("count:1", [one], { before: wireEvent("alert", {}), ...named }), whole],
      },
      broken: {
        "a line was left out and not named": [words("count:1", [one]), whole],
        "a line was left out that is found with a large `display`": [
          words("count:1", [one]),
          search({ q: "words", display: "1000" }, { matches: [two] }),
        ],
        "a file was left out": [words("count:1", [one]), words("", [one, linesIn("b", [1])])],
        "everything was left out that a larger number finds": [words("count:1", [one]), words("count:2", [two], named)],
        "nothing is named but what was not asked for": [
          words("count:1", [one], { skipped: [{ reason: "excluded-archive" }] }),
          whole,
        ],
        "skipped is null": [words("count:1", [one], { skipped: null }), whole],
        "it stopped before its number but counted that number": [words("count:2", [one], { matchCount: 2 }), whole],
        "it has that number of elements": [words("count:2", [one, one], { matchCount: 0 }), whole],
        "it has that number of lines": [
          words("count:2", [two], { matchCount: 0 }),
          words("", [linesIn("a", [1, 2, 3])]),
        ],
        "it has that number of highlights": [
          words("count:2", [linesIn("a", [{ lineNumber: 1, offsetAndLengths: [1, 2] }])], { matchCount: 0 }),
          whole,
        ],
        "the other reported a problem": [
          words("count:1", [one]),
          words("", [two], { skipped: [{ reason: "shard-timeout" }] }),
        ],
        "the second of the others shows it": [words("count:1", [one]), words("count:2", [pathMatch("b")]), whole],
      },
      "not observed": {
        "a line was left out that only another search with the same number finds": [
          words("count:1", [one]),
          words("count:1", [two]),
          words("", [one]),
        ],
        "nothing was left out": [words("count:2", [two]), whole],
        "it found something else": [words("count:1", [linesIn("a", [3])]), whole],
        "it found something else besides": [words("count:2", [linesIn("a", [1, 3])]), whole],
        "it stopped before its number": [words("count:2", [one]), whole],
        "it counted nothing": [words("count:2", [one], { matchCount: null }), whole],
        "its lines mark too little": [
          words("count:3", [linesIn("a", [1, contextLine(2, "b")])], { matchCount: 0 }),
          words("", [linesIn("a", [1, 2, 3])]),
        ],
        "it reported a problem instead": [words("count:1", [one], { before: wireEvent("alert", {}) }), whole],
        "the other one sends no lines": [words("count:1", [one]), words("", [linesIn("a", [])])],
        "it sends no lines itself": [words("count:1", [linesIn("a", [])]), whole],
        "a large `display` may have left it out": [
          search({ q: "words count:1", display: "1000" }, { matches: [one] }),
          whole,
        ],
        "only so much is delivered": [
          search({ q: "words count:1", display: "9" }, { matches: [one] }),
          search({ display: "9" }, { matches: [two] }),
        ],
        "it failed": [{ ...words("count:1", [one]), cutBy: "reset" }, whole],
        "some match cannot be read": [words("count:1", [one, {}]), whole],
      },
    }),
  )("when $name it is: $is", ({ searches, is }) => {
    expect(describeReport(id, searches)).toBe(is);
    expect(describeReport(id, searches.toReversed())).toBe(is);
  });

  test("says which searches and what was left out, once", () => {
    const searches = [words("count:1", [linesIn("a", [lineMatch(1)])]), whole, words("count:all", [two])];
    const { violations, observations } = reportOf(id, searches);
    expect(violations).toMatchObject([
      {
        exchange: "1",
        message: "search 1 with `count:1` has no skipped entry although it omits results of search 2: line 2 of `a`",
      },
    ]);
    expect(observations).toBe(1);
  });
});

const ownLimit = "stream/cut-results-are-named";
const at = (commit: string, match: object): object => ({ ...match, commit });
const [path, other] = [pathMatch("a"), pathMatch("b")];
const archived = [{ reason: "excluded-archive" }];

describe("stream/cut-results-are-named", () => {
  test.each(
    rowsOf({
      broken: {
        "a path was left out": [words("", [path]), words("count:1000", [path, other])],
        "nothing is named but what was not asked for": [
          words("", [path], { skipped: archived }),
          words("count:1000", [path, other], { skipped: archived }),
        ],
        "a line was left out that `count:all` finds": [words("", [one]), words("count:all", [two])],
        "both tell the same commit": [words("", [at("c", path)]), words("count:1000", [at("c", path), at("c", other)])],
      },
      "not observed": {
        "it finds the same": [words("", [path]), words("count:1000", [path])],
        "a search with a number stops at it": [words("count:1", [one]), whole],
        "it is `count:all` that lacks a line": [words("count:all", [one]), words("count:5", [two])],
        "they tell other commits": [words("", [at("c", path)]), words("count:1000", [at("d", path), at("d", other)])],
        "a repository is left out, of which it tells no commit": [
          words("", [at("c", path)]),
          words("count:1000", [at("c", path), { ...at("d", other), repository: "another" }]),
        ],
        "it reported a problem": [
          words("", [path], { before: wireEvent("alert", {}) }),
          words("count:1000", [path, other]),
        ],
        "it has a match that says not of what it is one": [
          words("", [path, { type: "path" }]),
          words("count:1000", [path, other]),
        ],
        "it has something else besides": [words("", [path, pathMatch("c")]), words("count:1000", [path, other])],
      },
      holds: {
        "a path was left out and named": [words("", [path], named), words("count:1000", [path, other])],
      },
    }),
  )("when $name it is: $is", ({ searches, is }) => {
    expect(describeReport(ownLimit, searches)).toBe(is);
    expect(describeReport(ownLimit, searches.toReversed())).toBe(is);
  });

  test.each([
    { name: "between the others", sentAtMicros: 10, is: "broken" },
    { name: "after the others", sentAtMicros: 21, is: "not observed" },
  ])("without commits, a search $name is: $is", ({ sentAtMicros, is }) => {
    const searches = [
      search({ q: "words count:9" }, { matches: [path, other] }, { sentAtMicros: 5 }),
      search({ q: "words" }, { matches: [path] }, { sentAtMicros }),
      search({ q: "words count:99" }, { matches: [path, other] }, { sentAtMicros: 20 }),
    ];
    expect(describeReport(ownLimit, searches)).toBe(is);
  });

  test("without commits, no search left out what only a later search finds", () => {
    const searches = [
      search({ q: "words count:9" }, { matches: [path] }, { sentAtMicros: 5 }),
      search({ q: "words" }, { matches: [path] }, { sentAtMicros: 10 }),
      search({ q: "words count:99" }, { matches: [path, other] }, { sentAtMicros: 20 }),
    ];
    expect(describeReport(ownLimit, searches)).toBe("not observed");
  });

  test("says which searches and what was left out", () => {
    expect(reportOf(ownLimit, [words("", [path]), words("count:9", [path, other])]).violations).toMatchObject([
      {
        exchange: "1",
        message:
          "search 1 without a number has no skipped entry although it omits results of search 2: the path match `b` of a/repository",
      },
    ]);
  });
});

describe("a search without a number that finds less than an equal one", () => {
  const inFiles = (count: number, commit: string): FoundSketch => ({
    matches: Array.from({ length: count }, (_, index) => ({ ...linesIn(`f${index}`, [1]), commit })),
  });
  const all = search({ q: "words" }, inFiles(10, "c1"));
  const limitedSearch = search({ q: "words count:1" }, { ...inFiles(1, "c1"), skipped: limitHit });

  test.each<{ name: string; less: FoundSketch; is: string }>([
    { name: "far less", less: inFiles(4, "c1"), is: "broken" },
    { name: "half", less: inFiles(5, "c1"), is: "not observed" },
    { name: "far less, of another commit", less: inFiles(4, "c2"), is: "not observed" },
    { name: "far less, and names a limit", less: { ...inFiles(4, "c1"), skipped: limitHit }, is: "holds" },
    {
      name: "far less, and names another reason",
      less: { ...inFiles(4, "c1"), skipped: [{ reason: "x" }] },
      is: "holds",
    },
  ])("finds $name: $is", ({ less, is }) => {
    expect(describeReport("stream/cut-results-are-named", [search({ q: "words" }, less), all, limitedSearch])).toBe(is);
  });

  test.each<{ parameters: Readonly<Record<string, string>>; is: string }>([
    { parameters: { cm: "false" }, is: "broken" },
    { parameters: { cl: "2" }, is: "broken" },
    { parameters: { cm: "true" }, is: "not observed" },
    { parameters: { t: "keyword" }, is: "not observed" },
  ])("with $parameters is: $is", ({ parameters, is }) => {
    const less = search({ q: "words", ...parameters }, inFiles(4, "c1"));
    expect(describeReport("stream/cut-results-are-named", [less, all, limitedSearch])).toBe(is);
  });
});
