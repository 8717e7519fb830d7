import { describe, expect, test } from "vitest";
import type { ResultFacts } from "../../engine/result-facts.ts";
import { differenceOf, lackOf } from "./found-difference.ts";
import type { Lack } from "./found-difference.ts";
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

interface Row extends Partial<Lack> {
  readonly name: string;
  readonly results: readonly unknown[];
  readonly yardstick: readonly unknown[];
}

describe("what a search lacks", () => {
  test.each<Row>([
    { name: "nothing of nothing", results: [], yardstick: [], count: 0, examples: [], lookedFor: 0, isBlurred: false },
    {
      name: "nothing where it has more",
      results: [linesIn("a", [1, 2]), pathMatch("p")],
      yardstick: [linesIn("a", [2])],
      count: 0,
      lookedFor: 2,
    },
    {
      name: "a file, once, and not its lines",
      results: [],
      yardstick: [linesIn("a", [1, 2])],
      count: 1,
      examples: ["`a` of a/repository"],
      lookedFor: 1,
      isBlurred: false,
    },
    {
      name: "lines of a file",
      results: [linesIn("a", [1])],
      yardstick: [linesIn("a", [1, 2, 3])],
      count: 2,
      examples: ["line 2 of `a`", "line 3 of `a`"],
      lookedFor: 4,
    },
    {
      name: "a path, a repository and a commit",
      results: [],
      yardstick: [pathMatch("p"), repository("r"), { type: "commit", repository: "r", oid: "1" }],
      count: 3,
      examples: ["the path match `p` of a/repository", "the repo match r", "the commit match `1` of r"],
      lookedFor: 3,
    },
    {
      name: "more than three things, of which three are told",
      results: [],
      yardstick: ["a", "b", "c", "d"].map((path) => linesIn(path, [1])),
      count: 4,
      examples: ["`a` of a/repository", "`b` of a/repository", "`c` of a/repository"],
      lookedFor: 4,
    },
    {
      name: "a long name, which is cut",
      results: [],
      yardstick: [repository("r".repeat(90))],
      count: 1,
      examples: [`the repo match ${"r".repeat(80)}…`],
    },
    {
      name: "no lines where both files are open",
      results: [chunksIn("a", ["x"])],
      yardstick: [chunksIn("a", ["y"])],
      count: 0,
      lookedFor: 1,
      isBlurred: false,
    },
    {
      name: "no lines where its own file is open",
      results: [chunksIn("a", ["x"])],
      yardstick: [linesIn("a", [1])],
      count: 0,
      lookedFor: 1,
      isBlurred: true,
    },
    {
      name: "no lines where the file of the yardstick is open",
      results: [linesIn("a", [1])],
      yardstick: [linesIn("a", [2, lineMatch("3")])],
      count: 0,
      lookedFor: 1,
      isBlurred: true,
    },
    {
      name: "nothing for certain where one of two files is open",
      results: [chunksIn("a", ["x"]), linesIn("b", [1])],
      yardstick: [linesIn("a", [1]), linesIn("b", [1])],
      count: 0,
      lookedFor: 3,
      isBlurred: true,
    },
    {
      name: "no path where it has a nameless one",
      results: [nameless],
      yardstick: [pathMatch("p"), repository("r")],
      count: 1,
      examples: ["the repo match r"],
      lookedFor: 1,
      isBlurred: true,
    },
    {
      name: "a path where only the yardstick has a nameless one",
      results: [],
      yardstick: [nameless, pathMatch("p")],
      count: 1,
      lookedFor: 1,
      isBlurred: true,
    },
    {
      name: "no file where it has nameless content, but lines of those that both have",
      results: [namelessContent, linesIn("b", [1])],
      yardstick: [linesIn("a", [1]), linesIn("b", [1, 2])],
      count: 1,
      examples: ["line 2 of `b`"],
      lookedFor: 3,
      isBlurred: true,
    },
  ])("is $name", ({ results, yardstick, count, examples, lookedFor, isBlurred }) => {
    const [own, other] = resultsOf(results, yardstick);
    const lack = lackOf(own, other);
    const asked = { count, examples, lookedFor, isBlurred };
    const expected = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
    expect(lack).toMatchObject(expected);
  });
});

describe("how two searches differ", () => {
  test.each<{ name: string; results: readonly unknown[]; yardstick: readonly unknown[]; clause: string | undefined }>([
    { name: "not at all", results: [linesIn("a", [1])], yardstick: [linesIn("a", [1])], clause: undefined },
    { name: "by a lack", results: [], yardstick: [repository("r")], clause: "lacks the repo match r" },
    { name: "by an excess", results: [repository("r")], yardstick: [], clause: "has the repo match r besides" },
    {
      name: "by both",
      results: [repository("s"), repository("t")],
      yardstick: [repository("r")],
      clause: "lacks the repo match r and has the repo match s, the repo match t besides",
    },
    {
      name: "by more than three",
      results: [],
      yardstick: ["1", "2", "3", "4", "5"].map(repository),
      clause: "lacks the repo match 1, the repo match 2, the repo match 3 and 2 more",
    },
    {
      name: "by three",
      results: [],
      yardstick: ["1", "2", "3"].map(repository),
      clause: "lacks the repo match 1, the repo match 2, the repo match 3",
    },
  ])("is told in one clause: $name", ({ results, yardstick, clause }) => {
    const [own, other] = resultsOf(results, yardstick);
    expect(differenceOf(own, other)).toMatchObject({ clause, isBlurred: false });
  });

  test.each<{ name: string; results: readonly unknown[]; yardstick: readonly unknown[] }>([
    { name: "it", results: [nameless], yardstick: [] },
    { name: "the yardstick", results: [], yardstick: [nameless] },
    { name: "its lines", results: [chunksIn("a", [])], yardstick: [linesIn("a", [1])] },
    { name: "the lines of the yardstick", results: [linesIn("a", [1])], yardstick: [chunksIn("a", [])] },
  ])("may go unnoticed where $name cannot be told apart", ({ results, yardstick }) => {
    const [own, other] = resultsOf(results, yardstick);
    expect(differenceOf(own, other)).toMatchObject({ clause: undefined, isBlurred: true });
  });
});
