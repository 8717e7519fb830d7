import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadedConversation } from "./loaded-conversation.ts";

describe("a response", () => {
  test("of the legacy interface has id, status, time and texts", () => {
    const question = { question: "Why?", status: "completed", updated_at: "2026-01-01T00:00:00Z" };
    expect(loadedConversation("legacy", { id: 7, questions: [question] })).toEqual({
      id: "7",
      state: "completed",
      updated: "2026-01-01T00:00:00Z",
      texts: ["Why?"],
      hasError: false,
      isUsedUp: false,
    });
  });

  test("of the current interface has name, state, time and texts", () => {
    const json = {
      name: "users/1/conversations/7",
      state: { processing: {} },
      updateTime: "2026-01-01T00:00:00Z",
      questions: [{ input: [{ question: { text: "Why?" } }] }],
    };
    expect(loadedConversation("current", json)).toEqual({
      id: "users/1/conversations/7",
      state: "processing",
      updated: "2026-01-01T00:00:00Z",
      texts: ["Why?"],
      hasError: false,
      isUsedUp: false,
    });
  });

  test.each([
    { name: "a quota", error: { code: "ERROR_QUOTA_EXCEEDED" }, isUsedUp: true },
    { name: "an entitlement", error: { code: "ERROR_ENTITLEMENT_EXCEEDED" }, isUsedUp: true },
    { name: "a fault", error: { code: "ERROR_INTERNAL" }, isUsedUp: false },
    { name: "an error of another form", error: { code: 3 }, isUsedUp: false },
  ])("that ended by $name is recognised", ({ error, isUsedUp }) => {
    expect(loadedConversation("current", { state: { error } })).toMatchObject({
      state: "error",
      hasError: true,
      isUsedUp,
    });
  });

  test("of the legacy interface that ended because of a rate limit is marked", () => {
    const question = { status: "completed", error: { kind: "RateLimitExceeded" } };
    expect(loadedConversation("legacy", { questions: [question] })).toMatchObject({
      hasError: true,
      isUsedUp: true,
    });
  });

  test.each([
    { name: "a path as an id", on: "legacy", json: { id: "7/../8" } },
    { name: "a fraction as an id", on: "legacy", json: { id: 7.5 } },
    { name: "a line feed in a name", on: "current", json: { name: "users/1\nHost: x" } },
    { name: "an endless name", on: "current", json: { name: "x".repeat(301) } },
    { name: "two states", on: "current", json: { state: { processing: {}, completed: {} } } },
    { name: "a list", on: "current", json: [] },
  ] as const)("with $name tells neither id nor state", ({ on, json }) => {
    expect(loadedConversation(on, json)).toEqual({ texts: [], hasError: false, isUsedUp: false });
  });

  test("may be any value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom("legacy", "current"), (json, on) => {
        expect(loadedConversation(on, json).texts).toBeInstanceOf(Array);
      }),
    );
  });
});
