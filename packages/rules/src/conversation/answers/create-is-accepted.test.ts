import { expect, test } from "vitest";
import {
  outcomeOfCalls,
  currentCreated,
  currentList,
  currentRead,
  currentShown,
  expectedOutcome,
  legacyCreated,
  legacyList,
  legacyShown,
} from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";

const asBearer = [
  ["Content-Type", "application/json"],
  ["Authorization", "Bearer 12345678"],
] as const;

test.each<CallCase>([
  { name: "holds for a conversation", calls: [legacyCreated(1), legacyCreated(2)], observed: 2 },
  {
    name: "holds for one that is wrapped",
    calls: [legacyCreated(1, { answer: { conversation: { id: 1 } } })],
    observed: 1,
  },
  {
    name: "holds for an id that is too large to be read",
    calls: [legacyCreated(1, { answer: { id: 2 ** 60 } })],
    observed: 1,
  },
  {
    name: "is broken by a refusal",
    calls: [legacyCreated(1, { status: 400 })],
    observed: 1,
    violations: ["a creation with a question returned 400"],
  },
  {
    name: "is broken by a refusal of a token that is good elsewhere",
    calls: [legacyList([]), legacyCreated(1, { status: 403 })],
    observed: 1,
    violations: ["a creation with a question returned 403"],
  },
  {
    name: "is broken by a redirection of a token that is good elsewhere",
    calls: [legacyList([]), legacyCreated(1, { status: 302 })],
    observed: 1,
    violations: ["a creation with a question returned 302"],
  },
  {
    name: "cannot run with a token that nothing shows to be good",
    calls: [legacyList([], { status: 401 }), legacyCreated(1, { status: 401 })],
    blockedBy: "prerequisite: a token that the target accepts",
  },
  {
    name: "is broken by success without an id",
    calls: [legacyCreated(1, { answer: { questions: [] } })],
    observed: 1,
    violations: ["a creation returned an object, which does not contain `id`"],
  },
  {
    name: "is broken by a list with its question in another conversation as well",
    calls: [legacyCreated(1), legacyList([1, 2])],
    observed: 2,
    violations: ["one creation made two conversations, 1 and 2: a list contains both, with the same question"],
  },
  {
    name: "holds for conversations whose question two creations asked",
    calls: [legacyCreated(1), legacyCreated(2), legacyList([1, 2])],
    observed: 2,
  },
  {
    name: "holds for a list of conversations with other questions",
    calls: [legacyCreated(1, { question: "other words" }), legacyList([1, 2])],
    observed: 1,
  },
  {
    name: "holds in a recording of others, who may have asked it before",
    calls: [legacyCreated(1, { credential: "unknown" }), legacyList([1, 2], { credential: "unknown" })],
    observed: 1,
  },
  {
    name: "is broken by a conversation without the question",
    calls: [legacyCreated(1, { answer: legacyShown(1, { questions: [] }) })],
    observed: 1,
    violations: ["a creation returned a conversation that has no question"],
  },
  {
    name: "is broken by success with an array",
    calls: [legacyCreated(1, { answer: [] })],
    observed: 1,
    violations: ["a creation returned an array, which does not contain `id`"],
  },
  {
    name: "is broken by success with nothing, also in a recording",
    calls: [legacyCreated(1, { answer: "", credential: "unknown" })],
    observed: 1,
    violations: ["a creation returned nothing, which does not contain `id`"],
  },
  {
    name: "is not observed for a refusal in a recording",
    calls: [legacyCreated(1, { status: 400, credential: "unknown" })],
  },
  {
    name: "is not observed for a refusal of a used up quota",
    calls: [legacyCreated(1, { status: 403, credential: "quota-token" })],
  },
  {
    name: "is not observed for a refusal without the client header",
    calls: [legacyCreated(1, { status: 400, headers: [] })],
  },
  {
    name: "is not observed for a creation without a question",
    calls: [legacyCreated(1, { status: 400, body: {} })],
  },
  {
    name: "cannot run on distress alone",
    calls: [legacyCreated(1, { status: 503 })],
    blockedBy: "transport: a response to create other than 503",
  },
  {
    name: "cannot run on an answer that broke off",
    calls: [legacyCreated(1, { cutBy: "reset" })],
    blockedBy: "transport: a response to create: reset",
  },
  {
    name: "holds when another creation was answered",
    calls: [legacyCreated(1, { status: 503 }), legacyCreated(2)],
    observed: 1,
  },
])("in the legacy interface the rule $name", (row) => {
  expect(outcomeOfCalls("legacy/create-is-accepted", row.calls)).toEqual(expectedOutcome(row));
});

test.each<CallCase>([
  { name: "holds for a conversation", calls: [currentCreated(1)], observed: 1 },
  {
    name: "is broken by a refusal",
    calls: [currentCreated(1, { status: 404 })],
    observed: 1,
    violations: ["a creation with a question returned 404"],
  },
  {
    name: "cannot run with a token that may only read",
    calls: [{ interface: "current", operation: "list" }, currentCreated(1, { status: 403 })],
    blockedBy: "prerequisite: a token that the target accepts",
  },
  {
    name: "holds in the form of the header that is accepted, whatever the other form is refused with",
    calls: [currentCreated(1, { status: 400 }), currentCreated(1, { headers: asBearer })],
    observed: 1,
  },
  {
    name: "is broken in the form of the header that is accepted",
    calls: [currentCreated(1, { headers: asBearer }), currentCreated(2, { status: 400, headers: asBearer })],
    observed: 2,
    violations: ["a creation with a question returned 400"],
  },
  {
    name: "is broken when another full token may write",
    calls: [currentCreated(1, { credential: "other-token" }), currentCreated(2, { status: 403 })],
    observed: 2,
    violations: ["a creation with a question returned 403"],
  },
  {
    name: "is broken by success without a name",
    calls: [currentCreated(1, { answer: { id: 1 } })],
    observed: 1,
    violations: ["a creation returned an object, which does not contain `name`"],
  },
  {
    name: "is broken by its question in another conversation that a list shows as well",
    calls: [currentCreated(1), currentList([1, 2]), currentRead(2)],
    observed: 2,
    violations: ["one creation made two conversations, 1 and 2: a list contains both, with the same question"],
  },
  {
    name: "holds where such a conversation has another question",
    calls: [currentCreated(1, { question: "other words" }), currentList([1, 2]), currentRead(2)],
    observed: 1,
  },
  {
    name: "holds where a read of another one is answered with the one that was created",
    calls: [currentCreated(1), currentList([1, 2]), currentRead(2, { answer: currentShown(1) })],
    observed: 1,
  },
  {
    name: "holds for a conversation of the other interface under a name of this one",
    calls: [legacyCreated(1), currentList([2]), currentRead(2)],
    observed: 0,
  },
])("in the current interface the rule $name", (row) => {
  expect(outcomeOfCalls("current/create-is-accepted", row.calls)).toEqual(expectedOutcome(row));
});
