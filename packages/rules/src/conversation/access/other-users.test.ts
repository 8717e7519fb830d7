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
  legacyRead,
  legacyShown,
} from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";

const question = "Where is createServer used?";
const credential = "other-token";
const given = "prerequisite: a read by a second user (set ASSAY_OTHER_TOKEN)";
const wrong = "prerequisite: a token that the target accepts";
const legacy = [legacyCreated(1, { question }), legacyRead(1), legacyList([], { credential })];

describe("a legacy conversation of another user", () => {
  const strange = (sketch: Partial<CallSketch> = {}): CallSketch =>
    legacyRead(1, { credential, status: 404, ...sketch });
  const violations = ["a second user got conversation 1 by its id"];

  test.each<CallCase>([
    { name: "is not found", calls: [...legacy, strange()], observed: 1 },
    { name: "may be answered with nothing", calls: [...legacy, strange({ status: 200, answer: "null" })], observed: 1 },
    { name: "is not delivered", calls: [...legacy, strange({ status: 200 })], observed: 1, violations },
    {
      name: "is not delivered in any other form",
      calls: [...legacy, strange({ status: 200, answer: [[{ a: `${question} ` }]] })],
      observed: 1,
      violations,
    },
    {
      name: "is not judged where the owner does not get it either",
      calls: [legacyCreated(1), legacyRead(1, { status: 404 }), legacyList([], { credential }), strange()],
    },
    {
      name: "is not judged where the token of the second user may be wrong",
      calls: [legacyCreated(1), legacyRead(1), strange({ status: 401 })],
      blockedBy: wrong,
    },
    {
      name: "is not judged after a deletion",
      calls: [...legacy, { operation: "delete", conversation: 1 }, strange()],
      blockedBy: given,
    },
    {
      name: "is not judged where the second user created it",
      calls: [legacyCreated(1, { credential }), strange({ status: 200 })],
      blockedBy: given,
    },
    { name: "is not judged without a second user", calls: [legacyCreated(1), legacyRead(1)], blockedBy: given },
    {
      name: "is not known in a recording",
      calls: [legacyCreated(1, { credential: "unknown" }), legacyRead(1, { credential: "unknown" })],
    },
    {
      name: "is not judged on distress",
      calls: [...legacy, strange({ status: 503 })],
      blockedBy: "transport: a response to get other than 503",
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/other-users-conversation-is-hidden", row.calls)).toEqual(expectedOutcome(row));
  });
});

describe("a conversation of another user in the current interface", () => {
  const current = [currentCreated("a", { question }), currentRead("a"), currentList([], { credential })];
  const ofParent = (ids: readonly string[], sketch: Partial<CallSketch> = {}): CallSketch =>
    currentList(ids, { credential, body: { parent: "users/7" }, ...sketch });

  test.each<CallCase>([
    { name: "is not found", calls: [...current, currentRead("a", { credential, status: 404 })], observed: 1 },
    {
      name: "may be named",
      calls: [...current, currentRead("a", { credential, answer: { name: "users/7/conversations/a" } })],
      observed: 1,
    },
    {
      name: "is not delivered",
      calls: [
        ...current,
        currentRead("a", { credential, answer: currentShown("a", "completed", { title: question }) }),
      ],
      observed: 1,
      violations: ["a second user got conversation a by its id"],
    },
    { name: "is not in the list of its parent", calls: [...current.slice(0, 2), ofParent([])], observed: 1 },
    { name: "may be refused with its parent", calls: [...current, ofParent([], { status: 403 })], observed: 1 },
    {
      name: "is not listed for its parent",
      calls: [...current.slice(0, 2), ofParent(["a"])],
      observed: 1,
      violations: ["a second user got conversation a in the list of another parent"],
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("current/other-users-conversation-is-hidden", row.calls)).toEqual(expectedOutcome(row));
  });
});

const byToken = (ids: readonly number[], sketch: Partial<CallSketch> = {}): CallSketch =>
  legacyList(ids, { credential, query: { filter_read_token: "token-of-1" }, ...sketch });
const refused = byToken([], { status: 404 });

describe("with sharing on, the read token", () => {
  const target = { sharing: "on" } as const;

  test.each<CallCase>([
    { name: "opens its conversation", calls: [legacyCreated(1), byToken([1])], observed: 1 },
    {
      name: "may open it without a list",
      calls: [legacyCreated(1, { question }), byToken([], { answer: legacyShown(1, { title: question }) })],
      observed: 1,
    },
    {
      name: "does not list nothing",
      calls: [legacyCreated(1), byToken([])],
      observed: 1,
      violations: ["with sharing on, a second user's list filtered by the read token of 1 does not contain it"],
    },
    {
      name: "is not refused",
      calls: [...legacy, refused],
      observed: 1,
      violations: ["with sharing on, a second user with the read token was refused with 404"],
    },
    {
      name: "is not judged where the token of the second user may be wrong",
      calls: [legacyCreated(1), byToken([], { status: 403 })],
      blockedBy: wrong,
    },
    { name: "is not judged without a second user", calls: [legacyCreated(1)], blockedBy: given },
    {
      name: "is not judged in a form that nobody knows",
      calls: [legacyCreated(1), byToken([], { answer: { nodes: { 1: {} } } })],
    },
    {
      name: "is not judged on distress",
      calls: [legacyCreated(1), byToken([], { status: 503 })],
      blockedBy: "transport: a response to list other than 503",
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/shared-conversation-is-readable", row.calls, target)).toEqual(expectedOutcome(row));
    expect(outcomeOfCalls("legacy/unshared-conversation-is-hidden", row.calls, target)).toEqual(
      expectedOutcome({ name: "", calls: [] }),
    );
  });
});

describe("with sharing off, the read token", () => {
  const target = { sharing: "off" } as const;
  const violations = ["with sharing off, a second user read 1 with its read token"];

  test.each<CallCase>([
    { name: "opens nothing by a refusal", calls: [...legacy, refused], observed: 1 },
    { name: "opens nothing by an empty list", calls: [legacyCreated(1), byToken([])], observed: 1 },
    { name: "does not list its conversation", calls: [legacyCreated(1), byToken([1])], observed: 1, violations },
    {
      name: "does not show its text in another form",
      calls: [legacyCreated(1, { question }), byToken([], { answer: { a: question } })],
      observed: 1,
      violations,
    },
    {
      name: "may be used by the owner",
      calls: [legacyCreated(1), byToken([1], { credential: "access-token" })],
      blockedBy: given,
    },
    {
      name: "is not judged where the token of the second user may be wrong",
      calls: [legacyCreated(1), byToken([], { status: 403 })],
      blockedBy: wrong,
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/unshared-conversation-is-hidden", row.calls, target)).toEqual(expectedOutcome(row));
    expect(outcomeOfCalls("legacy/shared-conversation-is-readable", row.calls, target)).toEqual(
      expectedOutcome({ name: "", calls: [] }),
    );
  });
});
