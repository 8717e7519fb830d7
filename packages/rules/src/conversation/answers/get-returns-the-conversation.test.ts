import { expect, test } from "vitest";
import {
  outcomeOfCalls,
  currentCreated,
  currentRead,
  expectedOutcome,
  legacyCreated,
  legacyRead,
} from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";

const gone = "reading a conversation that was created and not deleted returned 404";
const goneMeanwhile = "reading a conversation that existed before and after the call returned 404";
const notFound = legacyRead(1, { status: 404 });

/** Of a recording: the credential is known by what was sent alone. */
const by = (token: string | undefined, sketch: CallSketch): CallSketch => ({
  ...sketch,
  credential: "unknown",
  headers: [
    ["Content-Type", "application/json"],
    ["X-Requested-With", "browser 1.0"],
    ...(token === undefined ? [] : [["Authorization", token] as const]),
  ],
});
const anna = "token anna";

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
    violations: ["reading a conversation returned a JSON value that is neither an object nor an array"],
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
    name: "is not observed in a recording in which the conversation does not come back",
    calls: [by(anna, legacyCreated(1)), by(anna, notFound), by(anna, { operation: "list", answer: [] })],
  },
  {
    name: "is broken when it is not found between two reads of a recording",
    calls: [by(anna, legacyRead(1)), by(anna, notFound), by(anna, legacyRead(1))],
    observed: 1,
    violations: [goneMeanwhile],
  },
  {
    name: "is broken when it is not found between its creation and a read of a recording",
    calls: [by(anna, legacyCreated(1)), by(anna, notFound), by(anna, legacyRead(1))],
    observed: 2,
    violations: [gone],
  },
  {
    name: "is broken when it is not found between two reads of a recording without credentials",
    calls: [by(undefined, legacyRead(1)), by(undefined, notFound), by(undefined, legacyRead(1))],
    observed: 1,
    violations: [goneMeanwhile],
  },
  {
    name: "is broken by 401 where the credential of a recording stayed the same",
    calls: [by(anna, legacyRead(1)), by(anna, legacyRead(1, { status: 401 })), by(anna, legacyRead(1))],
    observed: 1,
    violations: [goneMeanwhile.replace("404", "401")],
  },
  {
    name: "is not observed for 401 in a recording without credentials, where somebody may have signed in again",
    calls: [by(undefined, legacyRead(1)), by(undefined, legacyRead(1, { status: 401 })), by(undefined, legacyRead(1))],
  },
  {
    name: "is not observed for a refusal to another credential of a recording",
    calls: [by(anna, legacyRead(1)), by("token ben", notFound), by(anna, legacyRead(1))],
  },
  {
    name: "is not observed in a recording after a deletion that may have happened, although it came back",
    calls: [
      by(anna, legacyRead(1)),
      by(anna, { operation: "delete", conversation: 1 }),
      by(anna, notFound),
      by(anna, legacyRead(1)),
    ],
  },
  {
    name: "is not observed in a recording whose read after it overlaps",
    calls: [
      by(anna, legacyRead(1)),
      by(anna, { ...notFound, sentAtMicros: 1_000_000, endedAtMicros: 3_000_000 }),
      by(anna, { ...legacyRead(1), sentAtMicros: 2_000_000, endedAtMicros: 4_000_000 }),
    ],
  },
  {
    name: "is not observed in a recording of a client that does not name itself",
    calls: [
      by(anna, legacyRead(1)),
      { ...by(anna, notFound), headers: [["Authorization", anna]] },
      by(anna, legacyRead(1)),
    ],
  },
  {
    name: "is broken by success with something else in a recording",
    calls: [legacyCreated(1, { credential: "unknown" }), legacyRead(1, { answer: [], credential: "unknown" })],
    observed: 1,
    violations: ["reading a conversation returned an array"],
  },
  {
    name: "cannot run when one of two conversations was never read for distress",
    calls: [legacyCreated(1), legacyCreated(2), legacyRead(1), legacyRead(2, { status: 429 })],
    observed: 1,
    blockedBy: "transport: a response to get other than 429",
  },
  {
    name: "holds when a conversation was read after distress",
    calls: [legacyCreated(1), legacyRead(1, { status: 429 }), legacyRead(1)],
    observed: 1,
  },
])("in the legacy interface the rule $name", (row) => {
  expect(outcomeOfCalls("legacy/get-returns-the-conversation", row.calls)).toEqual(expectedOutcome(row));
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
    name: "is broken when it is not found between two reads of a recording",
    calls: [by(anna, currentRead("a")), by(anna, currentRead("a", { status: 404 })), by(anna, currentRead("a"))],
    observed: 1,
    violations: [goneMeanwhile],
  },
  {
    name: "is not observed between reads of other conversations of a recording",
    calls: [by(anna, currentRead("b")), by(anna, currentRead("a", { status: 404 })), by(anna, currentRead("b"))],
  },
  {
    name: "is not observed for a read with the token that may only read",
    calls: [currentCreated("a"), currentRead("a", { status: 403, credential: "read-token" })],
  },
])("in the current interface the rule $name", (row) => {
  expect(outcomeOfCalls("current/get-returns-the-conversation", row.calls)).toEqual(expectedOutcome(row));
});
