import { describe, expect, test } from "vitest";
import { chunksIn, lineMatch, linesIn, pathMatch } from "../testing/searches.ts";
import { createResultCollector } from "./result-facts.ts";
import type { ResultCollector, ResultFacts } from "./result-facts.ts";
import { readMatches } from "./matches/read-matches.ts";
import { streamEvent } from "../testing/stream-event.ts";

function addMatches(collector: ResultCollector, matches: readonly unknown[]): void {
  const matchesEvent = streamEvent("matches", matches);
  collector.addMatches(matchesEvent);
  const list = readMatches(matchesEvent);
  for (let index = 0; index < list.length; index += 1) {
    collector.addMatch(list.at(index));
  }
}

/** The results of a search with these matches in one event. */
function factsOf(...matches: readonly unknown[]): ResultFacts {
  const collector = createResultCollector();
  addMatches(collector, matches);
  return collector.build(false);
}

function factsAfter(...progress: readonly unknown[]): ResultFacts {
  const collector = createResultCollector();
  for (const value of progress) {
    collector.addProgress(streamEvent("progress", value));
  }
  return collector.build(false);
}

const fileOf = (facts: ResultFacts) => [...facts.files.values()][0];

describe("a file with content matches", () => {
  test("has repository, path, lines, chunk matches and commit", () => {
    const facts = factsOf({ ...linesIn("a.ts", [3, 5]), commit: "c1" }, chunksIn("a.ts", ["one", "two"]));
    expect([...facts.files.keys()]).toEqual(['["a/repository","a.ts"]']);
    expect(fileOf(facts)).toEqual({
      repository: "a/repository",
      path: "a.ts",
      lines: new Map([
        [3, "line 3"],
        [5, "line 5"],
      ]),
      unmarkedLines: new Set(),
      chunkTexts: ["one", "two"],
      commit: "c1",
      mayHaveMoreLines: true,
      hasConflicts: false,
      lacksChunkText: false,
    });
  });

  test("keeps the numbers of unmarked lines", () => {
    const file = fileOf(
      factsOf(linesIn("a", [1, { line: "b", lineNumber: 2, offsetAndLengths: [] }, { lineNumber: 3 }])),
    );
    expect([[...(file?.lines.keys() ?? [])], [...(file?.unmarkedLines ?? [])]]).toEqual([[1, 2, 3], [2]]);
  });

  test("differs from a file with the same path in another repository", () => {
    expect(factsOf(linesIn("a.ts", [1]), { ...linesIn("a.ts", [1]), repository: "other" }).files.size).toBe(2);
  });

  test.each<{ name: string; matches: readonly unknown[]; isOpen: boolean }>([
    { name: "with line matches is closed", matches: [linesIn("a", [1])], isOpen: false },
    { name: "in two closed elements is closed", matches: [linesIn("a", [1]), linesIn("a", [2])], isOpen: false },
    {
      name: "with line matches and chunk matches is closed",
      matches: [{ ...chunksIn("a", ["x"]), ...linesIn("a", [1]) }],
      isOpen: false,
    },
    { name: "without line matches is open", matches: [linesIn("a", [])], isOpen: true },
    { name: "with null for line matches is open", matches: [{ ...linesIn("a", []), lineMatches: null }], isOpen: true },
    { name: "with one element that is open is open", matches: [linesIn("a", [1]), linesIn("a", [])], isOpen: true },
    { name: "with a line that has no number is open", matches: [linesIn("a", [1, lineMatch("2")])], isOpen: true },
    { name: "with a line that is not an object is open", matches: [linesIn("a", [1, null])], isOpen: true },
    {
      name: "with a line number out of range is open",
      matches: [linesIn("a", [1, lineMatch(Infinity)])],
      isOpen: true,
    },
    { name: "with chunk matches is open", matches: [chunksIn("a", ["x"])], isOpen: true },
  ])("$name", ({ matches, isOpen }) => {
    expect(fileOf(factsOf(...matches))?.mayHaveMoreLines).toBe(isOpen);
  });

  test.each<{ name: string; matches: readonly unknown[]; isMixed: boolean }>([
    { name: "twice the same is in one state", matches: [linesIn("a", [1]), linesIn("a", [1])], isMixed: false },
    {
      name: "with one commit is in one state",
      matches: [{ ...linesIn("a", [1]), commit: "c" }, linesIn("a", [2])],
      isMixed: false,
    },
    {
      name: "with the same commit twice is in one state",
      matches: [
        { ...linesIn("a", [1]), commit: "c" },
        { ...linesIn("a", [2]), commit: "c" },
      ],
      isMixed: false,
    },
    {
      name: "with two commits is in several",
      matches: [
        { ...linesIn("a", [1]), commit: "c" },
        { ...linesIn("a", [2]), commit: "d" },
      ],
      isMixed: true,
    },
    {
      name: "with two texts for a line is in several",
      matches: [linesIn("a", [1]), linesIn("a", [lineMatch(1, "other")])],
      isMixed: true,
    },
  ])("$name", ({ matches, isMixed }) => {
    expect(fileOf(factsOf(...matches))?.hasConflicts).toBe(isMixed);
  });

  test("keeps the first commit and the first text of a line", () => {
    const facts = factsOf(
      { ...linesIn("a", [lineMatch(1, "first")]), commit: "c" },
      { ...linesIn("a", [lineMatch(1, "second")]), commit: "d" },
    );
    expect(fileOf(facts)).toMatchObject({ commit: "c", lines: new Map([[1, "first"]]) });
  });

  test("keeps the number of a line whose text is not a string", () => {
    expect(fileOf(factsOf(linesIn("a", [lineMatch(7, { a: 1 })])))?.lines).toEqual(new Map([[7, undefined]]));
  });

  test.each([{ chunk: {} }, { chunk: { context: 1 } }])("notes a chunk match without a text: $chunk", ({ chunk }) => {
    const facts = factsOf({ ...linesIn("a", []), chunkMatches: [{ context: "x" }, chunk] });
    expect(fileOf(facts)).toMatchObject({ chunkTexts: ["x"], lacksChunkText: true });
  });
});

describe("a match of another type", () => {
  test.each<{ name: string; match: object; key: string }>([
    { name: "a path", match: pathMatch("a.ts"), key: '["path","a/repository","a.ts"]' },
    { name: "a symbol", match: { ...pathMatch("a.ts"), type: "symbol" }, key: '["symbol","a/repository","a.ts"]' },
    { name: "a repository", match: { type: "repo", repository: "r" }, key: '["repo","r",""]' },
    {
      name: "a commit by its id",
      match: { type: "commit", repository: "r", oid: "1", url: "/1" },
      key: '["commit","r","1"]',
    },
    {
      name: "a commit by its address",
      match: { type: "commit", repository: "r", url: "/1" },
      key: '["commit","r","/1"]',
    },
    { name: "a difference", match: { type: "diff", repository: "r", oid: "1" }, key: '["diff","r","1"]' },
    { name: "a type nobody listed", match: { type: "person", repository: "r", path: "p" }, key: '["person","r","p"]' },
  ])("is known by what it is a match of: $name", ({ match, key }) => {
    const facts = factsOf(match, match);
    expect([...facts.otherItems.keys()]).toEqual([key]);
    expect([facts.unidentifiedCounts.size, facts.isPartial]).toEqual([0, false]);
  });

  test.each([
    { type: "path", kept: "c" },
    { type: "symbol", kept: "c" },
    { type: "commit", kept: undefined },
    { type: "diff", kept: undefined },
  ])("keeps the commit of the index, not one that was found: $type", ({ type, kept }) => {
    const facts = factsOf({ type, repository: "r", path: "p", oid: "1", commit: "c" });
    expect([...facts.otherItems.values()].map(({ commit }) => commit)).toEqual([kept]);
  });

  test.each<{ name: string; match: object; type: string }>([
    { name: "a path without repository", match: { type: "path", path: "a" }, type: "path" },
    { name: "a path that is a list", match: { type: "path", path: ["a"], repository: "r" }, type: "path" },
    { name: "a repository by reference", match: { type: "repo", repository: { name: "r" } }, type: "repo" },
    { name: "a commit without id", match: { type: "commit", repository: "r", path: "p", oid: 1 }, type: "commit" },
    { name: "content without path", match: { ...linesIn("a", [1]), path: 1 }, type: "content" },
    { name: "content without repository", match: { ...linesIn("a", [1]), repository: null }, type: "content" },
  ])("is unidentified where it does not say so: $name", ({ match, type }) => {
    const facts = factsOf(match, match);
    expect(facts.unidentifiedCounts).toEqual(new Map([[type, 2]]));
    expect([facts.files.size, facts.otherItems.size, facts.isPartial]).toEqual([0, 0, false]);
  });
});

describe("highlights are counted", () => {
  const ranges = (count: number): readonly unknown[] => Array.from({ length: count }, () => [0, 1]);
  test.each<{ name: string; match: object; highlights: number }>([
    { name: "each range of a path", match: { ...pathMatch("a"), pathMatches: ranges(2) }, highlights: 2 },
    { name: "one of a content match without parts", match: linesIn("a", []), highlights: 1 },
    {
      name: "each of each line",
      match: linesIn("a", [1, { lineNumber: 2, offsetAndLengths: ranges(3) }]),
      highlights: 4,
    },
    {
      name: "none for an unmarked line, one for a line without the member",
      match: linesIn("a", [{ lineNumber: 2, offsetAndLengths: [] }, null]),
      highlights: 1,
    },
    {
      name: "none where nothing is marked",
      match: linesIn("a", [{ lineNumber: 2, offsetAndLengths: [] }]),
      highlights: 0,
    },
    {
      name: "each of each chunk match",
      match: { ...linesIn("a", []), chunkMatches: [{ context: "", ranges: ranges(3) }, { context: "" }] },
      highlights: 4,
    },
    {
      name: "those of the lines or of the chunk matches, the larger number",
      match: {
        ...linesIn("a", [{ lineNumber: 2, offsetAndLengths: ranges(3) }]),
        chunkMatches: [{ ranges: ranges(2) }],
      },
      highlights: 3,
    },
    { name: "those of content without a path", match: { ...linesIn("a", [1, 2]), path: 1 }, highlights: 2 },
    { name: "one of a path", match: pathMatch("a"), highlights: 1 },
    { name: "each symbol", match: { ...pathMatch("a"), type: "symbol", symbols: ranges(3) }, highlights: 3 },
    { name: "each range of a commit", match: { type: "commit", ranges: ranges(2) }, highlights: 2 },
    { name: "one of a commit without ranges", match: { type: "commit", ranges: [] }, highlights: 1 },
  ])("$name", ({ match, highlights }) => {
    expect(factsOf(match).highlights).toBe(highlights);
    expect(factsOf(match, match).highlights).toBe(2 * highlights);
  });
});

describe("the final count", () => {
  test.each<{ name: string; progress: readonly unknown[]; matchCount: number | undefined }>([
    {
      name: "is that of the final progress",
      progress: [
        { done: false, matchCount: 1 },
        { done: true, matchCount: 2 },
      ],
      matchCount: 2,
    },
    { name: "is none without a final progress", progress: [{ done: false, matchCount: 1 }], matchCount: undefined },
    { name: "is none when it is not a number", progress: [{ done: true, matchCount: "2" }], matchCount: undefined },
    {
      name: "is none when it is beyond all numbers",
      progress: [{ done: true, matchCount: Infinity }],
      matchCount: undefined,
    },
    { name: "may be zero", progress: [{ done: true, matchCount: 0 }], matchCount: 0 },
  ])("$name", ({ progress, matchCount }) => {
    expect(factsAfter(...progress).matchCount).toBe(matchCount);
  });
});

describe("skipped entries", () => {
  test.each<{ name: string; skipped: unknown; reasons: readonly string[] }>([
    { name: "none of an empty array", skipped: [], reasons: [] },
    { name: "none of null", skipped: null, reasons: [] },
    { name: "none where there is no such member", skipped: undefined, reasons: [] },
    { name: "each reason once", skipped: [{ reason: "a" }, { reason: "b" }, { reason: "a" }], reasons: ["a", "b"] },
    { name: "an empty text for what has no reason", skipped: [{}, null, { reason: 1 }], reasons: [""] },
    { name: "an empty text for what is not an array", skipped: "much", reasons: [""] },
    { name: "a reason of 100 characters", skipped: [{ reason: "x".repeat(100) }], reasons: ["x".repeat(100)] },
    { name: "an empty text for a longer one", skipped: [{ reason: "x".repeat(101) }], reasons: [""] },
  ])("are listed by their reasons: $name", ({ skipped, reasons }) => {
    const facts = factsAfter({ done: false, skipped }, { done: true, skipped: [] });
    expect([...facts.skippedReasons]).toEqual(reasons);
    expect(facts.hasSkipped).toBe(reasons.length > 0);
  });

  test("keep at most 50 different reasons", () => {
    const skipped = Array.from({ length: 60 }, (_, index) => ({ reason: String(index) }));
    expect(factsAfter({ skipped }).skippedReasons.size).toBe(50);
  });
});

describe("a search is partial", () => {
  test.each<{ name: string; facts: () => ResultFacts }>([
    { name: "after matches that are not an array", facts: () => readValue("addMatches", { type: "path" }) },
    { name: "after matches that are not JSON", facts: () => readValue("addMatches", undefined) },
    { name: "after a match that is not an object", facts: () => factsOf(pathMatch("a"), "text") },
    { name: "after a match without a type", facts: () => factsOf({ path: "a", repository: "r" }) },
    { name: "after a progress that is not an object", facts: () => readValue("addProgress", [1]) },
    { name: "when an event was lost", facts: () => createResultCollector().build(true) },
  ])("$name", ({ facts }) => {
    expect(facts().isPartial).toBe(true);
  });

  const readValue = (method: "addMatches" | "addProgress", value: unknown): ResultFacts => {
    const collector = createResultCollector();
    collector[method](streamEvent("any", value));
    return collector.build(false);
  };

  test.each<{ name: string; facts: () => ResultFacts }>([
    { name: "nothing at all", facts: () => factsOf() },
    {
      name: "matches of all kinds",
      facts: () => factsOf(linesIn("a", [1]), chunksIn("b", ["x"]), pathMatch("c"), { type: "repo" }),
    },
    { name: "a progress without members", facts: () => factsAfter({}) },
  ])("not after $name", ({ facts }) => {
    expect(facts()).toMatchObject({ isPartial: false, lacksText: false });
  });
});

describe("the size of kept results is limited to", () => {
  test("20,000 items, including files and lines", () => {
    const lines = (count: number): object =>
      linesIn(
        "a",
        Array.from({ length: count }, (_, index) => lineMatch(index, "")),
      );
    expect(factsOf(lines(19_998), pathMatch("b")).isPartial).toBe(false);
    expect(factsOf(lines(19_999), pathMatch("b")).isPartial).toBe(true);
    expect(fileOf(factsOf(lines(30_000)))?.lines.size).toBe(19_999);
  });

  test("4 Mi characters of text; items are kept without their texts", () => {
    const text = "x".repeat(1024 * 1024 - 1000);
    const kept = factsOf(
      linesIn(
        "a",
        [1, 2, 3, 4].map((number) => lineMatch(number, `${number}${text}`)),
      ),
    );
    expect(kept).toMatchObject({ isPartial: false, lacksText: false });
    const cut = factsOf(
      linesIn(
        "a",
        [1, 2, 3, 4, 5].map((number) => lineMatch(number, `${number}${text}`)),
      ),
    );
    expect(cut).toMatchObject({ isPartial: false, lacksText: true });
    expect(fileOf(cut)?.lines.get(5)).toBeUndefined();
    expect(fileOf(cut)?.lines.size).toBe(5);
  });

  test("texts of chunk matches too", () => {
    const facts = factsOf(chunksIn("a", ["x".repeat(3 * 1024 * 1024), "y".repeat(2 * 1024 * 1024), "z"]));
    expect(facts).toMatchObject({ isPartial: false, lacksText: true });
    expect(fileOf(facts)).toMatchObject({ lacksChunkText: true });
    expect(fileOf(facts)?.chunkTexts.map(({ length }) => length)).toEqual([3 * 1024 * 1024, 1]);
  });

  test("names too: a search with very long ones is partial", () => {
    expect(factsOf(pathMatch("p".repeat(4 * 1024 * 1024))).isPartial).toBe(true);
    expect(factsOf({ type: "t".repeat(4 * 1024 * 1024) }).isPartial).toBe(true);
    expect(factsOf(linesIn("p".repeat(4 * 1024 * 1024), [1]))).toMatchObject({ isPartial: true, files: new Map() });
  });

  test("nothing more once a search is partial", () => {
    const facts = factsOf("text", linesIn("a", [1]), pathMatch("b"));
    expect([facts.files.size, facts.otherItems.size, facts.highlights]).toEqual([0, 0, 0]);
  });

  test.each<{ name: string; matches: readonly unknown[]; items: number; characters: number }>([
    { name: "a file and its line", matches: [linesIn("a", [1])], items: 2, characters: 20 + 0 + 6 + 3 * 32 },
    { name: "a line without its text", matches: [linesIn("a", [lineMatch(1, 5)])], items: 2, characters: 20 + 2 * 32 },
    { name: "a file and its chunk match", matches: [chunksIn("a", ["x"])], items: 1, characters: 20 + 1 + 2 * 32 },
    { name: "the same twice", matches: [pathMatch("a"), pathMatch("a")], items: 1, characters: 27 + 32 },
    { name: "two matches without a subject", matches: [{ type: "t" }, { type: "t" }], items: 1, characters: 1 + 32 },
  ])("each thing and each text with 32 characters more: $name", ({ matches, items, characters }) => {
    const shared = { items: 100, characters: 1000 };
    addMatches(createResultCollector(shared), matches);
    expect(shared).toEqual({ items: 100 - items, characters: 1000 - characters });
  });

  test("one allowance for all searches together", () => {
    const shared = { items: 3, characters: 1000 };
    const facts = [1, 2].map(() => {
      const collector = createResultCollector(shared);
      addMatches(collector, [linesIn("a", [1])]);
      return collector.build(false);
    });
    expect(facts.map(({ isPartial }) => isPartial)).toEqual([false, true]);
    expect(shared.items).toBe(0);
  });
});
