import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCurrentConversation, normalizeInteger, readLegacyConversation } from "./driven-conversation.ts";

describe("an integer for an address", () => {
  test.each([
    ["7", "7"],
    ["007", "7"],
    ["0", "0"],
    ["-5", "-5"],
    ["9007199254740993", "9007199254740993"],
    ["1".repeat(41), undefined],
    ["1.5", undefined],
    ["--1", undefined],
    ["../1", undefined],
    ["1e3", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("%j is read as %j", (value, text) => {
    expect(normalizeInteger(value)).toBe(text);
  });
});

describe("a legacy conversation", () => {
  test.each([
    { status: "processing", state: "processing" },
    { status: "pending", state: "processing" },
    { status: "completed", state: "finished" },
    { status: "cancelled", state: "finished" },
    { status: 7, state: "unclear" },
  ])("whose last question is $status is $state", ({ status, state }) => {
    const questions = [{ status: "completed" }, { id: 9, question: "why?", status }];
    expect(readLegacyConversation({ id: 3, questions })).toEqual({
      id: "3",
      state,
      texts: ["", "why?"],
      lastQuestionId: "9",
    });
  });

  test("has its user, read token and time if present", () => {
    const json = { id: 3, user_id: 4, read_token: "t", created_at: "now", questions: [] };
    expect(readLegacyConversation(json)).toMatchObject({
      userId: "4",
      readToken: "t",
      createdAt: "now",
      state: "unclear",
    });
    expect(Object.keys(readLegacyConversation({ read_token: "x".repeat(2000), user_id: "y" }))).toEqual([
      "state",
      "texts",
    ]);
  });
});

describe("a current conversation", () => {
  const asked = [{ input: [{ question: { text: "a" } }, { image: {} }, { question: { text: "b" } }] }];

  test.each([
    { state: { processing: {} }, read: "processing" },
    { state: { completed: {} }, read: "finished" },
    { state: { paused: {} }, read: "finished" },
    { state: { processing: {}, completed: {} }, read: "unclear" },
    { state: {}, read: "unclear" },
    { state: "STATE_PROCESSING", read: "unclear" },
    { state: ["processing"], read: "unclear" },
    { state: undefined, read: "unclear" },
  ])("with the state $state is $read", ({ state, read }) => {
    expect(readCurrentConversation({ name: "users/1/conversations/2", state, questions: asked })).toEqual({
      id: "users/1/conversations/2",
      state: read,
      texts: ["a\nb"],
    });
  });

  test.each(["", "a b", "x".repeat(301), "users/ü/conversations/1", "a\nb", 7, null])("has no name %j", (name) => {
    expect(readCurrentConversation({ name }).id).toBeUndefined();
  });
});

test("any value is read without an error", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom("id", "name", "questions", "state", "conversations"), (value, key) => {
      for (const json of [value, { [key]: value }, { questions: [value] }]) {
        expect(readLegacyConversation(json).id ?? "0").toMatch(/^-?\d+$/);
        expect(readCurrentConversation(json).id ?? "x").toMatch(/^[\x21-\x7e]+$/);
      }
    }),
  );
});
