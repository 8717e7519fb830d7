import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isInSample } from "./mutant-sample.js";
import { computeScore, findSilentTestFiles, formatReport, listSurvivors, summarise } from "./mutation-report.js";

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
const summariseStatuses = (...statuses) => summarise("rules", report(...statuses.map((status) => mutant(status))), 9);

describe("the score", () => {
  test.each([
    { name: "counts what timed out as detected", statuses: ["Killed", "Timeout", "Survived", "NoCoverage"], score: 50 },
    { name: "leaves out what could not be run", statuses: ["Killed", "RuntimeError", "CompileError"], score: 100 },
    { name: "leaves out what was not run", statuses: ["Killed", "Ignored"], score: 100 },
    { name: "of nothing is full", statuses: [], score: 100 },
    { name: "is never rounded up", statuses: ["Killed", "Killed", "Survived"], score: 66.66 },
  ])("$name", ({ statuses, score }) => {
    expect(summariseStatuses(...statuses).score).toBe(score);
  });

  test("is next to its counts", () => {
    const statuses = ["Killed", "Killed", "Timeout", "Survived", "NoCoverage", "Ignored", "RuntimeError"];
    expect(summariseStatuses(...statuses)).toMatchObject({
      oneIn: 9,
      mutants: 5,
      killed: 2,
      timeout: 1,
      survived: 1,
      noCoverage: 1,
      score: 60,
    });
  });

  // Wilson's interval for 81 of 263, an example of Newcombe (1998).
  test("has the interval of the literature", () => {
    expect(computeScore(81, 263)).toEqual({ score: 30.79, atLeast: 25.52, atMost: 36.62 });
  });

  test("lies in its interval, which is narrower for a larger sample", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.double({ min: 0, max: 1, noNaN: true }), (tested, share) => {
        const detected = Math.round(share * tested);
        const small = computeScore(detected, tested);
        const large = computeScore(detected * 4, tested * 4);
        expect(small.atLeast).toBeLessThanOrEqual(small.score);
        expect(small.atMost).toBeGreaterThanOrEqual(small.score);
        expect(large.atMost - large.atLeast).toBeLessThan(small.atMost - small.atLeast);
      }),
    );
  });
});

describe("survivors", () => {
  test("are those that no test detected, with their place and the text they replace", () => {
    expect(listSurvivors(report(mutant("Killed"), mutant("Survived"), mutant("Timeout")))).toEqual([
      { at: `${file}:2:5`, original: "a > 1", mutator: "ConditionalExpression", replacement: "true", isCovered: true },
    ]);
  });

  test("span lines as one line of text", () => {
    const location = { start: { line: 3, column: 3 }, end: { line: 5, column: 4 } };
    const [survivor] = listSurvivors(report(mutant("NoCoverage", { location, replacement: "{\n}" })));
    expect(survivor).toMatchObject({ original: "run( a, )", replacement: "{ }", isCovered: false });
  });

  test("come in the order of the source, whatever the order of the run", () => {
    const early = mutant("Survived", { location: { start: { line: 1, column: 1 }, end: { line: 1, column: 6 } } });
    const other = mutant("Survived", { replacement: "false" });
    const inOrder = listSurvivors(report(early, other, mutant("Survived")));
    expect(listSurvivors(report(mutant("Survived"), other, early))).toEqual(inOrder);
    expect(inOrder.map(({ at, replacement }) => [at, replacement])).toEqual([
      [`${file}:1:1`, "true"],
      [`${file}:2:5`, "false"],
      [`${file}:2:5`, "true"],
    ]);
  });
});

test("files of tests of which none was run are found", () => {
  const ran = { ...report(), testFiles: { "b.test.ts": {} } };
  expect(findSilentTestFiles(ran, ["c.test.ts", "b.test.ts", "a.test.ts"])).toEqual(["a.test.ts", "c.test.ts"]);
  expect(findSilentTestFiles(report(), ["a.test.ts"])).toEqual(["a.test.ts"]);
});

describe("a sample", () => {
  const mutants = Array.from({ length: 3000 }, (_, line) => ({
    ...mutant("Killed"),
    fileName: file,
    location: { line },
  }));
  const choose = (sample) => mutants.filter((one) => isInSample(one, sample));

  test("has about one mutant in the number", () => {
    expect(choose({ oneIn: 1, seed: "1" })).toHaveLength(3000);
    expect(choose({ oneIn: 10, seed: "1" }).length).toBeGreaterThan(240);
    expect(choose({ oneIn: 10, seed: "1" }).length).toBeLessThan(360);
  });

  test("is the same again, also in a copy of the sources, and another one with another seed", () => {
    const first = choose({ oneIn: 10, seed: "1" });
    expect(choose({ oneIn: 10, seed: "1" })).toEqual(first);
    expect(choose({ oneIn: 10, seed: "2" })).not.toEqual(first);
    const copies = mutants.filter((one) =>
      isInSample({ ...one, fileName: `/tmp/copy/${file}` }, { oneIn: 10, seed: "1" }),
    );
    expect(copies).toEqual(first);
  });
});

test("the text shows the numbers of each part, and each survivor", () => {
  const summary = summarise("rules", report(mutant("Killed"), mutant("Killed"), mutant("NoCoverage")), 60);
  const text = formatReport([summary], "7");
  expect(text).toContain("(seed 7)");
  expect(text).toContain("| rules | 60 | 3 | 2 | 0 | 0 | 1 | 66.66 |");
  expect(text).toContain(`- ${file}:2:5, ConditionalExpression: \`a > 1\` becomes \`true\` (no test runs it)`);
});
