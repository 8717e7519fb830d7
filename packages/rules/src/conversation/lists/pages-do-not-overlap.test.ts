import { defined } from "@assay/contract";
import { describe, expect, test } from "vitest";
import {
  outcomeOfCalls,
  currentList,
  expectedOutcome,
  legacyCreated,
  legacyList,
  legacyRead,
  legacyShown,
} from "../testing/call-log.ts";
import type { CallCase } from "../testing/call-log.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";

/** A page of two, asked for with one cursor and naming the next. */
const page = (
  ids: readonly number[],
  [after, next]: readonly [after: string | undefined, next: string | undefined],
  sketch: Partial<CallSketch> = {},
): CallSketch =>
  legacyList(ids, {
    query: { page_first: "2", ...defined({ page_after: after }) },
    answer: { conversations: ids.map((id) => legacyShown(id)), ...defined({ next_cursor: next }) },
    ...sketch,
  });
const settled = (id: number): readonly CallSketch[] => [legacyCreated(id), legacyRead(id)];
const twice = "conversation 2 is listed twice on the pages of a list";

describe("in the legacy interface the rule", () => {
  test.each<CallCase>([
    {
      name: "holds for pages without a common conversation",
      calls: [page([1, 2], [undefined, "a"]), page([3], ["a", undefined])],
      observed: 1,
    },
    {
      name: "holds when the walk was not finished",
      calls: [page([1, 2], [undefined, "a"]), page([3, 4], ["a", "b"])],
      observed: 1,
    },
    {
      name: "is broken by a conversation on two pages",
      calls: [page([1, 2], [undefined, "a"]), page([2, 3], ["a", undefined])],
      observed: 1,
      violations: [twice],
    },
    {
      name: "is broken by a conversation twice on one page",
      calls: [page([2, 2], [undefined, "a"]), page([3], ["a", undefined])],
      observed: 1,
      violations: [twice],
    },
    {
      name: "is broken by a conversation twice in a list of one page",
      calls: [page([1, 2, 3, 2], [undefined, undefined])],
      observed: 1,
      violations: ["conversation 2 is listed twice in one list"],
    },
    {
      name: "is not observed in a list of one page",
      calls: [page([1, 2, 3], [undefined, undefined])],
    },
    {
      name: "is not observed in a list of one page while as many conversations may have changed as came twice",
      calls: [legacyCreated(9), page([1, 2, 3, 2], [undefined, undefined])],
    },
    {
      name: "is broken in a recording as well",
      calls: [
        page([1, 2], [undefined, "a"], { credential: "unknown" }),
        page([2], ["a", undefined], { credential: "unknown" }),
      ],
      observed: 1,
      violations: [twice],
    },
    {
      name: "is not observed where as many conversations may have changed as came twice",
      calls: [legacyCreated(9), page([1, 2], [undefined, "a"]), page([2, 3], ["a", undefined])],
    },
    {
      name: "is not observed where a creation may have happened",
      calls: [legacyCreated(9, { cutBy: "reset" }), page([1, 2], [undefined, "a"]), page([2, 3], ["a", undefined])],
    },
    {
      name: "is broken where more came twice than may have changed",
      calls: [legacyCreated(9), page([1, 2], [undefined, "a"]), page([2, 1], ["a", undefined])],
      observed: 1,
      violations: [twice],
    },
    {
      name: "leaves out the conversation that may have changed itself",
      calls: [legacyCreated(2), page([1, 2], [undefined, "a"]), page([2, 3], ["a", undefined])],
      observed: 1,
    },
    {
      name: "is broken where the created ones had ended before",
      calls: [...settled(9), page([9, 2], [undefined, "a"]), page([2, 3], ["a", undefined])],
      observed: 1,
      violations: [twice],
    },
    {
      name: "is broken when a complete walk misses a conversation",
      calls: [...settled(9), page([1, 2], [undefined, "a"]), page([3], ["a", undefined])],
      observed: 1,
      violations: ["no page of a complete list contains conversation 9"],
    },
    {
      name: "is not broken when an unfinished walk misses one",
      calls: [...settled(9), page([1, 2], [undefined, "a"]), page([3], ["a", "b"])],
      observed: 1,
    },
    {
      name: "is not broken when what is missing was deleted",
      calls: [
        ...settled(9),
        { operation: "delete", conversation: 9 },
        page([1, 2], [undefined, "a"]),
        page([3], ["a", undefined]),
      ],
      observed: 1,
    },
    {
      name: "is not broken when another user misses it",
      calls: [
        ...settled(9),
        page([1, 2], [undefined, "a"], { credential: "other-token" }),
        page([3], ["a", undefined], { credential: "other-token" }),
      ],
      observed: 1,
    },
    {
      name: "is broken by a cursor that leads back",
      calls: [page([1, 2], [undefined, "a"]), page([3, 4], ["a", "a"])],
      observed: 1,
      violations: ["a page has a cursor that led to an earlier page of the same list"],
    },
    {
      name: "takes an empty page with the old cursor for the end",
      calls: [page([1, 2], [undefined, "a"]), page([], ["a", "a"])],
      observed: 1,
    },
    {
      name: "is not observed for pages that are no walk",
      calls: [page([1, 2], [undefined, "a"]), page([2, 3], ["z", undefined])],
    },
    {
      name: "is not observed for pages of different orders",
      calls: [
        page([1, 2], [undefined, "a"]),
        page([2, 3], ["a", undefined], { query: { page_first: "2", page_after: "a", sort: "id" } }),
      ],
    },
    {
      name: "is not observed without a recognised cursor, which is noted where there is more",
      calls: [legacyCreated(1), legacyCreated(2), legacyCreated(3), page([1, 2], [undefined, undefined])],
      unspecified: ["legacy/list-cursor"],
    },
    {
      name: "cannot run on distress",
      calls: [page([1, 2], [undefined, "a"]), page([3], ["a", undefined], { status: 503 })],
      blockedBy: "transport: a response to list other than 503",
    },
  ])("$name", (row) => {
    expect(outcomeOfCalls("legacy/pages-do-not-overlap", row.calls)).toEqual(expectedOutcome(row));
  });
});

const currentPage = (ids: readonly number[], pageToken?: string, nextPageToken?: string): CallSketch =>
  currentList(ids, {
    body: { parent: "users/~self", pageSize: 2, pageToken },
    answer: { conversationSummaries: ids.map((id) => ({ name: `users/7/conversations/${id}` })), nextPageToken },
  });

const cursorPage = (ids: readonly number[], cursor?: string, nextCursor?: string): CallSketch =>
  currentList(ids, {
    body: { parent: "users/~self", limit: 2, cursor },
    answer: { conversationSummaries: ids.map((id) => ({ name: `users/7/conversations/${id}` })), nextCursor },
  });

describe("in the current interface the rule", () => {
  test.each<CallCase>([
    {
      name: "holds for pages without a common conversation",
      calls: [currentPage([1, 2], undefined, "a"), currentPage([3], "a")],
      observed: 1,
    },
    {
      name: "is broken by a conversation on two pages",
      calls: [currentPage([1, 2], undefined, "a"), currentPage([2], "a")],
      observed: 1,
      violations: [twice],
    },
    {
      name: "is not observed where a name that nothing shows leads to the same page",
      calls: [currentPage([1, 2], undefined, "a"), currentPage([1, 2], "a", "a")],
      blockedBy:
        "prerequisite: the name of the request member for the next page (`pageToken` is not in a served OpenAPI document and leads to the same page)",
    },
    {
      name: "is broken by the same page where another walk got on by the name",
      calls: [
        currentPage([1, 2], undefined, "a"),
        currentPage([1, 2], "a", "b"),
        ...[currentPage([1, 2], undefined, "c"), currentPage([3], "c")].map((sketch) => ({
          ...sketch,
          credential: "oauth-token" as const,
        })),
      ],
      observed: 2,
      violations: ["conversation 1 is listed twice on the pages of a list"],
    },
    {
      name: "knows other names of the member",
      calls: [
        currentPage([1, 2], undefined, "a"),
        currentList([2], { body: { parent: "users/~self", page_size: 2, page_token: "a" } }),
      ].map((sketch, index) => (index === 0 ? { ...sketch, body: { parent: "users/~self", page_size: 2 } } : sketch)),
      observed: 1,
      violations: [twice],
    },
    {
      name: "holds for pages whose cursors have other names",
      calls: [cursorPage([1, 2], undefined, "a"), cursorPage([3], "a")],
      observed: 1,
    },
    {
      name: "is broken by a conversation on two pages whose cursors have other names",
      calls: [cursorPage([1, 2], undefined, "a"), cursorPage([2], "a")],
      observed: 1,
      violations: [twice],
    },
    { name: "is not observed for one page", calls: [currentPage([1, 2])] },
  ])("$name", (row) => {
    expect(outcomeOfCalls("current/pages-do-not-overlap", row.calls)).toEqual(expectedOutcome(row));
  });
});
