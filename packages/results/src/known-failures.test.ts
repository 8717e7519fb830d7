import { defined } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { concludeRun, type RunFacts } from "./conclude-run.ts";
import { toJunitKind } from "./junit-kind.ts";
import { failsRun } from "./rule-standing.ts";
import { fixedFailure, knownFailure, ruleVerdict, type SampleName, sampleVerdicts } from "./testing/sample-verdicts.ts";
import type { KnownFailure, RuleVerdict } from "./verdict.ts";

const rule = (name: SampleName, id: string, known?: KnownFailure): RuleVerdict =>
  ruleVerdict(sampleVerdicts[name], { rule: `stream/${id}`, ...defined({ known }) });
const passes = rule("passed", "passes");
const failsAsKnown = rule("failed", "fails-as-known", knownFailure);
const warnsAsKnown = rule("warned", "warns-as-known", knownFailure);
const isFixed = rule("passed", "is-fixed", fixedFailure);
const facts = (verdicts: readonly RuleVerdict[], other: Partial<RunFacts> = {}): RunFacts => ({
  verdicts,
  strict: false,
  ...other,
});
const expired = "a.txt, line 4: the entry expired";
const partlyBlocked = { blockedBy: "limit", missing: "a line longer than 64 MiB" } as const;
const partlyBlockedKnown: RuleVerdict = { ...failsAsKnown, verdict: { ...sampleVerdicts.failed, partlyBlocked } };

test.each<[string, RunFacts, number, string]>([
  ["a known failure and a rule that passed", facts([passes, failsAsKnown]), 0, "1 of 2 rules passed; 1 known failure"],
  ["known failures alone", facts([failsAsKnown, warnsAsKnown]), 0, "0 of 2 rules passed; 2 known failures"],
  [
    "a known warning in a strict run",
    facts([passes, warnsAsKnown], { strict: true }),
    0,
    "1 of 2 rules passed; 1 known failure",
  ],
  ["a fixed known failure", facts([passes, isFixed]), 1, "1 known failure no longer fails: stream/is-fixed"],
  [
    "several fixed known failures",
    facts([isFixed, isFixed, isFixed, isFixed]),
    1,
    "4 known failures no longer fail: stream/is-fixed, stream/is-fixed, stream/is-fixed, 1 more",
  ],
  [
    "a failure and a known failure",
    facts([passes, failsAsKnown, rule("failed", "fails")]),
    1,
    "1 of 3 rules failed: stream/fails",
  ],
  [
    "a mistake in the list only",
    facts([passes], { knownFailureMistakes: [expired] }),
    1,
    `1 mistake in the known failures, such as: ${expired}`,
  ],
  [
    "everything at once",
    facts([passes, rule("failed", "fails"), isFixed, failsAsKnown], {
      knownFailureMistakes: [expired, "another"],
      incomplete: [{ code: "deadline", message: "60 s" }],
    }),
    1,
    `1 of 4 rules failed: stream/fails; 1 known failure no longer fails: stream/is-fixed; 2 mistakes in the known failures, such as: ${expired}; also incomplete (1 reason)`,
  ],
  [
    "a mistake in a run without verdicts",
    facts([], { knownFailureMistakes: [expired] }),
    1,
    `1 mistake in the known failures, such as: ${expired}; also incomplete (1 reason)`,
  ],
  ["an empty list of mistakes", facts([passes], { knownFailureMistakes: [] }), 0, "1 rule passed"],
  [
    "an interrupted run",
    facts([passes, failsAsKnown, isFixed, isFixed], { interrupted: "SIGINT" }),
    130,
    "interrupted by SIGINT; so far: 1 of 4 rules passed; 1 known failure, 2 fixed",
  ],
  [
    "an interrupted run with a fixed known failure",
    facts([passes, isFixed], { interrupted: "SIGINT" }),
    130,
    "interrupted by SIGINT; so far: 1 of 2 rules passed; 1 fixed",
  ],
  [
    "a known failure that was partly blocked",
    facts([passes, partlyBlockedKnown]),
    3,
    "no verdict: blocked: stream/fails-as-known: a line longer than 64 MiB",
  ],
  [
    "an entry for a blocked rule",
    facts([passes, rule("no transport", "blind", knownFailure)]),
    3,
    "no verdict: blocked: stream/blind: the connection was reset",
  ],
])("%s: exit code and summary", (_name, given, ...ending) => {
  const conclusion = concludeRun(given);
  expect([conclusion.exitCode, conclusion.summary]).toEqual(ending);
});

test("an unknown failure that was partly blocked does not make the run incomplete", () => {
  const { known: _known, ...unknown } = partlyBlockedKnown;
  expect(concludeRun(facts([passes, unknown]))).toMatchObject({ exitCode: 1, incomplete: [] });
});

test("known failures and fixed ones are counted separately", () => {
  expect(
    concludeRun(facts([passes, failsAsKnown, warnsAsKnown, isFixed, rule("failed", "fails"), rule("warned", "warns")]))
      .counts,
  ).toEqual({
    passed: 1,
    failed: 1,
    warned: 1,
    "known-failure": 2,
    fixed: 1,
    "not-tested": 0,
    "not-applicable": 0,
    blocked: 0,
  });
});

test("a conclusion has the mistakes, or no such member", () => {
  expect(concludeRun(facts([passes], { knownFailureMistakes: [expired] })).knownFailureMistakes).toEqual([expired]);
  expect(concludeRun(facts([passes], { knownFailureMistakes: [] }))).not.toHaveProperty("knownFailureMistakes");
  expect(concludeRun(facts([passes]))).not.toHaveProperty("knownFailureMistakes");
});

test("a known failure counts as tested", () => {
  const must: RuleVerdict = { ...failsAsKnown, mustTest: true };
  expect(concludeRun(facts([must]))).toMatchObject({ exitCode: 0, incomplete: [] });
});

/** Each verdict, with each possible entry. */
const everyRule: readonly RuleVerdict[] = Object.values(sampleVerdicts).flatMap((verdict) =>
  [undefined, knownFailure, fixedFailure].map((known) => ruleVerdict(verdict, known === undefined ? {} : { known })),
);
const everyPair = everyRule.flatMap((one) => everyRule.map((other) => [passes, one, other]));

describe.each([true, false])("every pair of rules, strict %s", (strict) => {
  test.each([
    ["no mistake", []],
    ["a mistake", [expired]],
  ])("with %s in the list: outcome, exit code, test cases, counts and summary agree", (_name, knownFailureMistakes) => {
    for (const verdicts of everyPair) {
      const { outcome, exitCode, summary, counts, incomplete } = concludeRun({
        verdicts,
        strict,
        knownFailureMistakes,
      });
      const kinds = verdicts.map((one) => toJunitKind(one, strict));
      const isRed = kinds.includes("failure") || knownFailureMistakes.length > 0;
      expect(verdicts.some((one) => failsRun(one, strict))).toBe(kinds.includes("failure"));
      expect([outcome === "failed", exitCode === 1]).toEqual([isRed, isRed]);
      expect(outcome === "incomplete").toBe(!isRed && kinds.includes("error"));
      expect(incomplete.length > 0).toBe(kinds.includes("error"));
      expect([outcome === "passed", exitCode === 0]).toEqual([
        !isRed && !kinds.includes("error"),
        !isRed && !kinds.includes("error"),
      ]);
      expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(verdicts.length);
      expect(kinds.filter((kind) => kind === "failure")).toHaveLength(
        counts.failed + counts["fixed"] + (strict ? counts.warned : 0),
      );
      expect(/rules? passed/u.test(summary)).toBe(outcome === "passed");
    }
  });
});
