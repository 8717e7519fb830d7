import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { currentView } from "./current-view.ts";
import { integerText, legacyView } from "./legacy-view.ts";
import { listPage } from "./list-view.ts";

describe("an integer that may stand in an address", () => {
  test.each([
    [7, "7"],
    ["7", "7"],
    ["007", "7"],
    [0, "0"],
    [2 ** 53 - 1, "9007199254740991"],
    [2 ** 53, undefined],
    ["9007199254740993", "9007199254740993"],
    ["1".repeat(41), undefined],
    [-1, undefined],
    [1.5, undefined],
    [Number.NaN, undefined],
    ["../1", undefined],
    ["1e3", undefined],
    ["", undefined],
    [null, undefined],
    [[7], undefined],
  ])("%j is read as %j", (value, text) => {
    expect(integerText(value)).toBe(text);
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
    expect(legacyView({ id: 3, questions })).toEqual({ id: "3", state, texts: ["", "why?"], lastQuestion: "9" });
  });

  test("has its user, read token and time where they are there", () => {
    const json = { id: 3, user_id: 4, read_token: "t", created_at: "now", questions: [] };
    expect(legacyView(json)).toMatchObject({ userId: "4", readToken: "t", createdAt: "now", state: "unclear" });
    expect(Object.keys(legacyView({ read_token: "x".repeat(2000), user_id: "y" }))).toEqual(["state", "texts"]);
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
    expect(currentView({ name: "users/1/conversations/2", state, questions: asked })).toEqual({
      id: "users/1/conversations/2",
      state: read,
      texts: ["ab"],
    });
  });

  test.each(["", "a b", "x".repeat(301), "users/ü/conversations/1", "a\nb", 7, null])("has no name %j", (name) => {
    expect(currentView({ name }).id).toBeUndefined();
  });
});

test("whatever comes is read without failing", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom("id", "name", "questions", "state", "conversations"), (value, key) => {
      for (const json of [value, { [key]: value }, { questions: [value] }]) {
        expect(legacyView(json).id ?? "0").toMatch(/^\d+$/);
        expect(currentView(json).id ?? "x").toMatch(/^[\x21-\x7e]+$/);
        expect(listPage(json, "legacy").entries).toBeInstanceOf(Array);
      }
    }),
  );
});

describe("a page of a list", () => {
  test.each([
    { name: "an array", json: [1, 2], entries: [1, 2], cursor: undefined },
    { name: "conversations", json: { conversations: [1], next_cursor: "c" }, entries: [1], cursor: "c" },
    { name: "results", json: { results: [1], page_info: { end_cursor: "c" } }, entries: [1], cursor: "c" },
    {
      name: "the last page",
      json: { data: [1], end_cursor: "c", has_next_page: false },
      entries: [1],
      cursor: undefined,
    },
    { name: "a number as cursor", json: { items: [], next: 5 }, entries: [], cursor: "5" },
    { name: "an empty cursor", json: { items: [], next: "" }, entries: [], cursor: undefined },
    { name: "an endless cursor", json: { items: [], next: "x".repeat(1001) }, entries: [], cursor: undefined },
    { name: "no list", json: { conversations: {} }, entries: [], cursor: undefined },
    { name: "nothing", json: undefined, entries: [], cursor: undefined },
  ])("that is $name", ({ json, entries, cursor }) => {
    expect(listPage(json, "legacy")).toEqual({ entries, ...(cursor === undefined ? {} : { cursor }) });
  });

  test("of the current interface has its own word for the cursor", () => {
    expect(listPage({ conversationSummaries: [1], nextPageToken: "a", next: "b" }, "current")).toEqual({
      entries: [1],
      cursor: "a",
    });
    expect(listPage({ conversation_summaries: [1], next: "b" }, "current")).toEqual({ entries: [1] });
  });
});
