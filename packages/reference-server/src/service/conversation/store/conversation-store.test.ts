import { anyCharacter } from "@assay/tools/any-character";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SortOrder, sortOrders } from "@assay/contract";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { noWork, type QuestionOutcome } from "../conversation-record.ts";
import { type ConversationStore, createConversationStore } from "./conversation-store.ts";
import type { ListQuery } from "./list-query.ts";
import { openDatabase } from "./open-database.ts";
import { readCursor, writeCursor } from "./page-cursor.ts";

const folder = mkdtempSync(join(tmpdir(), "conversation-store-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const startMs = Date.UTC(2024, 0, 31, 23, 59, 59);

const tokenOf = (id: number): string => `token-${id}`;

const openStore = (path = ":memory:"): ConversationStore => createConversationStore(openDatabase(path));

/** Conversations of users 1 and 2; their times run opposite to their ids. */
const filledStore = (count = 7): ConversationStore => {
  const store = openStore();
  for (let index = 0; index < count; index += 1) {
    const nowMs = startMs - ((index * 3) % count) * 1000;
    const { id, questions } = store.create({ userId: 1 + (index % 2), text: `question ${index}`, nowMs }, tokenOf);
    store.finish(questions[0]?.id ?? 0, { kind: "canceled" }, nowMs + ((index * 5) % count) * 60_000);
    store.setStarred(id, index % 3 === 0);
  }
  return store;
};

const base: ListQuery = { viewerId: 1, sharing: false, sort: "-updated_at", pageSize: 100 };

const idsOf = (store: ConversationStore, query: Partial<ListQuery>): readonly number[] =>
  store.list({ ...base, ...query }).conversations.map(({ id }) => id);

describe("a list", () => {
  test.each<{ readonly name: string; readonly query: Partial<ListQuery>; readonly ids: readonly number[] }>([
    { name: "has the viewer's conversations alone", query: { sort: "id" }, ids: [1, 3, 5, 7] },
    { name: "of one id", query: { id: 3 }, ids: [3] },
    { name: "of another user's id is empty", query: { id: 2 }, ids: [] },
    { name: "of the viewer", query: { userId: 1, sort: "-id" }, ids: [7, 5, 3, 1] },
    { name: "of another user is empty", query: { userId: 2 }, ids: [] },
    { name: "of a read token", query: { readToken: "token-5" }, ids: [5] },
    { name: "of another's read token is empty without sharing", query: { readToken: "token-2" }, ids: [] },
    { name: "of another's read token, shared", query: { readToken: "token-2", sharing: true }, ids: [2] },
    { name: "of sharing alone shows nothing more", query: { sharing: true, sort: "id" }, ids: [1, 3, 5, 7] },
    { name: "of an unknown read token", query: { readToken: "", sharing: true }, ids: [] },
    { name: "of stars", query: { starred: true, sort: "id" }, ids: [1, 7] },
    { name: "of no stars", query: { starred: false, sort: "id" }, ids: [3, 5] },
    { name: "of a text", query: { contains: "QUESTION 4" }, ids: [5] },
    { name: "of a text that is like a pattern", query: { contains: "question %" }, ids: [] },
    { name: "of two filters that exclude each other", query: { id: 3, starred: true }, ids: [] },
  ])("$name", ({ ids, query }) => {
    expect(idsOf(filledStore(), query)).toEqual(ids);
  });

  const valueOf = (store: ConversationStore, id: number, sort: SortOrder): number => {
    const { createdAtMs = 0, updatedAtMs = 0 } = store.find(id) ?? {};
    const values = { id, created_at: createdAtMs, updated_at: updatedAtMs };
    return sort.endsWith("created_at")
      ? values.created_at
      : sort.endsWith("updated_at")
        ? values.updated_at
        : values.id;
  };

  test.each(sortOrders)("in the order %s has neighbours in that order", (sort) => {
    const store = filledStore(20);
    const values = idsOf(store, { sort }).map((id) => valueOf(store, id, sort));
    const sorted = values.toSorted((one, other) => (sort.startsWith("-") ? other - one : one - other));
    expect(values).toHaveLength(10);
    expect(values).toEqual(sorted);
  });

  test.each(sortOrders)("in pages of the order %s meets every conversation once", (sort) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), (pageSize) => {
        const store = filledStore(20);
        const walked: number[] = [];
        let after = {};
        for (let page = 0; page <= 20; page += 1) {
          const { conversations, next } = store.list({ ...base, sort, pageSize, ...after });
          walked.push(...conversations.map(({ id }) => id));
          const position = next && readCursor(writeCursor(sort, next), sort);
          after = { after: position };
          page = position === undefined ? 21 : page;
        }
        expect(walked).toEqual(idsOf(store, { sort }));
      }),
      { numRuns: 12 },
    );
  });
});

test.each(["", "x", "../../etc/passwd", "<script>", "MDoxOjI", writeCursor("id", { id: 1, value: 1 })])(
  "%s is not a cursor of this order",
  (cursor) => {
    expect(readCursor(cursor, "-updated_at")).toBeUndefined();
  },
);

describe("a question", () => {
  const outcomes: readonly QuestionOutcome[] = [
    { kind: "canceled" },
    {
      kind: "completed",
      title: "t",
      answer: "a\u0000b",
      sources: [{ type: "Repository", link: "/x", label: "x" }],
      followups: ["f"],
      stats: { ...noWork, credits: 3 },
    },
    { kind: "failed", title: "t", code: "ERROR_QUOTA_EXCEEDED", message: "m", retryAtMs: 5, stats: noWork },
    { kind: "failed", title: "t", code: "ERROR_INTERNAL", message: "m", answer: "half", stats: noWork },
  ];

  test.each(outcomes)("ends in %o once and keeps it", (outcome) => {
    const store = openStore();
    const { id, questions } = store.create({ userId: 1, text: "q", nowMs: startMs }, tokenOf);
    const questionId = questions[0]?.id ?? 0;
    expect(store.finish(questionId, outcome, startMs + 5)).toBe(true);
    expect(store.finish(questionId, { kind: "canceled" }, startMs + 9)).toBe(false);
    expect(store.find(id)).toMatchObject({
      updatedAtMs: startMs + 5,
      questions: [{ outcome, updatedAtMs: startMs + 5 }],
    });
  });

  test("keeps its text, whatever characters it has", () => {
    const store = openStore();
    let count = 0;
    const ownToken = (): string => `own-${(count += 1)}`;
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const { id } = store.create({ userId: 1, text: `${text}\u0000\ud800`, nowMs: startMs }, ownToken);
        expect(store.find(id)?.questions[0]?.text).toBe(`${text}\u0000\ud800`);
      }),
    );
  });

  test("counts for the month in which it was asked, even if its conversation was deleted", () => {
    const store = openStore();
    const { id } = store.create({ userId: 1, text: "q", nowMs: startMs }, tokenOf);
    store.ask(id, { userId: 1, text: "again", nowMs: startMs + 2000 });
    store.delete(id);
    expect([
      store.countAskedQuestions(1, "2024-01"),
      store.countAskedQuestions(1, "2024-02"),
      store.countAskedQuestions(2, "2024-01"),
    ]).toEqual([1, 1, 0]);
    expect(store.countConversations()).toBe(0);
  });

  test("makes its conversation newer, never older", () => {
    const store = openStore();
    const { id } = store.create({ userId: 1, text: "q", nowMs: startMs }, tokenOf);
    store.ask(id, { userId: 1, text: "early", nowMs: startMs - 5000 });
    expect(store.find(id)).toMatchObject({ updatedAtMs: startMs, createdAtMs: startMs });
    expect(store.listUnfinishedQuestions().map(({ text }) => text)).toEqual(["q", "early"]);
  });
});

describe("a database", () => {
  test("in a file keeps conversations and never reuses an id", () => {
    const path = join(folder, "kept.db");
    const first = openStore(path);
    const { id } = first.create({ userId: 1, text: "kept", nowMs: startMs }, tokenOf);
    first.create({ userId: 1, text: "removed", nowMs: startMs }, tokenOf);
    first.delete(2);
    first.close();
    const second = openStore(path);
    expect(second.find(id)).toMatchObject({ readToken: "token-1", questions: [{ text: "kept" }] });
    expect(second.create({ userId: 1, text: "new", nowMs: startMs }, tokenOf).id).toBe(3);
    second.close();
  });

  test.each([
    { name: "in a folder that is not there", path: join(folder, "missing", "x.db"), content: undefined },
    {
      name: "that is another kind of file",
      path: join(folder, "text.db"),
      content: "hello, this is not a database ".repeat(50),
    },
  ])("$name is refused", ({ content, path }) => {
    const write = { text: () => writeFileSync(path, content ?? ""), nothing: () => undefined };
    write[content === undefined ? "nothing" : "text"]();
    expect(() => openDatabase(path)).toThrow(/^cannot-open-database: the database .* cannot be opened/u);
  });

  test("of another version is refused", () => {
    const path = join(folder, "newer.db");
    const database = openDatabase(path);
    database.exec("PRAGMA user_version = 9");
    database.close();
    expect(() => openDatabase(path)).toThrow(/another version \(9\)/u);
  });
});
