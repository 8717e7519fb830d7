import { defined } from "@assay/contract";
import { expect, test } from "vitest";
import { toJunitKind } from "./junit-kind.ts";
import { failsRun, ruleStanding, ruleStandings } from "./rule-standing.ts";
import { fixedFailure, knownFailure, type SampleName, sampleVerdicts } from "./testing/sample-verdicts.ts";
import type { KnownFailure } from "./verdict.ts";

const nothing = undefined;

test.each<[SampleName, KnownFailure | undefined, string]>([
  ["passed", nothing, "passed"],
  ["failed", nothing, "failed"],
  ["warned", nothing, "warned"],
  ["not observed", nothing, "not-tested"],
  ["not applicable", nothing, "not-applicable"],
  ["no transport", nothing, "blocked"],
  ["failed", knownFailure, "known-failure"],
  ["warned", knownFailure, "known-failure"],
  ["passed", fixedFailure, "fixed"],
])("%s with the entry %j: %s", (name, known, standing) => {
  expect(ruleStanding({ verdict: sampleVerdicts[name], ...defined({ known }) })).toBe(standing);
});

test.each<SampleName>(["passed", "not observed", "not applicable", "no prerequisite", "no transport", "over a limit"])(
  "a known-failure entry does not change the verdict %s",
  (name) => {
    const verdict = sampleVerdicts[name];
    expect(ruleStanding({ verdict, known: knownFailure })).toBe(verdict.outcome);
  },
);

test.each<SampleName>(["failed", "warned", "not observed", "not applicable", "no prerequisite", "over a limit"])(
  "a fixed entry does not change the verdict %s",
  (name) => {
    const verdict = sampleVerdicts[name];
    expect(ruleStanding({ verdict, known: fixedFailure })).toBe(verdict.outcome);
  },
);

test.each<[SampleName, KnownFailure | undefined, boolean, boolean]>([
  ["passed", nothing, true, false],
  ["failed", nothing, false, true],
  ["failed", nothing, true, true],
  ["warned", nothing, false, false],
  ["warned", nothing, true, true],
  ["not observed", nothing, true, false],
  ["over a limit", nothing, true, false],
  ["failed", knownFailure, false, false],
  ["failed", knownFailure, true, false],
  ["warned", knownFailure, true, false],
  ["passed", fixedFailure, false, true],
  ["not observed", fixedFailure, true, false],
  ["failed", fixedFailure, false, true],
  ["warned", fixedFailure, true, true],
])("%s with the entry %j, strict %s, fails the run: %s", (name, known, ...[strict, fails]) => {
  const rule = { verdict: sampleVerdicts[name], ...defined({ known }) };
  expect(failsRun(rule, strict)).toBe(fails);
  expect(toJunitKind(rule, strict) === "failure").toBe(fails);
});

test("every standing is listed once, judged ones first", () => {
  expect(ruleStandings).toEqual([
    "passed",
    "failed",
    "warned",
    "known-failure",
    "fixed",
    "not-tested",
    "not-applicable",
    "blocked",
  ]);
});
