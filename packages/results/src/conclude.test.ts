import { expect, test } from "vitest";
import { conclude, concludeCheck, getFileStanding } from "./conclude.ts";
import { exitCodeOf } from "./exit-codes.ts";
import type { RunOutcome } from "./outcome.ts";

const ended = (outcome: RunOutcome) => ({ outcome, exitCode: exitCodeOf(outcome) });

test.each<[readonly RunOutcome[], RunOutcome, number]>([
  [[], "incomplete", 3],
  [["passed", "passed"], "passed", 0],
  [["passed", "incomplete"], "incomplete", 3],
  [["incomplete", "failed", "passed"], "failed", 1],
  [["failed", "usage-error"], "usage-error", 2],
  [["failed", "harness-error"], "harness-error", 70],
])("recordings with outcomes %j: the check ends %s with exit code %i", (outcomes, outcome, exitCode) => {
  expect(concludeCheck(outcomes.map(ended))).toEqual({ outcome, exitCode });
});

test("a check interrupted by SIGTERM exits with 143", () => {
  expect(concludeCheck([ended("passed"), { outcome: "interrupted", exitCode: 143 }]).exitCode).toBe(143);
  expect(concludeCheck([{ outcome: "interrupted", exitCode: 143 }]).exitCode).toBe(143);
});

test("a check interrupted by SIGINT exits with 130", () => {
  expect(concludeCheck([ended("passed"), ended("interrupted")])).toEqual({ outcome: "interrupted", exitCode: 130 });
});

test.each<[RunOutcome, string]>([
  ["passed", "passed"],
  ["failed", "failed"],
  ["incomplete", "not tested"],
  ["usage-error", "not tested"],
  ["harness-error", "not tested"],
  ["interrupted", "not tested"],
])("a recording with the outcome %s is %s", (outcome, standing) => {
  expect(getFileStanding({ outcome })).toBe(standing);
});

test.each([
  [["passed"], { outcome: "passed", exitCode: 0, summary: "passed" }],
  [["incomplete", "failed"], { outcome: "failed", exitCode: 1, summary: "failed" }],
  [["failed", "usage-error", "interrupted"], { outcome: "interrupted", exitCode: 143, summary: "interrupted" }],
] as const)("of the outcomes %j, the one of the highest precedence counts, in any order", (given, ending) => {
  const when = (outcome: RunOutcome) => (facts: readonly RunOutcome[]) => facts.find((one) => one === outcome);
  const endings = {
    incomplete: when("incomplete"),
    failed: when("failed"),
    "usage-error": when("usage-error"),
    interrupted: when("interrupted"),
    passed: () => "passed",
  };
  expect(conclude<readonly RunOutcome[]>(endings, given, "SIGTERM")).toEqual(ending);
});
