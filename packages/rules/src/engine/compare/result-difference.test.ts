import { describe, expect, test } from "vitest";
import type { ResultFacts } from "../result-facts.ts";
import { compareResults, findMissing } from "./result-difference.ts";
import type { MissingResults } from "./result-difference.ts";
import { comparedSearches } from "../../testing/compared-searches.ts";
import { chunksIn, lineMatch, linesIn, pathMatch, search } from "../../testing/searches.ts";

/** What searches found that delivered these matches, one search after the other. */
function resultsOf(one: readonly unknown[], other: readonly unknown[]): readonly [ResultFacts, ResultFacts] {
  const results = comparedSearches([search({}, { matches: one }), search({}, { matches: other })]).flatMap(
    ({ exchange }) => exchange.results ?? [],
  );
  const [first, second] = results;
  if (first === undefined || second === undefined) {
    throw new Error("Both searches have results.");
  }
  return [first, second];
}

const repository = (name: string): object => ({ type: "repo", repository: name });
const nameless = { type: "path" };
const namelessContent = { ...linesIn("a", [1]), path: 1 };

interface Row extends Partial<MissingResults> {
  readonly name: string;
  readonly results: readonly unknown[];
  readonly baseline: readonly unknown[];
}

describe("what a search lacks", () => {
  test.each<Row>([
    {
      name: "nothing of nothing",
      results: [],
      baseline: [],
      count: 0,
      examples: [],
      comparedCount: 0,
      isInconclusive: false,
    },
    {
      name: "nothing where it has more",
      results: [linesIn("a", [1, 2]), pathMatch("p")],
      baseline: [linesIn("a", [2])],
      count: 0,
      comparedCount: 2,
    },
    {
      name: "a file, once, and not its lines",
      results: [],
      baseline: [linesIn("a", [1, 2])],
      count: 1,
      examples: ["`a` of a/repository"],
      comparedCount: 1,
      isInconclusive: false,
    },
    {
      name: "lines of a file",
      results: [linesIn("a", [1])],
      baseline: [linesIn("a", [1, 2, 3])],
      count: 2,
      examples: ["line 2 of `a`", "line 3 of `a`"],
      comparedCount: 4,
    },
    {
      name: "a path, a repository and a commit",
      results: [],
      baseline: [pathMatch("p"), repository("r"), { type: "commit", repository: "r", oid: "1" }],
      count: 3,
      examples: ["the path match `p` of a/repository", "the repo match r", "the commit match `1` of r"],
      comparedCount: 3,
    },
    {
      name: "more than three items, of which three are listed",
      results: [],
      baseline: ["a", "b", "c", "d"].map((path) => linesIn(path, [1])),
      count: 4,
      examples: ["`a` of a/repository", "`b` of a/repository", "`c` of a/repository"],
      comparedCount: 4,
    },
    {
      name: "a long name, which is cut",
      results: [],
      baseline: [repository("r".repeat(90))],
      count: 1,
      examples: [`the repo match ${"r".repeat(80)}…`],
    },
    {
      name: "a line of chunk matches, by its text",
      results: [chunksIn("a", ["x"])],
      baseline: [chunksIn("a", ["x\ny"])],
      count: 1,
      comparedCount: 3,
      isInconclusive: false,
      examples: ["the line `y` of `a`"],
    },
    {
      name: "no line of chunk matches that is in another chunk match, empty or has invalid bytes",
      results: [chunksIn("a", ["x", "y"])],
      baseline: [chunksIn("a", ["x\ny\n\n\u{FFFD}"])],
      count: 0,
      comparedCount: 3,
      isInconclusive: false,
    },
    {
      name: "no lines where its own file is open",
      results: [chunksIn("a", ["x"])],
      baseline: [linesIn("a", [1])],
      count: 0,
      comparedCount: 1,
      isInconclusive: true,
    },
    {
      name: "no lines where the file of the baseline is open",
      results: [linesIn("a", [1])],
      baseline: [linesIn("a", [2, lineMatch("3")])],
      count: 0,
      comparedCount: 1,
      isInconclusive: true,
    },
    {
      name: "nothing for certain where one of two files is open",
      results: [chunksIn("a", ["x"]), linesIn("b", [1])],
      baseline: [linesIn("a", [1]), linesIn("b", [1])],
      count: 0,
      comparedCount: 3,
      isInconclusive: true,
    },
    {
      name: "no path where it has a nameless one",
      results: [nameless],
      baseline: [pathMatch("p"), repository("r")],
      count: 1,
      examples: ["the repo match r"],
      comparedCount: 1,
      isInconclusive: true,
    },
    {
      name: "a path where only the baseline has a nameless one",
      results: [],
      baseline: [nameless, pathMatch("p")],
      count: 1,
      comparedCount: 1,
      isInconclusive: true,
    },
    {
      name: "no file where it has nameless content, but lines of those that both have",
      results: [namelessContent, linesIn("b", [1])],
      baseline: [linesIn("a", [1]), linesIn("b", [1, 2])],
      count: 1,
      examples: ["line 2 of `b`"],
      comparedCount: 3,
      isInconclusive: true,
    },
  ])("is $name", ({ results, baseline, count, examples, comparedCount, isInconclusive }) => {
    const [own, other] = resultsOf(results, baseline);
    const lack = findMissing(own, other);
    const asked = { count, examples, comparedCount, isInconclusive };
    const expected = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
    expect(lack).toMatchObject(expected);
  });
});

describe("how two searches differ", () => {
  test.each<{
    name: string;
    results: readonly unknown[];
    baseline: readonly unknown[];
    difference: string | undefined;
  }>([
    { name: "not at all", results: [linesIn("a", [1])], baseline: [linesIn("a", [1])], difference: undefined },
    { name: "by a lack", results: [], baseline: [repository("r")], difference: "lacks the repo match r" },
    { name: "by an excess", results: [repository("r")], baseline: [], difference: "also has the repo match r" },
    {
      name: "by both",
      results: [repository("s"), repository("t")],
      baseline: [repository("r")],
      difference: "lacks the repo match r and also has the repo match s, the repo match t",
    },
    {
      name: "by more than three",
      results: [],
      baseline: ["1", "2", "3", "4", "5"].map(repository),
      difference: "lacks the repo match 1, the repo match 2, the repo match 3 and 2 more",
    },
    {
      name: "by three",
      results: [],
      baseline: ["1", "2", "3"].map(repository),
      difference: "lacks the repo match 1, the repo match 2, the repo match 3",
    },
  ])("is described in one difference: $name", ({ results, baseline, difference }) => {
    const [own, other] = resultsOf(results, baseline);
    expect(compareResults(own, other)).toMatchObject({ difference, isInconclusive: false });
  });

  test.each<{ name: string; results: readonly unknown[]; baseline: readonly unknown[] }>([
    { name: "it", results: [nameless], baseline: [] },
    { name: "the baseline", results: [], baseline: [nameless] },
    { name: "its lines", results: [chunksIn("a", [])], baseline: [linesIn("a", [1])] },
    { name: "the lines of the baseline", results: [linesIn("a", [1])], baseline: [chunksIn("a", [])] },
  ])("may go unnoticed if $name is ambiguous", ({ results, baseline }) => {
    const [own, other] = resultsOf(results, baseline);
    expect(compareResults(own, other)).toMatchObject({ difference: undefined, isInconclusive: true });
  });
});
