import { describe, expect, test } from "vitest";
import {
  outcomeOfCalls,
  currentCreated,
  currentList,
  currentRead,
  expectedOutcome,
  legacyCreated,
  legacyList,
  legacyQuestion,
  legacyRead,
  legacyShown,
} from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";

const never = 2_000_000_000;
const own = [legacyCreated(1), legacyRead(1)];
const unknownQuestion = (status: number): CallSketch => ({
  operation: "cancel",
  conversation: 1,
  questionId: never,
  answer: "",
  status,
});
const anotherShown = legacyShown(2, { questions: [legacyQuestion("processing", "words", 12)] });
const another = [legacyCreated(2, { answer: anotherShown })];

describe("a legacy conversation that was never created", () => {
  test.each<CallCase>([
    { name: "is not found", calls: [...own, legacyRead(never, { status: 404 })], observed: 1 },
    {
      name: "is not refused in another way",
      calls: [...own, legacyRead(never, { status: 400 })],
      observed: 1,
      violations: ["reading a conversation that was never created was refused with 400 instead of 404"],
    },
    {
      name: "is not delivered",
      calls: [legacyRead(never)],
      observed: 1,
      violations: ["reading a conversation that was never created returned 200"],
    },
    {
      name: "is not judged where nothing is found",
      calls: [legacyCreated(1), legacyRead(1, { status: 404 }), legacyRead(never, { status: 404 })],
    },
    { name: "may exist with a smaller id", calls: [...own, legacyRead(2)] },
    {
      name: "may exist with a large id that was given out",
      calls: [legacyList([never]), legacyRead(never)],
    },
    {
      name: "is not known to nobody",
      calls: [...own, legacyRead(never, { status: 401, credential: "none" })],
    },
    {
      name: "is not refused with an internal error each time, while others are answered",
      calls: [...own, legacyRead(never, { status: 500 }), legacyRead(never, { status: 500 }), legacyRead(1)],
      observed: 2,
      violations: [
        "reading a conversation that was never created was refused with 500 instead of 404",
        "reading a conversation that was never created was refused with 500 instead of 404",
      ],
    },
    {
      name: "may be refused with an internal error once",
      calls: [...own, legacyRead(never, { status: 500 }), legacyRead(never, { status: 404 }), legacyRead(1)],
      observed: 1,
    },
    {
      name: "is not judged where nothing succeeds any more",
      calls: [...own, legacyRead(never, { status: 500 }), legacyRead(never, { status: 500 })],
      blockedBy: "transport: a response to get other than 500",
    },
    {
      name: "has no question to cancel",
      calls: [...own, unknownQuestion(404), unknownQuestion(400)],
      observed: 2,
    },
    {
      name: "does not let its questions be cancelled",
      calls: [...own, unknownQuestion(200)],
      observed: 1,
      violations: ["cancelling a question that was never asked returned 200"],
    },
    {
      name: "does not answer the cancellation of its questions with a server error each time",
      calls: [...own, unknownQuestion(503), unknownQuestion(503), legacyRead(1)],
      observed: 2,
      violations: Array.from(
        { length: 2 },
        () => "cancelling a question that was never asked was refused with 503 instead of 404",
      ),
    },
    {
      name: "does not let questions of others be cancelled",
      calls: [...own, ...another, { ...unknownQuestion(200), questionId: 12 }],
      observed: 1,
      violations: ["cancelling a question of another conversation returned 200"],
    },
    {
      name: "does not let them be cancelled with the other conversation as the answer",
      calls: [...own, ...another, { ...unknownQuestion(200), questionId: 12, answer: anotherShown }],
      observed: 1,
      violations: ["cancelling a question of another conversation returned 200"],
    },
    {
      name: "refuses to cancel a question of another one",
      calls: [...own, ...another, { ...unknownQuestion(404), questionId: 12 }],
      observed: 1,
    },
    {
      name: "may have a question of that id besides",
      calls: [
        ...own,
        ...another,
        { operation: "follow-up", conversation: 1, status: 0 },
        { ...unknownQuestion(200), questionId: 12 },
      ],
    },
    {
      name: "may have a question of a large id",
      calls: [
        ...own,
        legacyRead(1, {
          answer: legacyShown(1, { questions: [legacyQuestion("completed", "words", never)] }),
        }),
        unknownQuestion(200),
      ],
    },
    {
      name: "is not judged on distress",
      calls: [...own, legacyRead(never, { status: 500 })],
      blockedBy: "transport: a response to get other than 500",
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/unknown-id-is-not-found", row.calls)).toEqual(expectedOutcome(row));
  });
});

describe("a name of the current interface that was never given", () => {
  const known = [currentCreated("a"), currentRead("a")];

  test.each<CallCase>([
    {
      name: "is refused in any way",
      calls: [...known, currentRead("b", { status: 404 }), currentRead(never, { status: 403 })],
      observed: 2,
    },
    {
      name: "is not delivered",
      calls: [...known, currentRead("b")],
      observed: 1,
      violations: ["reading a conversation that was never created returned 200"],
    },
    { name: "may exist as a small number", calls: [...known, currentRead(5)] },
    { name: "may exist when it was listed", calls: [currentList(["b"]), currentRead("b")] },
  ])("$name", (row) => {
    expect(outcomeOfCalls("current/unknown-name-is-refused", row.calls)).toEqual(expectedOutcome(row));
  });
});

describe("a flawed creation in the legacy interface", () => {
  const without = legacyCreated(2, { body: { text: "words" }, status: 400 });
  const broken = legacyCreated(2, { body: "{", status: 400 });
  const silentFollowUp = (status: number): CallSketch => ({
    operation: "follow-up",
    conversation: 1,
    body: { conversation_id: 1 },
    status,
  });

  test.each<CallCase>([
    {
      name: "is a bad request",
      calls: [legacyCreated(1), without, broken, legacyCreated(2, { body: "", status: 400 })],
      observed: 3,
    },
    {
      name: "does not succeed",
      calls: [
        { ...without, status: 202 },
        { ...broken, status: 200 },
      ],
      observed: 2,
      violations: [
        "a creation without a question returned 202",
        "a creation with a body that is not JSON returned 200",
      ],
    },
    {
      name: "is not refused in another way",
      calls: [legacyCreated(1), { ...broken, status: 415 }],
      observed: 1,
      violations: ["a creation with a body that is not JSON was refused with 415 instead of 400"],
    },
    {
      name: "with a question that is not a string is one, too",
      calls: [legacyCreated(1), legacyCreated(2, { body: { question: 5 }, status: 400 })],
      observed: 1,
    },
    {
      name: "with a question that is not a string does not succeed",
      calls: [legacyCreated(2, { body: { question: 5 } }), legacyCreated(3, { body: { question: null } })],
      observed: 2,
      violations: [
        "a creation with a question that is not text returned 200",
        "a creation with a question that is not text returned 200",
      ],
    },
    {
      name: "is not refused with an internal error each time, while others are answered",
      calls: [legacyCreated(1), { ...broken, status: 500 }, { ...broken, status: 500 }, legacyRead(1)],
      observed: 2,
      violations: [
        "a creation with a body that is not JSON was refused with 500 instead of 400",
        "a creation with a body that is not JSON was refused with 500 instead of 400",
      ],
    },
    {
      name: "is a follow-up without a question as well",
      calls: [legacyCreated(1), silentFollowUp(400)],
      observed: 1,
    },
    {
      name: "does not succeed as a follow-up",
      calls: [legacyCreated(1), silentFollowUp(200)],
      observed: 1,
      violations: ["a follow-up without a question returned 200"],
    },
    {
      name: "is not judged as a follow-up to what is not there",
      calls: [legacyList([]), silentFollowUp(404)],
    },
    {
      name: "is not judged where nothing succeeds",
      calls: [legacyCreated(1, { status: 400 }), without],
    },
    {
      name: "is a bad request where another request succeeds",
      calls: [legacyList([]), without],
      observed: 1,
    },
    {
      name: "is not judged by the refusal of another type of content",
      calls: [legacyCreated(1), { ...broken, status: 415, headers: [["X-Requested-With", "a 1"]] }],
    },
    {
      name: "is not judged with an empty question",
      calls: [legacyCreated(1), legacyCreated(2, { body: { question: "" } })],
    },
    {
      name: "is not judged where a recording has no body",
      calls: [legacyCreated(1, { body: "", credential: "unknown" })],
    },
    {
      name: "does not succeed in a recording",
      calls: [{ ...broken, status: 200, credential: "unknown" }],
      observed: 1,
      violations: ["a creation with a body that is not JSON returned 200"],
    },
    {
      name: "is not judged for nobody",
      calls: [legacyCreated(1), { ...without, credential: "none", status: 401 }],
    },
    {
      name: "is not judged on distress, each flaw for itself",
      calls: [legacyCreated(1), without, { ...broken, status: 500 }],
      observed: 1,
      blockedBy: "transport: a response to create other than 500",
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/bad-request-is-refused", row.calls)).toEqual(expectedOutcome(row));
  });
});

describe("a flawed creation in the current interface", () => {
  const flawed = (body: unknown, status: number) => currentCreated(2, { body, status });

  test.each<CallCase>([
    {
      name: "is refused in any way",
      calls: [
        currentCreated(1),
        flawed({ conversation: {} }, 400),
        flawed({ conversation: { questions: [] } }, 422),
        flawed("{", 415),
      ],
      observed: 3,
    },
    {
      name: "does not succeed",
      calls: [flawed({ parent: "users/~self" }, 200)],
      observed: 1,
      violations: ["a creation without a question returned 200"],
    },
    {
      name: "is not judged where the token may not write",
      calls: [currentList([]), flawed("{", 403)],
    },
    {
      name: "is refused where another request succeeds",
      calls: [currentList([]), flawed("{", 400)],
      observed: 1,
    },
    {
      name: "with a question that is not a string does not succeed",
      calls: [flawed({ conversation: { questions: [{ input: [{ question: { text: 5 } }] }] } }, 200)],
      observed: 1,
      violations: ["a creation with a question that is not text returned 200"],
    },
    {
      name: "is not judged with a question of another form",
      calls: [currentCreated(1), flawed({ conversation: { questions: ["words"] } }, 200)],
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("current/bad-request-is-refused", row.calls)).toEqual(expectedOutcome(row));
  });
});

describe("a legacy refusal", () => {
  const refusal = (answer: unknown, status = 404) => legacyRead(1, { answer, status });
  const noted = ["legacy/error-body"];

  test.each<CallCase>([
    { name: "may be plain text", calls: [refusal("Not found\n")], observed: 1, unspecified: noted },
    { name: "may be in any script", calls: [refusal("見つかりません")], observed: 1, unspecified: noted },
    {
      name: "may be an object",
      calls: [refusal({ error: { message: "not found" } })],
      observed: 1,
      unspecified: noted,
    },
    { name: "may be a string", calls: [refusal('"not found"')], observed: 1, unspecified: noted },
    {
      name: "may be a page",
      calls: [refusal("<html><h1>Not found</h1></html>")],
      observed: 1,
      unspecified: noted,
    },
    {
      name: "is noted once for each form",
      calls: [refusal("a message"), refusal("another message"), refusal("a message", 400)],
      observed: 3,
      unspecified: [...noted, ...noted],
    },
    ...["", "404", "{}", '{"error":404}', '{"message":""}', "<html><body></body></html>"].map((body) => ({
      name: `has to say more than ${JSON.stringify(body)}`,
      calls: [refusal(body)],
      observed: 1,
      violations: ["get was refused with 404 without a message"],
    })),
    { name: "is not a success", calls: [legacyRead(1, { answer: legacyShown(1) })] },
    { name: "is not distress", calls: [refusal("", 429), refusal("", 500)] },
    {
      name: "is not one of the current interface",
      calls: [currentList([], { status: 400, answer: "" })],
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/refusal-has-a-message", row.calls)).toEqual(expectedOutcome(row));
  });
});
