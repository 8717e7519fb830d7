import { defined } from "@assay/contract";
import { createChecker } from "@assay/reading";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concludeRun, type RunFacts } from "./conclude-run.ts";
import { type ExchangeSummary, type RunResult, RunResultShape } from "./run-result.ts";
import { stringifyRunResult } from "./stringify-run-result.ts";
import { completeRunResult } from "./testing/complete-run-result.ts";
import {
  fixedFailure,
  knownFailure,
  observation,
  ruleVerdict,
  type SampleName,
  sampleVerdicts,
} from "./testing/sample-verdicts.ts";
import type { KnownFailure } from "./verdict.ts";

const { fits, problem } = createChecker(RunResultShape);

const { openapi, run, tool, unspecified, exchanges } = completeRunResult;
const refused: ExchangeSummary = {
  id: "x2",
  probe: "basic-search",
  interface: "stream",
  operation: "search",
  url: "/",
  bytes: 0,
  events: 0,
  matches: 0,
  durationMicros: 1,
  failure: "refused",
};

const resultOf = (facts: RunFacts): RunResult => ({
  schemaVersion: 2,
  tool,
  run: { ...run, strict: facts.strict },
  ...concludeRun(facts),
  verdicts: facts.verdicts,
  unspecified,
  ...defined({ openapi }),
  exchanges: [...exchanges, refused],
});
const sample = (name: SampleName): RunResult =>
  resultOf({ strict: false, verdicts: [ruleVerdict(sampleVerdicts[name], { notes: [observation] })] });
const parsed = (result: RunResult): Record<string, unknown> => JSON.parse(stringifyRunResult(result));

test.each(Object.entries(sampleVerdicts))("the schema describes a result with a rule %s", (_name, verdict) => {
  const result = resultOf({ strict: false, verdicts: [ruleVerdict(verdict, { notes: [observation] })] });
  expect(problem(parsed(result))).toBeUndefined();
});

test.each<[string, Partial<RunFacts>]>([
  ["usage", { usageError: "wrong" }],
  ["harness", { harnessError: "thrown" }],
  ["SIGINT", { interrupted: "SIGINT" }],
  ["SIGTERM", { interrupted: "SIGTERM" }],
  ["slower", { performance: "failed" }],
  ["undecided", { performance: "inconclusive" }],
  ["left behind", { cleanupFailure: "1 left" }],
  ["empty", { verdicts: [] }],
  ["a mistake in a list of known failures", { knownFailureMistakes: ["a.txt, line 1: no owner"] }],
])("the schema describes a run that ended with %s", (_name, facts) => {
  const result = resultOf({ strict: false, verdicts: [ruleVerdict(sampleVerdicts.passed)], ...facts });
  expect(problem(parsed(result))).toBeUndefined();
});

test("the schema describes every mix of verdicts", () => {
  const verdicts = fc.array(fc.constantFrom(...Object.values(sampleVerdicts)).map((verdict) => ruleVerdict(verdict)));
  fc.assert(
    fc.property(verdicts, fc.boolean(), (mix, strict) => {
      expect(problem(parsed(resultOf({ verdicts: mix, strict })))).toBeUndefined();
    }),
  );
});

/** A result with one rule that passed and one with a known failure. */
const knownResult = (name: SampleName, known: KnownFailure): RunResult =>
  resultOf({
    strict: false,
    verdicts: [ruleVerdict(sampleVerdicts.passed), ruleVerdict(sampleVerdicts[name], { known })],
  });

/** A result whose only rule has an impossible entry. */
const withKnown = (name: SampleName, known: object): unknown => ({
  ...parsed(sample(name)),
  verdicts: [{ ...ruleVerdict(sampleVerdicts[name]), known }],
});
const { expires: _expires, ...withoutExpiry } = knownFailure;

test.each<[string, SampleName, KnownFailure]>([
  ["fails as known", "failed", knownFailure],
  ["warns as known", "warned", knownFailure],
  ["fails as a list of the tool says", "failed", withoutExpiry],
  ["is fixed", "passed", fixedFailure],
])("the schema describes a result with a rule that %s", (_name, name, known) => {
  expect(problem(parsed(knownResult(name, known)))).toBeUndefined();
});

test("the schema describes notes on known failures and a partly blocked failure", () => {
  const partlyBlocked = { blockedBy: "limit", missing: "a line longer than 64 MiB" } as const;
  const result = resultOf({ strict: false, verdicts: [ruleVerdict({ ...sampleVerdicts.failed, partlyBlocked })] });
  const value = { ...parsed(result), knownFailureNotes: ["field, line 3: holds here"] };
  expect(problem(value)).toBeUndefined();
});

const broken = (name: SampleName, verdict: object): unknown => ({
  ...parsed(sample(name)),
  verdicts: [{ ...ruleVerdict(sampleVerdicts[name]), verdict }],
});
const finding = { kind: "violation", message: "m" };

describe("the schema refuses", () => {
  test.each<[string, unknown]>([
    ["an unknown member", { ...parsed(sample("passed")), extra: 1 }],
    ["another version", { ...parsed(sample("passed")), schemaVersion: 3 }],
    ["an unknown outcome", { ...parsed(sample("passed")), outcome: "flaky" }],
    ["an exit code that is not published", { ...parsed(sample("passed")), exitCode: 7 }],
    ["an outcome with another outcome's code", { ...parsed(sample("passed")), exitCode: 1 }],
    [
      "a run that passed and is incomplete",
      { ...parsed(sample("passed")), incomplete: [{ code: "limit", message: "m" }] },
    ],
    ["a run that passed without verdicts", { ...parsed(sample("passed")), verdicts: [] }],
    ["a reason without a code", { ...parsed(sample("over a limit")), incomplete: [{ message: "m" }] }],
    ["counts without an outcome", { ...parsed(sample("passed")), counts: { passed: 1 } }],
    ["a run that passed with a mistake in a list", { ...parsed(sample("passed")), knownFailureMistakes: ["m"] }],
    ["an empty list of mistakes", { ...parsed(sample("failed")), knownFailureMistakes: [] }],
    ["an empty list of notes", { ...parsed(sample("passed")), knownFailureNotes: [] }],
    [
      "a run that passed with a fixed rule",
      { ...parsed(knownResult("passed", fixedFailure)), outcome: "passed", exitCode: 0 },
    ],
    ["a known failure that passed", withKnown("passed", knownFailure)],
    ["a known failure that was not tested", withKnown("not observed", knownFailure)],
    ["a known failure that was blocked", withKnown("over a limit", knownFailure)],
    ["a fixed rule that failed", withKnown("failed", fixedFailure)],
    ["an unknown status", withKnown("failed", { ...knownFailure, status: "flaky" })],
    [
      "a known failure without owner",
      withKnown("failed", { status: "known-failure", reason: "r", source: "s", line: 1 }),
    ],
    ["a known failure without a date of expiry", withKnown("failed", { ...knownFailure, expires: "soon" })],
    ["a known failure in line 0", withKnown("failed", { ...knownFailure, line: 0 })],
    [
      "a failure partly blocked by a prerequisite",
      broken("failed", {
        outcome: "failed",
        findings: [finding],
        moreFindings: 0,
        partlyBlocked: { blockedBy: "prerequisite", missing: "m" },
      }),
    ],
    ["passed without observations", broken("passed", { outcome: "passed", observations: 0 })],
    ["passed without a count", broken("passed", { outcome: "passed" })],
    ["failed without findings", broken("failed", { outcome: "failed", findings: [], moreFindings: 0 })],
    [
      "failed with a member of another outcome",
      broken("failed", { outcome: "failed", findings: [finding], moreFindings: 0, reason: "r" }),
    ],
    ["not applicable without a reason", broken("not applicable", { outcome: "not-applicable" })],
    ["an unknown blockedBy", broken("no transport", { outcome: "blocked", blockedBy: "weather", missing: "m" })],
    [
      "a finding of an unknown kind",
      broken("failed", { outcome: "failed", findings: [{ ...finding, kind: "hint" }], moreFindings: 0 }),
    ],
    [
      "a negative offset",
      broken("failed", { outcome: "failed", findings: [{ ...finding, offset: -1 }], moreFindings: 0 }),
    ],
  ])("%s", (_name, value) => {
    expect(fits(value)).toBe(false);
  });
});
