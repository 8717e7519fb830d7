import { expect, test } from "vitest";
import { cameOf, currentCreated, currentRead, expectedOf, legacyCreated, legacyRead } from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";

const gone = "getting a conversation that was created and not deleted was answered with 404";
const notFound = legacyRead(1, { status: 404 });

test.each<CallCase>([
  {
    name: "holds for each read of a conversation",
    calls: [legacyCreated(1), legacyRead(1), legacyRead(1)],
    observed: 2,
  },
  { name: "is broken when it is not found", calls: [legacyCreated(1), notFound], observed: 1, violations: [gone] },
  {
    name: "is broken by success with something else",
    calls: [legacyCreated(1), legacyRead(1, { answer: "null" })],
    observed: 1,
    violations: ["getting a conversation was answered with a JSON value that is neither an object nor an array"],
  },
  {
    name: "is broken when it is not found after a deletion was refused",
    calls: [legacyCreated(1), { operation: "delete", conversation: 1, status: 403 }, notFound],
    observed: 1,
    violations: [gone],
  },
  {
    name: "is not observed after a deletion",
    calls: [legacyCreated(1), { operation: "delete", conversation: 1 }, notFound],
  },
  {
    name: "is not observed after a deletion that may have happened",
    calls: [legacyCreated(1), { operation: "delete", conversation: 1, status: 503 }, notFound],
  },
  {
    name: "is not observed after a deletion through the other interface",
    calls: [legacyCreated(1), { interface: "current", operation: "delete", conversation: 1 }, notFound],
  },
  {
    name: "is not observed while a deletion is under way",
    calls: [
      legacyCreated(1),
      { ...notFound, sentAtMicros: 2_000_000, endedAtMicros: 4_000_000 },
      { operation: "delete", conversation: 1, sentAtMicros: 3_000_000, endedAtMicros: 5_000_000 },
    ],
  },
  { name: "is not observed for a conversation nobody created", calls: [notFound] },
  { name: "is not observed for another user", calls: [legacyCreated(1), { ...notFound, credential: "other-token" }] },
  {
    name: "is not observed for a refusal in a recording",
    calls: [legacyCreated(1, { credential: "unknown" }), { ...notFound, credential: "unknown" }],
  },
  {
    name: "is broken by success with something else in a recording",
    calls: [legacyCreated(1, { credential: "unknown" }), legacyRead(1, { answer: [], credential: "unknown" })],
    observed: 1,
    violations: ["getting a conversation was answered with an array"],
  },
  {
    name: "cannot run when one of two conversations was never read for distress",
    calls: [legacyCreated(1), legacyCreated(2), legacyRead(1), legacyRead(2, { status: 429 })],
    observed: 1,
    obstacle: "transport: an answer to get other than 429",
  },
  {
    name: "holds when a conversation was read after distress",
    calls: [legacyCreated(1), legacyRead(1, { status: 429 }), legacyRead(1)],
    observed: 1,
  },
])("in the legacy interface the rule $name", (row) => {
  expect(cameOf("legacy/get-returns-the-conversation", row.calls)).toEqual(expectedOf(row));
});

test.each<CallCase>([
  { name: "holds for a conversation", calls: [currentCreated("a"), currentRead("a")], observed: 1 },
  {
    name: "is broken when it is not found",
    calls: [currentCreated("a"), currentRead("a", { status: 404 })],
    observed: 1,
    violations: [gone],
  },
  {
    name: "is not observed for a read with the token that may only read",
    calls: [currentCreated("a"), currentRead("a", { status: 403, credential: "read-token" })],
  },
])("in the current interface the rule $name", (row) => {
  expect(cameOf("current/get-returns-the-conversation", row.calls)).toEqual(expectedOf(row));
});
