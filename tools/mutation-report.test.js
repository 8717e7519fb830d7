import { describe, expect, test } from "vitest";
import {
  countOutcomes,
  formatReport,
  reviewSurvivors,
  findSilentTestFiles,
  summarise,
  listSurvivors,
} from "./mutation-report.js";

const file = "packages/rules/src/x.ts";
const source = "const a = 1;\nif (a > 1) {\n  run(\n    a,\n  );\n}\n";

const mutant = (status, more = {}) => ({
  status,
  mutatorName: "ConditionalExpression",
  replacement: "true",
  location: { start: { line: 2, column: 5 }, end: { line: 2, column: 10 } },
  ...more,
});
const report = (...mutants) => ({ files: { [file]: { source, mutants } } });
const identity = {
  file,
  line: "if (a > 1) {",
  original: "a > 1",
  mutator: "ConditionalExpression",
  replacement: "true",
};
const review = (mutants) => [{ kind: "equivalent", reason: "because", mutants }];

describe("the score", () => {
  test.each([
    { name: "counts what timed out as noticed", statuses: ["Killed", "Timeout", "Survived", "NoCoverage"], score: 50 },
    { name: "leaves out what could not be run", statuses: ["Killed", "RuntimeError", "CompileError"], score: 100 },
    { name: "leaves out what was not run", statuses: ["Killed", "Ignored"], score: 100 },
    { name: "of nothing is full", statuses: [], score: 100 },
    { name: "is never rounded up", statuses: [...Array.from({ length: 2 }, () => "Killed"), "Survived"], score: 66.66 },
  ])("$name", ({ statuses, score }) => {
    expect(countOutcomes(statuses.map((status) => mutant(status))).score).toBe(score);
  });

  test("is next to its counts", () => {
    const statuses = ["Killed", "Killed", "Timeout", "Survived", "NoCoverage", "Ignored", "RuntimeError"];
    expect(countOutcomes(statuses.map((status) => mutant(status)))).toEqual({
      mutants: 5,
      killed: 2,
      timeout: 1,
      survived: 1,
      noCoverage: 1,
      ignored: 1,
      errors: 1,
      score: 60,
    });
  });
});

describe("survivors", () => {
  test("are those that no test noticed, with their place and the text they replace", () => {
    expect(listSurvivors(report(mutant("Killed"), mutant("Survived"), mutant("Timeout")))).toEqual([
      { ...identity, at: `${file}:2:5`, covered: true },
    ]);
  });

  test("span lines as one line of text", () => {
    const location = { start: { line: 3, column: 3 }, end: { line: 5, column: 4 } };
    const [survivor] = listSurvivors(report(mutant("NoCoverage", { location, replacement: "{\n}" })));
    expect(survivor).toMatchObject({ line: "run(", original: "run( a, )", replacement: "{ }", covered: false });
  });

  test("come in the order of the source, whatever the order of the run", () => {
    const early = mutant("Survived", { location: { start: { line: 1, column: 1 }, end: { line: 1, column: 6 } } });
    const other = mutant("Survived", { replacement: "false" });
    const inOrder = listSurvivors(report(early, other, mutant("Survived")));
    expect(listSurvivors(report(mutant("Survived"), other, early))).toEqual(inOrder);
    expect(inOrder.map(({ at }) => at)).toEqual([`${file}:1:1`, `${file}:2:5`, `${file}:2:5`]);
  });
});

test("files of tests of which none was run are found", () => {
  const ran = { ...report(), testFiles: { "b.test.ts": {} } };
  expect(findSilentTestFiles(ran, ["c.test.ts", "b.test.ts", "a.test.ts"])).toEqual(["a.test.ts", "c.test.ts"]);
  expect(findSilentTestFiles(report(), ["a.test.ts"])).toEqual(["a.test.ts"]);
});

describe("a review", () => {
  const survivors = listSurvivors(report(mutant("Survived")));

  test("of a survivor gives it its reason", () => {
    expect(reviewSurvivors("rules", survivors, review([identity]))).toEqual({
      reviewed: [{ ...identity, at: `${file}:2:5`, covered: true, kind: "equivalent", reason: "because" }],
      unreviewed: [],
      stale: [],
    });
  });

  test.each(Object.keys(identity).map((key) => ({ key })))(
    "with another $key is stale, and reviews nothing",
    ({ key }) => {
      const other = { ...identity, [key]: `${identity[key]}x` };
      const { reviewed, unreviewed, stale } = reviewSurvivors("rules", survivors, review([other]));
      expect({ reviewed, unreviewed, stale }).toEqual({ reviewed: [], unreviewed: survivors, stale: [other] });
    },
  );

  test("of another package is left alone", () => {
    const other = { ...identity, file: "packages/results/src/x.ts" };
    expect(reviewSurvivors("rules", [], review([other])).stale).toEqual([]);
  });

  test("of a part of a package is that part's alone", () => {
    const other = { ...identity, file: "packages/rules/src/mutations/x.ts" };
    expect(reviewSurvivors("rules", [], review([other])).stale).toEqual([]);
    expect(reviewSurvivors("counterexamples", [], review([other])).stale).toEqual([other]);
  });
});

test("the text shows each number, and each survivor with its reason", () => {
  const found = report(mutant("Killed"), mutant("Killed"), mutant("Survived"));
  const { reviewed } = reviewSurvivors("rules", listSurvivors(found), [
    { kind: "accepted", reason: "Nobody is promised it.", mutants: [identity] },
  ]);
  const text = formatReport([summarise("rules", found, reviewed)]);
  expect(text).toContain("| rules | 3 | 2 | 0 | 1 | 0 | 0 | 66.66 |");
  expect(text).toContain("| src/x.ts | 3 | 2 | 0 | 1 | 0 | 0 | 66.66 |");
  expect(text).toContain("- accepted: Nobody is promised it.\n");
  expect(text).toContain(`  - ${file}:2:5, ConditionalExpression: \`a > 1\` becomes \`true\``);
});

const together = (alike) => [{ kind: "accepted", reason: "Wording.", alike }];

describe("a review of all that are alike", () => {
  const survivors = listSurvivors(report(mutant("Survived")));
  const matching = { package: "rules", mutator: "ConditionalExpression", line: "^if", original: "a > \\d" };

  test.each([
    { name: "by line and text", alike: matching },
    { name: "by line alone", alike: { package: "rules", mutator: "ConditionalExpression", line: "^if" } },
    { name: "by text alone", alike: { package: "rules", mutator: "ConditionalExpression", original: "a > \\d" } },
  ])("gives each its reason, $name", ({ alike }) => {
    expect(reviewSurvivors("rules", survivors, together(alike))).toEqual({
      reviewed: [{ ...identity, at: `${file}:2:5`, covered: true, kind: "accepted", reason: "Wording.", alike }],
      unreviewed: [],
      stale: [],
    });
  });

  test.each([
    { name: "another mutator", other: { mutator: "StringLiteral" } },
    { name: "another line", other: { line: "^else" } },
    { name: "another text", other: { original: "b" } },
  ])("with $name is stale, and reviews nothing", ({ other }) => {
    const alike = { ...matching, ...other };
    expect(reviewSurvivors("rules", survivors, together(alike))).toEqual({
      reviewed: [],
      unreviewed: survivors,
      stale: [alike],
    });
  });

  test("of another package is left alone, and reviews nothing", () => {
    const { unreviewed, stale } = reviewSurvivors("results", survivors, together(matching));
    expect({ unreviewed, stale }).toEqual({ unreviewed: survivors, stale: [] });
  });

  test("leaves those to their own review that have one", () => {
    const { reviewed, stale } = reviewSurvivors("rules", survivors, [...together(matching), ...review([identity])]);
    expect(reviewed.map(({ reason }) => reason)).toEqual(["because"]);
    expect(stale).toEqual([matching]);
  });

  test("raises no score, and is shown with its pattern", () => {
    const found = report(mutant("Killed"), mutant("Survived"));
    const summary = summarise("rules", found, reviewSurvivors("rules", survivors, together(matching)).reviewed);
    expect(summary.score).toBe(50);
    expect(formatReport([summary])).toContain(
      "- accepted: Wording. (reviewed together: ConditionalExpression of `a > \\d` in lines with `^if`)\n  - packages",
    );
  });
});
