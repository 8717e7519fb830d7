import { expect, test } from "vitest";
import { currentCreated, expectedOutcome, legacyCreated, outcomeOfCalls } from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";

const deletion = { operation: "delete", conversation: 1, answer: {} } as const;
const reused = "a creation returned 1, which an earlier one returned (1)";

test.each<CallCase>([
  {
    name: "holds for another id",
    calls: [legacyCreated(1), deletion, legacyCreated(2, { question: "more" })],
    observed: 1,
  },
  { name: "needs a second creation", calls: [legacyCreated(1), deletion] },
  {
    name: "fails for the id of a deleted conversation",
    calls: [legacyCreated(1), deletion, legacyCreated(1, { question: "more" })],
    observed: 1,
    violations: [reused],
  },
  {
    name: "fails for the id of an existing conversation",
    calls: [legacyCreated(1), legacyCreated(1, { question: "more" })],
    observed: 1,
    violations: [reused],
  },
  { name: "permits that the same question is not asked twice", calls: [legacyCreated(1), legacyCreated(1)] },
  {
    name: "permits that each user has own ids",
    calls: [legacyCreated(1), legacyCreated(1, { question: "more", credential: "other-token" })],
  },
])("in the legacy interface the rule $name", (row) => {
  expect(outcomeOfCalls("legacy/id-is-not-reused", row.calls)).toEqual(expectedOutcome(row));
});

test("in the current interface the rule compares names", () => {
  const calls = [currentCreated(1), currentCreated(1, { question: "more" })];
  expect(
    outcomeOfCalls("current/id-is-not-reused", [currentCreated(1), currentCreated(2, { question: "more" })]),
  ).toEqual(expectedOutcome({ name: "", calls: [], observed: 1 }));
  expect(outcomeOfCalls("current/id-is-not-reused", calls).violations).toEqual([
    "a creation returned users/7/conversations/1, which an earlier one returned (1)",
  ]);
});
