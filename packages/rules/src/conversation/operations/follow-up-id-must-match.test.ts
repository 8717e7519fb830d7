import { expect, test } from "vitest";
import { outcomeOfCalls, expectedOutcome, legacyCreated, legacyList } from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";

const mismatched = (status: number, sketch: Partial<CallSketch> = {}): CallSketch => ({
  operation: "follow-up",
  conversation: 1,
  body: { conversation_id: 2, question: "x" },
  status,
  ...sketch,
});
const violation = "`conversation_id 2 in a follow-up to conversation 1` returned 200";

test.each<CallCase>([
  { name: "holds for a refusal", calls: [legacyCreated(1), mismatched(400)], observed: 1 },
  { name: "is broken by success", calls: [legacyCreated(1), mismatched(200)], observed: 1, violations: [violation] },
  {
    name: "is broken by success in a recording",
    calls: [mismatched(200, { credential: "unknown" })],
    observed: 1,
    violations: [violation],
  },
  { name: "is not observed for a refusal in a recording", calls: [mismatched(400, { credential: "unknown" })] },
  { name: "is not observed for a conversation nobody created", calls: [mismatched(404)] },
  {
    name: "is not observed after a deletion",
    calls: [legacyCreated(1), { operation: "delete", conversation: 1 }, mismatched(404)],
  },
  {
    name: "is not observed for equal ids",
    calls: [legacyCreated(1), mismatched(200, { body: { conversation_id: "1", question: "x" } })],
  },
  { name: "is not observed without an id", calls: [legacyCreated(1), mismatched(200, { body: { question: "x" } })] },
  {
    name: "holds for a token that is turned away here only",
    calls: [legacyCreated(1), legacyList([1]), mismatched(403)],
    observed: 1,
  },
  {
    name: "cannot run on distress",
    calls: [legacyCreated(1), mismatched(500)],
    blockedBy: "transport: a response to follow-up other than 500",
  },
])("the rule $name", (row) => {
  expect(outcomeOfCalls("legacy/follow-up-id-must-match", row.calls)).toEqual(expectedOutcome(row));
});
