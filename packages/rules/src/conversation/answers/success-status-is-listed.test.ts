import { expect, test } from "vitest";
import { outcomeOfCalls, currentCreated, expectedOutcome, legacyCreated, legacyList } from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";

test.each<CallCase>([
  { name: "holds for 200", calls: [legacyCreated(1), legacyList([])], observed: 2 },
  {
    name: "holds for 202, which is noted once for each operation",
    calls: [legacyCreated(1, { status: 202 }), legacyCreated(2, { status: 202 })],
    observed: 2,
    unspecified: ["legacy/success-code"],
  },
  {
    name: "is broken by another code",
    calls: [legacyCreated(1, { status: 201 }), { operation: "delete", status: 204, answer: "" }],
    observed: 2,
    violations: [
      "create succeeded with status 201, which the status table does not list",
      "delete succeeded with status 204, which the status table does not list",
    ],
  },
  { name: "is not observed for refusals", calls: [legacyCreated(1, { status: 404 })] },
  { name: "is not observed for a web page", calls: [legacyCreated(1, { status: 203, answer: "<!doctype html>" })] },
  { name: "is not about the current interface", calls: [currentCreated(1, { status: 201 })] },
])("the rule $name", (row) => {
  expect(outcomeOfCalls("legacy/success-status-is-listed", row.calls)).toEqual(expectedOutcome(row));
});
