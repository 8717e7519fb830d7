import { describe, expect, test } from "vitest";
import {
  outcomeOfCalls,
  currentCreated,
  currentList,
  currentRead,
  currentShown,
  expectedOutcome,
  legacyCreated,
  legacyList,
  legacyQuestion,
  legacyRead,
  legacyShown,
} from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";

const strange = { credential: "other-token" } as const;
const asks = (sketch: Partial<CallSketch> = {}): CallSketch => ({
  operation: "follow-up",
  conversation: 1,
  answer: legacyShown(1),
  ...sketch,
});
const cancels = (sketch: Partial<CallSketch> = {}): CallSketch => ({
  operation: "cancel",
  conversation: 1,
  answer: "",
  ...sketch,
});
const deletes = (sketch: Partial<CallSketch> = {}): CallSketch => ({
  operation: "delete",
  conversation: 1,
  answer: "",
  ...sketch,
});

const unspecified = ["legacy/write-by-other-user"];
const withQuestion = (text: string): CallSketch =>
  legacyRead(1, {
    answer: legacyShown(1, { questions: [legacyQuestion("completed"), legacyQuestion("processing", text, 12)] }),
  });
const failed = (id: number, kind: string): CallSketch =>
  legacyRead(id, { answer: legacyShown(id, { questions: [{ ...legacyQuestion("completed"), error: { kind } }] }) });
const answered = legacyRead(1, {
  answer: legacyShown(1, { questions: [{ ...legacyQuestion("completed"), answer: "Here." }] }),
});

describe("another user who writes through the legacy interface", () => {
  test.each<CallCase>([
    {
      name: "is refused",
      calls: [legacyCreated(1), legacyRead(1), asks(), asks({ ...strange, status: 404 })],
      observed: 1,
    },
    {
      name: "asks, and the owner reads the question",
      calls: [legacyCreated(1), asks({ ...strange, question: "other words" }), withQuestion("other words")],
      observed: 1,
      violations: ["follow-up by a second user returned 200, and its owner reads the question in the conversation"],
    },
    {
      name: "is refused, and the owner reads the question",
      calls: [
        legacyCreated(1),
        asks({ ...strange, question: "other words", status: 404 }),
        withQuestion("other words"),
      ],
      observed: 1,
      violations: ["follow-up by a second user returned 404, and its owner reads the question in the conversation"],
    },
    {
      name: "may be answered with success when the owner reads no further question",
      calls: [legacyCreated(1), asks({ ...strange, question: "other words" }), legacyRead(1)],
      observed: 1,
      unspecified,
    },
    {
      name: "asks what the owner asked as well",
      calls: [legacyCreated(1), legacyRead(1), asks(strange), asks(), withQuestion("words")],
      observed: 1,
      unspecified,
    },
    {
      name: "is not judged where the owner reads nothing afterwards",
      calls: [legacyCreated(1), legacyRead(1), asks(strange)],
      unspecified,
      blockedBy: "prerequisite: a later read by the owner of the conversation that shows what the follow-up did",
    },
    {
      name: "deletes, and the owner finds nothing",
      calls: [legacyCreated(1), deletes(strange), legacyRead(1, { status: 404 })],
      observed: 1,
      violations: ["delete by a second user returned 200, and its owner no longer finds the conversation"],
    },
    {
      name: "deletes, and the owner finds nothing to delete",
      calls: [legacyCreated(1), deletes({ ...strange, status: 204 }), deletes({ status: 404 })],
      observed: 1,
      violations: ["delete by a second user returned 204, and its owner no longer finds the conversation"],
    },
    {
      name: "may be answered with success when the owner still reads the conversation",
      calls: [legacyCreated(1), deletes(strange), legacyRead(1), deletes(), legacyRead(1, { status: 404 })],
      observed: 1,
      unspecified,
    },
    {
      name: "cancels, and the owner reads a question without an answer",
      calls: [legacyCreated(1), cancels(strange), legacyRead(1)],
      observed: 1,
      violations: ["cancel by a second user returned 200, and its owner reads a question that ended without an answer"],
    },
    {
      name: "may be answered with success when the question is answered all the same",
      calls: [legacyCreated(1), cancels(strange), answered],
      observed: 1,
      unspecified,
    },
    {
      name: "cancels, and the question ends with the error of those that their owner cancelled",
      calls: [
        legacyCreated(2),
        cancels({ conversation: 2 }),
        failed(2, "Stopped"),
        legacyCreated(1),
        cancels(strange),
        failed(1, "Stopped"),
      ],
      observed: 1,
      violations: ["cancel by a second user returned 200, and its owner reads a question that ended without an answer"],
    },
    {
      name: "is not judged by a question that failed otherwise",
      calls: [legacyCreated(1), cancels(strange), failed(1, "Internal")],
      unspecified,
      blockedBy: "prerequisite: a later read by the owner of the conversation that shows what the cancel did",
    },
    {
      name: "is not judged by the end of a question that its owner cancelled",
      calls: [legacyCreated(1), cancels(strange), cancels(), legacyRead(1)],
      unspecified,
      blockedBy: "prerequisite: a later read by the owner of the conversation that shows what the cancel did",
    },
    {
      name: "is not judged by the end of a question that its owner cancelled and was turned away from",
      calls: [legacyCreated(1), cancels(strange), cancels({ status: 401 }), legacyRead(1)],
      unspecified,
      blockedBy: "prerequisite: a later read by the owner of the conversation that shows what the cancel did",
    },
    {
      name: "is refused a cancel that takes effect, as the refused cancel of the owner and a later read show",
      calls: [
        legacyCreated(2),
        cancels({ conversation: 2 }),
        failed(2, "Stopped"),
        legacyCreated(1),
        cancels({ ...strange, status: 404 }),
        cancels({ status: 400 }),
        failed(1, "Stopped"),
      ],
      observed: 1,
      violations: ["cancel by a second user returned 404, and its owner reads a question that ended without an answer"],
    },
    {
      name: "is refused a cancel before the owner's is refused, as the question had ended by itself",
      calls: [
        legacyCreated(2),
        cancels({ conversation: 2 }),
        failed(2, "Stopped"),
        legacyCreated(1),
        cancels({ ...strange, status: 404 }),
        cancels({ status: 400 }),
        answered,
      ],
      observed: 1,
    },
    {
      name: "is refused a cancel where the refused cancels of owners take effect",
      calls: [
        ...[3, 4, 2].flatMap((id) => [
          legacyCreated(id),
          cancels({ conversation: id, status: id === 2 ? 200 : 400 }),
          failed(id, "Stopped"),
        ]),
        legacyCreated(1),
        cancels({ ...strange, status: 404 }),
        cancels({ status: 400 }),
        failed(1, "Stopped"),
      ],
      observed: 1,
    },
    {
      name: "is refused when it counts",
      calls: [legacyCreated(1), cancels({ ...strange, status: 404 }), cancels()],
      observed: 1,
    },
    {
      name: "is not judged by what could not be cancelled anyway",
      calls: [legacyCreated(1), legacyRead(1), cancels({ ...strange, status: 404 }), cancels()],
    },
    {
      name: "may just have a wrong token",
      calls: [legacyCreated(1), asks(), asks({ ...strange, status: 401 })],
      blockedBy: "prerequisite: a token that the target accepts",
    },
    {
      name: "has a token that is good for something",
      calls: [legacyList([], strange), legacyCreated(1), asks(), asks({ ...strange, status: 403 })],
      observed: 1,
    },
    {
      name: "is not judged by his own",
      calls: [legacyCreated(1, strange), asks(strange)],
      blockedBy: expect.stringMatching(/ASSAY_OTHER_TOKEN/u),
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/other-user-may-not-write", row.calls)).toEqual(expectedOutcome(row));
  });
});

describe("another user who deletes through the current interface", () => {
  const inCurrent = { interface: "current", conversation: "a" } as const;
  test.each<CallCase>([
    {
      name: "does so",
      calls: [currentCreated("a"), deletes({ ...inCurrent, ...strange }), currentRead("a", { status: 404 })],
      observed: 1,
      violations: ["delete by a second user returned 200, and its owner no longer finds the conversation"],
    },
    {
      name: "cancels, and the owner reads the state canceled",
      calls: [
        currentCreated("a"),
        cancels({ ...inCurrent, ...strange }),
        currentRead("a", { answer: currentShown("a", "canceled") }),
      ],
      observed: 1,
      violations: ["cancel by a second user returned 200, and its owner reads a question that ended without an answer"],
    },
    {
      name: "is refused a cancel that takes effect, as the refused cancel of the owner and a later read show",
      calls: [
        currentCreated("b"),
        cancels({ ...inCurrent, conversation: "b" }),
        currentCreated("a"),
        cancels({ ...inCurrent, ...strange, status: 404 }),
        cancels({ ...inCurrent, status: 400 }),
        currentRead("a", { answer: currentShown("a", "canceled") }),
      ],
      observed: 1,
      violations: ["cancel by a second user returned 404, and its owner reads a question that ended without an answer"],
    },
    {
      name: "is refused a cancel before the owner's is accepted",
      calls: [
        currentCreated("a"),
        cancels({ ...inCurrent, ...strange, status: 404 }),
        cancels(inCurrent),
        cancels({ ...inCurrent, status: 400 }),
        currentRead("a", { answer: currentShown("a", "canceled") }),
      ],
      observed: 1,
    },
    {
      name: "may be answered with success when the owner still reads the conversation",
      calls: [currentCreated("a"), deletes({ ...inCurrent, ...strange }), currentRead("a")],
      observed: 1,
      unspecified: ["current/write-by-other-user"],
    },
    {
      name: "is refused when it counts",
      calls: [currentCreated("a"), deletes({ ...inCurrent, ...strange, status: 404 }), deletes(inCurrent)],
      observed: 1,
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("current/other-user-may-not-write", row.calls)).toEqual(expectedOutcome(row));
  });
});

describe("another user who creates a conversation with the main user as its parent", () => {
  const otherCreates = (sketch: Partial<CallSketch> = {}): CallSketch =>
    currentCreated("b", {
      ...strange,
      body: { parent: "users/7", conversation: { questions: [{ input: [{ question: { text: "words" } }] }] } },
      ...sketch,
    });
  const noted = { unspecified: ["current/write-by-other-user"] };
  const accepted = currentList([], strange);

  test.each<CallCase>([
    {
      name: "does so",
      calls: [currentCreated("a"), otherCreates(), currentRead("b")],
      observed: 1,
      violations: ["create by a second user returned 200, and the user named in `parent` has the conversation"],
    },
    {
      name: "may create it for himself",
      calls: [currentCreated("a"), otherCreates(), currentRead("b", { status: 404 })],
      observed: 1,
      ...noted,
    },
    { name: "is refused", calls: [currentCreated("a"), accepted, otherCreates({ status: 404 })], observed: 1 },
    {
      name: "is refused, and the token may be wrong",
      calls: [currentCreated("a"), otherCreates({ status: 403 })],
      blockedBy: "prerequisite: a token that the target accepts",
    },
    {
      name: "is not judged if nobody reads the conversation",
      calls: [currentCreated("a"), otherCreates()],
      ...noted,
      blockedBy: "prerequisite: a later read by the owner of the conversation that shows what the create did",
    },
    {
      name: "is not judged for the parent of nobody known",
      calls: [
        currentCreated("a"),
        otherCreates({ body: { parent: "users/8", conversation: { questions: [] } } }),
        currentRead("b"),
      ],
      blockedBy: "prerequisite: a read by a second user (set ASSAY_OTHER_TOKEN)",
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("current/other-user-may-not-write", row.calls)).toEqual(expectedOutcome(row));
  });
});

describe("operations with a token that was never issued", () => {
  test.each<CallCase>([
    {
      name: "may be refused as if there was nothing",
      calls: [legacyCreated(1), deletes({ credential: "invalid-token", status: 404 }), deletes()],
      observed: 1,
    },
    {
      name: "are open to what looks like an OAuth token",
      calls: [legacyCreated(1), asks({ credential: "invalid-oauth-token" })],
      observed: 1,
      violations: ["follow-up with a token that was never issued returned 200"],
    },
    {
      name: "are not judged where nobody could do them",
      calls: [legacyCreated(1), legacyRead(1), cancels({ credential: "invalid-token", status: 400 }), cancels()],
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/invalid-token-is-refused", row.calls)).toEqual(expectedOutcome(row));
  });
});

describe("a list without parameters", () => {
  const few = { answer: { conversations: [legacyShown(2)] } };

  test.each<CallCase>([
    { name: "has what its user created", calls: [legacyCreated(1), legacyRead(1), legacyList([1])], observed: 1 },
    { name: "may lack what was just created", calls: [legacyCreated(1), legacyList([2], few)] },
    {
      name: "lacks what its user created",
      calls: [legacyCreated(1), legacyRead(1), legacyList([2], few)],
      observed: 1,
      violations: ["a list does not contain conversation 1, which the same user created"],
    },
    {
      name: "may have it on a later page",
      calls: [
        legacyCreated(1),
        legacyRead(1),
        legacyList([2], { answer: { conversations: [legacyShown(2)], next_cursor: "a" } }),
      ],
    },
    {
      name: "is not judged with a filter",
      calls: [legacyCreated(1), legacyList([2], { ...few, query: { filter_id: "2" } })],
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/list-has-own-conversations", row.calls)).toEqual(expectedOutcome(row));
  });

  test.each<CallCase>([
    {
      name: "shows no conversation of another user",
      calls: [legacyCreated(1), legacyList([], strange)],
      observed: 1,
    },
    {
      name: "shows a conversation of another user",
      calls: [legacyCreated(1), legacyList([1], strange)],
      observed: 1,
      violations: ["a list shows conversation 1, which another user created"],
    },
    {
      name: "shows a conversation of another user to who asks for those of that user",
      calls: [legacyCreated(1), legacyList([1], { ...strange, query: { filter_user_id: "7" } })],
      observed: 1,
      violations: ["a list shows conversation 1, which another user created"],
    },
    {
      name: "shows a conversation of somebody",
      calls: [
        legacyCreated(1),
        legacyList([1], {
          answer: { conversations: [legacyShown(1), legacyShown(5, { user_id: 9 })] },
        }),
      ],
      observed: 1,
      violations: ["a list shows a conversation of user 9 to user 7"],
    },
    {
      name: "tells nothing where nobody else has a conversation",
      calls: [legacyCreated(1), legacyList([1])],
    },
    {
      name: "may show them to who asks with a read token",
      calls: [legacyCreated(1), legacyList([1], { ...strange, query: { filter_read_token: "token-of-1" } })],
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/list-shows-own-only", row.calls)).toEqual(expectedOutcome(row));
  });
});
