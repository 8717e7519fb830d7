import { expect, test } from "vitest";
import { outcomeOfCalls, currentCreated, expectedOutcome, legacyCreated, legacyRead } from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";

const remove = (sketch: Partial<CallSketch> = {}): CallSketch => ({
  operation: "delete",
  conversation: 1,
  answer: "",
  ...sketch,
});
const body = ["legacy/delete-body"];
const refused = "deleting a conversation that was created and not deleted returned 404";

test.each<CallCase>([
  { name: "holds for success", calls: [legacyCreated(1), remove()], observed: 1, unspecified: body },
  {
    name: "is broken by a refusal",
    calls: [legacyCreated(1), remove({ status: 404 })],
    observed: 1,
    violations: [refused],
  },
  {
    name: "is broken by a second refusal",
    calls: [legacyCreated(1), remove({ status: 404 }), remove({ status: 404 })],
    observed: 2,
    violations: [refused, refused],
  },
  {
    name: "is broken by a refusal in a recording that shows the conversation before and afterwards",
    calls: [legacyCreated(1), remove({ status: 404 }), legacyRead(1)].map((call) => ({
      ...call,
      credential: "unknown",
    })),
    observed: 1,
    violations: [refused],
  },
  {
    name: "is not observed for a refusal in a recording that does not show the conversation afterwards",
    calls: [legacyCreated(1), remove({ status: 404 })].map((call) => ({ ...call, credential: "unknown" })),
  },
  {
    name: "is not observed for a second deletion",
    calls: [legacyCreated(1), remove(), remove({ status: 404 })],
    observed: 1,
    unspecified: body,
  },
  {
    name: "cannot run where the first deletion may have happened",
    calls: [legacyCreated(1), remove({ cutBy: "reset" }), remove({ status: 404 })],
    blockedBy: "transport: a response to delete: reset",
  },
  {
    name: "is broken by server errors each time while others are answered",
    calls: [
      legacyCreated(1),
      legacyCreated(2),
      remove({ status: 500 }),
      legacyRead(2),
      remove({ status: 503, conversation: 2 }),
    ],
    observed: 2,
    violations: [500, 503].map((status) => refused.replace("404", String(status))),
  },
  {
    name: "cannot run on server errors of which one deletion was spared",
    calls: [
      legacyCreated(1),
      legacyCreated(2),
      remove({ status: 500 }),
      legacyRead(2),
      remove({ status: 500 }),
      remove({ conversation: 2 }),
    ],
    observed: 1,
    unspecified: body,
    blockedBy: "transport: a response to delete other than 500",
  },
  {
    name: "is not observed for another user",
    calls: [legacyCreated(1), remove({ status: 404, credential: "other-token" })],
  },
  { name: "is not observed for a conversation nobody created", calls: [remove({ status: 404 })] },
  {
    name: "notes what reads find afterwards, each once",
    calls: [legacyCreated(1), remove(), legacyRead(1, { status: 404 }), legacyRead(1, { status: 404 }), legacyRead(1)],
    observed: 1,
    unspecified: [...body, "legacy/read-after-delete", "legacy/read-after-delete"],
  },
])("in the legacy interface the rule $name", (row) => {
  expect(outcomeOfCalls("legacy/delete-is-accepted", row.calls)).toEqual(expectedOutcome(row));
});

test.each<CallCase>([
  {
    name: "holds for success",
    calls: [currentCreated("a"), { ...remove({ conversation: "a" }), interface: "current" }],
    observed: 1,
    unspecified: ["current/delete-body"],
  },
  {
    name: "is broken by a refusal",
    calls: [currentCreated("a"), { ...remove({ conversation: "a", status: 404 }), interface: "current" }],
    observed: 1,
    violations: [refused],
  },
])("in the current interface the rule $name", (row) => {
  expect(outcomeOfCalls("current/delete-is-accepted", row.calls)).toEqual(expectedOutcome(row));
});
