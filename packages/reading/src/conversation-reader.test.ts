import { defined } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readConversation, readList, readQuestion } from "./conversation-reader.ts";

const interfaces = ["legacy", "current"] as const;

test("any JSON is read without an error", () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.constantFrom("id", "name", "questions", "state", "conversations"),
      fc.constantFrom(...interfaces),
      (value, key, name) => {
        for (const json of [{ [key]: value }, { questions: [value] }]) {
          expect(readConversation(name, json, "").questions).toBeInstanceOf(Array);
          expect(readQuestion(name, value, "/q").pointer).toBe("/q");
          expect(readList(name, [json])?.entries).toHaveLength(1);
        }
      },
    ),
  );
});

describe("a list", () => {
  test.each([
    { name: "an array", json: [{ id: 1 }, 2], ids: ["1"], cursor: undefined, envelope: undefined },
    {
      name: "conversations",
      json: { conversations: [{ id: 1 }], next_cursor: "c" },
      ids: ["1"],
      cursor: "c",
      envelope: "conversations",
    },
    {
      name: "results",
      json: { results: [{ id: 1 }], page_info: { end_cursor: "c" } },
      ids: ["1"],
      cursor: "c",
      envelope: "results",
    },
    {
      name: "the last page",
      json: { data: [{ id: 1 }], end_cursor: "c", has_next_page: false },
      ids: ["1"],
      cursor: undefined,
      envelope: "data",
    },
    {
      name: "the only member with objects, under any name",
      json: { mine: [{ id: 1 }], total: 1 },
      ids: ["1"],
      cursor: undefined,
      envelope: "mine",
    },
    {
      name: "nested in several objects, with its cursor",
      json: { data: { mine: { nodes: [{ id: 1 }], pageInfo: { endCursor: "c" } } } },
      ids: ["1"],
      cursor: "c",
      envelope: "data/mine/nodes",
    },
    {
      name: "an empty list in an object",
      json: { conversations: { nodes: [], total: 0 } },
      ids: [],
      cursor: undefined,
      envelope: "conversations",
    },
    { name: "a number as cursor", json: { items: [], next: 5 }, ids: [], cursor: "5", envelope: "items" },
    { name: "an empty cursor", json: { items: [], next: "" }, ids: [], cursor: undefined, envelope: "items" },
    {
      name: "an endless cursor",
      json: { items: [], next: "x".repeat(1001) },
      ids: [],
      cursor: undefined,
      envelope: "items",
    },
    {
      name: "a page without a list but with a cursor",
      json: { next: "c", total: 0 },
      ids: [],
      cursor: "c",
      envelope: undefined,
    },
    { name: "null", json: null, ids: [], cursor: undefined, envelope: undefined },
    {
      name: "an object with empty members",
      json: { conversations: null, total: 0 },
      ids: [],
      cursor: undefined,
      envelope: undefined,
    },
  ])("that is $name", ({ json, ids, cursor, envelope }) => {
    const { entries = [], ...list } = readList("legacy", json) ?? {};
    expect(entries.map(({ id }) => id)).toEqual(ids);
    expect(list).toEqual({
      ...defined({ cursor, envelope }),
    });
  });

  test.each([
    { name: "a string", json: "conversations" },
    { name: "an object", json: { conversations: { id: 1 } } },
    { name: "two candidate members", json: { a: [{ id: 1 }], b: [{ id: 2 }] } },
    { name: "two candidates at different depths", json: { a: [{ id: 1 }], b: { c: [{ id: 2 }] } } },
    { name: "deeply nested objects", json: { a: { a: { a: { a: { a: [{ id: 1 }] } } } } } },
  ])("is not recognised in $name", ({ json }) => {
    expect(readList("legacy", json)).toBeUndefined();
  });

  test("of the current interface has its own cursor name", () => {
    expect(readList("current", { conversationSummaries: [{}], nextPageToken: "a", next: "b" })?.cursor).toBe("a");
    expect(readList("current", { conversation_summaries: [{}], next: "b" })?.cursor).toBeUndefined();
  });

  test.each(["nextCursor", "next_cursor", "next_page_token", "nextToken", "next_after", "endCursor"])(
    "of the current interface may have its cursor in `%s`",
    (name) => {
      expect(readList("current", { conversationSummaries: [{}], [name]: "a" })?.cursor).toBe("a");
    },
  );

  test("of the current interface may repeat the cursor that was asked for", () => {
    expect(readList("current", { conversationSummaries: [{}], cursor: "a", pageToken: "a" })?.cursor).toBeUndefined();
  });

  test("has conversations with their pointers", () => {
    expect(readList("current", { items: [{}, { name: "users/1/conversations/2" }] })?.entries).toMatchObject([
      { pointer: "/items/0" },
      { pointer: "/items/1", id: "2" },
    ]);
  });
});
