import { repetitions } from "@assay/tools/proving";
import { ruleRecord } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allRules } from "../../index.ts";
import { judgedBy } from "../../testing/judge-streams.ts";
import type { ExchangeSketch } from "../../testing/judge-streams.ts";
import { doneEvent, wireEvent } from "../../testing/stream-report.ts";
import { chunksIn, lineMatch, linesIn, pathMatch } from "../../testing/searches.ts";

const ids: readonly RuleId[] = [
  "stream/display-keeps-counting",
  "stream/no-display-no-limit",
  "stream/count-stops-search",
  "stream/count-all-finds-everything",
  "stream/cut-results-are-named",
  "stream/count-cut-is-named",
  "stream/chunk-lines-are-whole",
  "stream/max-line-len-cuts-lines",
  "stream/cl-gives-context-lines",
  "stream/cl-needs-cm",
  "stream/omitted-v-is-v3",
  "stream/omitted-t-is-standard",
  "stream/pattern-type-filter-wins",
];
const rules = allRules.filter(({ id }) => ids.includes(id));

/** All rules about parameters. */
const parameterRules = allRules.filter(({ id }) => ruleRecord(id).chapter === "parameters");

/** Searches between which every rule that compares has something to compare. */
const queries: readonly Readonly<Record<string, string>>[] = [
  { q: "w count:all" },
  { q: "w count:all", v: "V3" },
  { q: "w count:all", t: "standard" },
  { q: "w count:all", t: "regexp" },
  { q: "w count:all", cl: "3" },
  { q: "w count:all", cm: "true" },
  { q: "w count:all", cm: "true", cl: "0" },
  { q: "w count:all", cm: "true", "max-line-len": "3" },
  { q: "w count:all", display: "2" },
  { q: "w count:1" },
  { q: "w count:3" },
  { q: "w" },
  { q: "w count:all patternType:regexp" },
  { q: "w count:all patternType:regexp", t: "standard" },
  { q: "w count:all patternType:regexp" },
  { q: "w count:all" },
];

/** Number of observations and violations of each rule. */
const verdicts = (searches: readonly ExchangeSketch[]): readonly string[] =>
  [...judgedBy(rules, searches).outcomes].map(
    ([id, { observations, findings }]) => `${id}: ${observations}, ${findings.map(({ kind }) => kind).join(" ")}`,
  );

const violations = (searches: readonly ExchangeSketch[]): readonly string[] =>
  [...judgedBy(parameterRules, searches).outcomes.values()]
    .flatMap(({ findings }) => findings)
    .filter(({ kind }) => kind === "violation")
    .map(({ message }) => message);

const name = fc.constantFrom("a", "b");
const number = fc.integer({ min: 0, max: 4 });
const text = fc.constantFrom("line 1", "one\nline 2", "line 3\none\ntwo\nline 0", "four\r\nline 1\n");

/** A match cut into its smallest parts: each of them alone would be a match of the same file. */
const match = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({
        path: name,
        parts: fc.array(number, { minLength: 1, maxLength: 4 }).map((all) => all.map((line) => lineMatch(line))),
      })
      .map(({ path, parts }) => parts.map((part) => linesIn(path, [part]))),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(name, fc.array(text, { minLength: 1, maxLength: 3 }))
      .map(([path, texts]) => texts.map((one) => chunksIn(path, [one]))),
  },
  { weight: 1, arbitrary: name.map((path) => [pathMatch(path)]) },
  {
    weight: 2,
    arbitrary: fc.constantFrom([linesIn("c", [1])], [chunksIn("c", ["a\na\nline 1"])]),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom([{ type: "path" }], [linesIn("a", [])], [{ type: "repo", repository: "r" }]),
  },
);

type Part = object & {
  readonly path?: unknown;
  readonly lineMatches?: unknown;
  readonly chunkMatches?: unknown;
};

const partsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The parts of one match, joined again. */
const joined = (parts: readonly Part[]): Part => ({
  ...parts[0],
  ...("lineMatches" in (parts[0] ?? {})
    ? { lineMatches: parts.flatMap(({ lineMatches }) => partsOf(lineMatches)) }
    : {}),
  ...("chunkMatches" in (parts[0] ?? {})
    ? {
        chunkMatches: parts.flatMap(({ chunkMatches }) => partsOf(chunkMatches)),
      }
    : {}),
});

/** What one search finds: its matches in parts, what it counts, and what it says of its end. */
const result = fc.record({
  matches: fc.array(match, { maxLength: 5 }),
  matchCount: fc.integer({ min: 0, max: 9 }),
  skipped: fc.constantFrom([], [], [], [{ reason: "shard-match-limit" }]),
});

/** How a stream is written: which events its matches are cut into, in which order, whole or in parts. */
const writing = fc.record({
  isSplit: fc.boolean(),
  order: fc.array(fc.nat(100), { minLength: 20, maxLength: 20 }),
  cuts: fc.array(fc.nat(8), { maxLength: 3 }),
  hasMoreProgress: fc.boolean(),
});

interface Result {
  readonly matches: readonly (readonly Part[])[];
  readonly matchCount: number;
  readonly skipped: readonly object[];
}

interface Writing {
  readonly isSplit: boolean;
  readonly order: readonly number[];
  readonly cuts: readonly number[];
  readonly hasMoreProgress: boolean;
}

function written({ matches, matchCount, skipped }: Result, { isSplit, order, cuts, hasMoreProgress }: Writing): string {
  const elements = isSplit ? matches.flat() : matches.map(joined);
  const ordered = elements
    .map((element, index) => ({
      element,
      rank: order[index % order.length] ?? 0,
    }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ element }) => element);
  const ends = [...new Set([...cuts, ordered.length])].sort((one, other) => one - other);
  const running = wireEvent("progress", {
    done: false,
    matchCount,
    skipped: [],
  });
  return [
    ...ends.map((end, index) => wireEvent("matches", ordered.slice(ends[index - 1] ?? 0, end))),
    hasMoreProgress ? running : "",
    wireEvent("progress", { done: true, matchCount, skipped }),
    doneEvent,
  ].join("");
}

const plainly: Writing = {
  isSplit: false,
  order: [0],
  cuts: [],
  hasMoreProgress: false,
};

const nothing: Result = { matches: [], matchCount: 0, skipped: [] };

const firstOf = (query: object): number => queries.findIndex((one) => JSON.stringify(one) === JSON.stringify(query));

const searchesOf = (results: readonly Result[], writings: readonly Writing[]): readonly ExchangeSketch[] =>
  queries.map((query, index) => ({
    query,
    // Copies of a search find the same.
    body: written(results[firstOf(query) % results.length] ?? nothing, writings[index] ?? plainly),
  }));

describe("rules that compare", () => {
  test("come to the same however matches are ordered, grouped and split", () => {
    fc.assert(
      fc.property(
        fc.array(result, { minLength: 1, maxLength: 9 }),
        fc.array(writing, {
          minLength: queries.length,
          maxLength: queries.length,
        }),
        (results, writings) => {
          expect(verdicts(searchesOf(results, writings))).toEqual(verdicts(searchesOf(results, [])));
        },
      ),
      { numRuns: repetitions(12, 50) },
    );
  });

  test("have something to say about such searches, each of them", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.array(result, { minLength: 1, maxLength: 9 }), (results) => {
        for (const verdict of verdicts(searchesOf(results, [])).filter((one) => one.includes("violation"))) {
          seen.add(verdict.slice(0, verdict.indexOf(":")));
        }
      }),
      { numRuns: 100, seed: 1 },
    );
    expect([...seen].sort()).toEqual([...ids].sort());
  });

  test("find nothing where every search finds the same", () => {
    const lines = fc
      .array(match, { maxLength: 5 })
      .map((matches) => matches.filter((parts) => !("chunkMatches" in (parts[0] ?? {}))));
    // Whether a number ended a search cannot be seen where all of them found the same.
    const others = rules.filter(({ id }) => id !== "stream/count-stops-search");
    fc.assert(
      fc.property(
        lines,
        fc.array(writing, {
          minLength: queries.length,
          maxLength: queries.length,
        }),
        (matches, writings) => {
          const searches = searchesOf([{ matches, matchCount: 9, skipped: [] }], writings);
          const said = [...judgedBy(others, searches).outcomes.values()].flatMap(({ findings }) => findings);
          expect(said).toEqual([]);
        },
      ),
      { numRuns: repetitions(12, 50) },
    );
  });
});

/** How a faithful server of chunk matches may go about it. */
const habits = fc.record({
  lines: fc.array(fc.constantFrom("", "a", "b", "m", "m1", "m2", "long m", "a long line", "m: another long line"), {
    minLength: 1,
    maxLength: 24,
  }),
  context: fc.integer({ min: 0, max: 3 }),
  /** Lines of context in one search more. */
  otherContext: fc.integer({ min: 0, max: 6 }),
  firstNumber: fc.constantFrom(0, 1),
  manner: fc.constantFrom("merged", "overlapping", "apart"),
  lineEnd: fc.constantFrom("\n", "\r\n"),
  hasLastLineEnd: fc.boolean(),
  member: fc.constantFrom("context", "content"),
  share: fc.integer({ min: 0, max: 3 }),
  most: fc.integer({ min: 1, max: 16 }),
  cutting: fc.constantFrom("lines", "text"),
  isReversed: fc.boolean(),
  /** How matches share chunks where lines are cut. */
  cutManner: fc.constantFrom("merged", "overlapping", "apart"),
});

type Habits = typeof habits extends fc.Arbitrary<infer Value> ? Value : never;

/** First and last line, from 0. */
type Window = readonly [number, number];

function windowsOf({ lines, context, manner, share }: Habits): readonly Window[] {
  const windows: Window[] = [];
  const matchedLines = lines.flatMap((line, index) => (line.includes("m") ? [index] : []));
  for (const [index, matched] of matchedLines.entries()) {
    const from = Math.max(0, matched - context);
    const to = Math.min(lines.length - 1, matched + context);
    const [start, end] = windows.at(-1) ?? [-9, -9];
    const meets = from <= end + 1;
    // Each match keeps its own line, and no chunk has more than its share of what stands between.
    const cut = Math.max(from - 1, matchedLines[index - 1] ?? 0, Math.min(end - share, matched - 1));
    const kept: Readonly<Record<Habits["manner"], readonly Window[]>> = {
      overlapping: [...windows, [from, to]],
      merged: meets ? [...windows.slice(0, -1), [start, to]] : [...windows, [from, to]],
      apart: meets ? [...windows.slice(0, -1), [start, cut], [Math.max(cut + 1, from), to]] : [...windows, [from, to]],
    };
    windows.splice(0, windows.length, ...kept[manner]);
  }
  return windows;
}

/** The lines of a chunk, each cut, or up to what is left of the first one that is too long. */
function cutLines(lines: readonly string[], { most, cutting }: Habits): readonly string[] {
  const long = lines.findIndex((line) => line.length > most);
  const kept = cutting === "lines" || long < 0 ? lines : lines.slice(0, long + 1);
  return kept.map((line) => line.slice(0, most));
}

describe("a faithful server of chunk matches", () => {
  test("breaks nothing, whatever its habits", () => {
    fc.assert(
      fc.property(habits, (one) => {
        const { lines, context, otherContext, firstNumber, lineEnd, hasLastLineEnd, member, most, isReversed } = one;
        const matched = lines.flatMap((line, index) =>
          line.includes("m") ? [lineMatch(index + firstNumber, line)] : [],
        );
        const textsOf = (serverHabits: Habits): readonly (readonly string[])[] =>
          windowsOf(serverHabits).map(([from, to]) => lines.slice(from, to + 1));
        const chunkOf = (texts: readonly string[]): object => ({
          [member]: texts.join(lineEnd) + (hasLastLineEnd ? lineEnd : ""),
        });
        const chunkMatches = textsOf(one).map((texts) => chunkOf(texts));
        const others = textsOf({ ...one, context: otherContext }).map((texts) => chunkOf(texts));
        const cutMatches = textsOf({ ...one, manner: one.cutManner }).map((texts) => chunkOf(cutLines(texts, one)));
        const ordered = isReversed ? cutMatches.toReversed() : cutMatches;
        fc.pre(matched.length > 0);
        const inFile = (element: object): string =>
          written({ matches: [[element]], matchCount: 1, skipped: [] }, plainly);
        const inChunks = (chunks: readonly object[]): string => inFile({ ...chunksIn("a", []), chunkMatches: chunks });
        const asked = { q: "m", cm: "true", cl: String(context) };
        const searches = [
          { query: { q: "m" }, body: inFile(linesIn("a", matched)) },
          { query: asked, body: inChunks(chunkMatches) },
          { query: { ...asked, cl: String(otherContext) }, body: inChunks(others) },
          { query: { ...asked, "max-line-len": String(most) }, body: inChunks(ordered) },
        ];
        expect(violations(searches)).toEqual([]);
      }),
      { numRuns: repetitions(75, 300) },
    );
  });
});
