import { describe, expect, test } from "vitest";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { wireEvent } from "../../testing/said-of-stream.ts";
import {
  comparing,
  contextLine,
  limitHit,
  lineMatch,
  linesIn,
  pathMatch,
  said,
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
  test.each<{ name: string; searches: readonly ExchangeSketch[]; is: string }>([
    { name: "a line was left out and named", searches: [words("count:1", [one], named), whole], is: "holds" },
    { name: "a line was left out and not named", searches: [words("count:1", [one]), whole], is: "broken" },
    {
      name: "a file was left out",
      searches: [words("count:1", [one]), words("", [one, linesIn("b", [1])])],
      is: "broken",
    },
    {
      name: "everything was left out that a larger number finds",
      searches: [words("count:1", [one]), words("count:2", [two], named)],
      is: "broken",
    },
    {
      name: "what was left out is named in an earlier progress",
      searches: [words("count:1", [one], { before: wireEvent("progress", { done: false, ...named }) }), whole],
      is: "holds",
    },
    {
      name: "some entry is there, whatever its reason",
      searches: [words("count:1", [one], { skipped: [{ reason: "never-seen-before" }] }), whole],
      is: "holds",
    },
    {
      name: "nothing is named but what was not asked for",
      searches: [words("count:1", [one], { skipped: [{ reason: "excluded-archive" }] }), whole],
      is: "broken",
    },
    {
      name: "what is named is no array",
      searches: [words("count:1", [one], { skipped: "results" }), whole],
      is: "holds",
    },
    { name: "skipped is null", searches: [words("count:1", [one], { skipped: null }), whole], is: "broken" },
    {
      name: "a line was left out that only another search with the same number finds",
      searches: [words("count:1", [one]), words("count:1", [two]), words("", [one])],
      is: "not observed",
    },
    { name: "nothing was left out", searches: [words("count:2", [two]), whole], is: "not observed" },
    { name: "it found something else", searches: [words("count:1", [linesIn("a", [3])]), whole], is: "not observed" },
    {
      name: "it found something else besides",
      searches: [words("count:2", [linesIn("a", [1, 3])]), whole],
      is: "not observed",
    },
    { name: "it stopped before its number", searches: [words("count:2", [one]), whole], is: "not observed" },
    {
      name: "it stopped before its number but counted so many",
      searches: [words("count:2", [one], { matchCount: 2 }), whole],
      is: "broken",
    },
    {
      name: "it counted nothing",
      searches: [words("count:2", [one], { matchCount: null }), whole],
      is: "not observed",
    },
    {
      name: "it has so many elements",
      searches: [words("count:2", [one, one], { matchCount: 0 }), whole],
      is: "broken",
    },
    {
      name: "it has so many lines",
      searches: [words("count:2", [two], { matchCount: 0 }), words("", [linesIn("a", [1, 2, 3])])],
      is: "broken",
    },
    {
      name: "it has so many highlights",
      searches: [
        words("count:2", [linesIn("a", [{ lineNumber: 1, offsetAndLengths: [1, 2] }])], { matchCount: 0 }),
        whole,
      ],
      is: "broken",
    },
    {
      name: "its lines mark too little",
      searches: [
        words("count:3", [linesIn("a", [1, contextLine(2, "b")])], { matchCount: 0 }),
        words("", [linesIn("a", [1, 2, 3])]),
      ],
      is: "not observed",
    },
    {
      name: "the other told of a problem",
      searches: [words("count:1", [one]), words("", [two], { skipped: [{ reason: "shard-timeout" }] })],
      is: "broken",
    },
    {
      name: "it told of a problem instead",
      searches: [words("count:1", [one], { before: wireEvent("alert", {}) }), whole],
      is: "not observed",
    },
    {
      name: "it told of a problem as well",
      searches: [words("count:1", [one], { before: wireEvent("alert", {}), ...named }), whole],
      is: "holds",
    },
    {
      name: "the other one tells of no lines",
      searches: [words("count:1", [one]), words("", [linesIn("a", [])])],
      is: "not observed",
    },
    {
      name: "it tells of no lines itself",
      searches: [words("count:1", [linesIn("a", [])]), whole],
      is: "not observed",
    },
    {
      name: "only so much is delivered",
      searches: [
        search({ q: "words count:1", display: "9" }, { matches: [one] }),
        search({ display: "9" }, { matches: [two] }),
      ],
      is: "not observed",
    },
    { name: "it failed", searches: [{ ...words("count:1", [one]), cutBy: "reset" }, whole], is: "not observed" },
    { name: "some match cannot be read", searches: [words("count:1", [one, {}]), whole], is: "not observed" },
    {
      name: "the second of the others shows it",
      searches: [words("count:1", [one]), words("count:2", [pathMatch("b")]), whole],
      is: "broken",
    },
  ])("when $name it is: $is", ({ searches, is }) => {
    expect(said(id, searches)).toBe(is);
    expect(said(id, searches.toReversed())).toBe(is);
  });

  test("says which searches and what was left out, once", () => {
    const searches = [words("count:1", [linesIn("a", [lineMatch(1)])]), whole, words("count:all", [two])];
    const { violations, observations } = comparing(id, searches);
    expect(violations).toMatchObject([
      {
        exchange: "1",
        message:
          "search 1 with `count:1` has no skipped entry about it although it left out what search 2 finds: line 2 of `a`",
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
  test.each<{ name: string; searches: readonly ExchangeSketch[]; is: string }>([
    { name: "a path was left out", searches: [words("", [path]), words("count:1000", [path, other])], is: "broken" },
    { name: "it finds the same", searches: [words("", [path]), words("count:1000", [path])], is: "not observed" },
    {
      name: "a path was left out and named",
      searches: [words("", [path], named), words("count:1000", [path, other])],
      is: "holds",
    },
    {
      name: "nothing is named but what was not asked for",
      searches: [words("", [path], { skipped: archived }), words("count:1000", [path, other], { skipped: archived })],
      is: "broken",
    },
    {
      name: "a line was left out that `count:all` finds",
      searches: [words("", [one]), words("count:all", [two])],
      is: "broken",
    },
    { name: "a search with a number stops at it", searches: [words("count:1", [one]), whole], is: "not observed" },
    {
      name: "it is `count:all` that lacks a line",
      searches: [words("count:all", [one]), words("count:5", [two])],
      is: "not observed",
    },
    {
      name: "both tell the same commit",
      searches: [words("", [at("c", path)]), words("count:1000", [at("c", path), at("c", other)])],
      is: "broken",
    },
    {
      name: "they tell other commits",
      searches: [words("", [at("c", path)]), words("count:1000", [at("d", path), at("d", other)])],
      is: "not observed",
    },
    {
      name: "a repository is left out, of which it tells no commit",
      searches: [
        words("", [at("c", path)]),
        words("count:1000", [at("c", path), { ...at("d", other), repository: "another" }]),
      ],
      is: "not observed",
    },
    {
      name: "it told of a problem",
      searches: [words("", [path], { before: wireEvent("alert", {}) }), words("count:1000", [path, other])],
      is: "not observed",
    },
    {
      name: "it has a match that says not of what it is one",
      searches: [words("", [path, { type: "path" }]), words("count:1000", [path, other])],
      is: "not observed",
    },
    {
      name: "it has something else besides",
      searches: [words("", [path, pathMatch("c")]), words("count:1000", [path, other])],
      is: "not observed",
    },
  ])("when $name it is: $is", ({ searches, is }) => {
    expect(said(ownLimit, searches)).toBe(is);
    expect(said(ownLimit, searches.toReversed())).toBe(is);
  });

  test.each([
    { name: "between the others", sentAtMicros: 10, is: "broken" },
    { name: "after the others", sentAtMicros: 21, is: "not observed" },
  ])("where no commit is told, a search $name is: $is", ({ sentAtMicros, is }) => {
    const searches = [
      search({ q: "words count:9" }, { matches: [path, other] }, { sentAtMicros: 5 }),
      search({ q: "words" }, { matches: [path] }, { sentAtMicros }),
      search({ q: "words count:99" }, { matches: [path, other] }, { sentAtMicros: 20 }),
    ];
    expect(said(ownLimit, searches)).toBe(is);
  });

  test("where no commit is told, what only a later search finds was left out by none", () => {
    const searches = [
      search({ q: "words count:9" }, { matches: [path] }, { sentAtMicros: 5 }),
      search({ q: "words" }, { matches: [path] }, { sentAtMicros: 10 }),
      search({ q: "words count:99" }, { matches: [path, other] }, { sentAtMicros: 20 }),
    ];
    expect(said(ownLimit, searches)).toBe("not observed");
  });

  test("says which searches and what was left out", () => {
    expect(comparing(ownLimit, [words("", [path]), words("count:9", [path, other])]).violations).toMatchObject([
      {
        exchange: "1",
        message:
          "search 1 without a number has no skipped entry about it although it left out what search 2 finds: the path match `b` of a/repository",
      },
    ]);
  });
});

describe("a search without a number that finds less than an equal one", () => {
  const inFiles = (count: number, commit: string): FoundSketch => ({
    matches: Array.from({ length: count }, (_, index) => ({ ...linesIn(`f${index}`, [1]), commit })),
  });
  const all = search({ q: "words" }, inFiles(10, "c1"));
  const other = search({ q: "words count:1" }, { ...inFiles(1, "c1"), skipped: limitHit });

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
    expect(said("stream/cut-results-are-named", [search({ q: "words" }, less), all, other])).toBe(is);
  });

  test.each<{ parameters: Readonly<Record<string, string>>; is: string }>([
    { parameters: { cm: "false" }, is: "broken" },
    { parameters: { cl: "2" }, is: "broken" },
    { parameters: { cm: "true" }, is: "not observed" },
    { parameters: { t: "keyword" }, is: "not observed" },
  ])("with $parameters is: $is", ({ parameters, is }) => {
    const less = search({ q: "words", ...parameters }, inFiles(4, "c1"));
    expect(said("stream/cut-results-are-named", [less, all, other])).toBe(is);
  });
});
