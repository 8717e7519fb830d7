import { createRunClock } from "@assay/client";
import { describe, expect, test } from "vitest";
import { type CleanUpResult, type CleanUpOptions, cleanUp } from "./clean-up.ts";
import { conversationLimits } from "./conversation-limits.ts";
import type { LedgerEntry } from "./ledger.ts";
import { createRateLimit } from "./rate-limit.ts";
import { type ConversationServer, startConversationServer } from "./testing/conversation-server.ts";
import { senderTo, shortWait, testRun } from "./testing/driven-run.ts";

const marked = `What is it? [assay run=${testRun}]`;

const entry = (fields: Partial<LedgerEntry> = {}): LedgerEntry => ({
  key: "1",
  marker: testRun,
  interface: "legacy",
  credential: "access-token",
  at: new Date().toISOString(),
  state: "open",
  ...fields,
});

const clean = (
  { url }: Pick<ConversationServer, "url">,
  entries: readonly LedgerEntry[],
  options: Partial<CleanUpOptions> = {},
): Promise<CleanUpResult> => {
  const clock = createRunClock();
  let id = 0;
  return cleanUp({
    entries,
    send: senderTo(url, clock),
    nextId: () => String((id += 1)),
    mainCredential: "access-token",
    credentials: new Set(["access-token"]),
    limits: conversationLimits("local"),
    rateLimit: createRateLimit(Number.POSITIVE_INFINITY, clock),
    clock,
    wait: shortWait,
    ...options,
  });
};

describe("cleaning up", () => {
  test("sends nothing if nothing is left", async () => {
    await using server = await startConversationServer();
    const entries = [entry({ id: "11", state: "deleted" }), entry({ state: "nothing" })];
    expect([await clean(server, entries), server.calls]).toEqual([{ deletedNames: [], leftovers: [] }, []]);
  });

  test("deletes conversations with the mark through the interface that created them, and records it in the ledger", async () => {
    await using server = await startConversationServer();
    const ids = [server.plant(marked), server.plant(marked)];
    const keys: string[] = [];
    const end = await clean(
      server,
      [
        entry({ key: "a", id: String(ids[0]) }),
        entry({ key: "b", id: `users/1/conversations/${ids[1]}`, interface: "current" }),
      ],
      { ledger: { recordDeleted: (key) => Promise.resolve(void keys.push(key)) } },
    );
    expect(end).toEqual({
      deletedNames: ["legacy conversation 11", "current conversation users/1/conversations/12"],
      leftovers: [],
    });
    expect([server.conversations.size, keys]).toEqual([0, ["a", "b"]]);
  });

  test.each([
    { name: "without a mark", text: "What is it?" },
    { name: "with the mark of another run", text: "What is it? [assay run=20250101T000000Z-000000]" },
    { name: "with only the id of the run", text: `What is ${testRun}?` },
  ])("leaves a conversation $name", async ({ text }) => {
    await using server = await startConversationServer();
    const id = server.plant(text);
    const end = await clean(server, [entry({ id: String(id) })]);
    expect(end).toEqual({
      deletedNames: [],
      leftovers: [{ label: `legacy conversation ${id}`, reason: expect.stringContaining("mark"), isForeign: true }],
    });
    expect(server.calls.map(({ operation }) => operation)).toEqual(["get"]);
  });

  test("counts a missing conversation as deleted", async () => {
    await using server = await startConversationServer();
    expect(await clean(server, [entry({ id: "99" })])).toEqual({
      deletedNames: ["legacy conversation 99"],
      leftovers: [],
    });
  });

  test("counts a deletion with 404 as done, unless the conversation is still shown", async () => {
    await using server = await startConversationServer({
      before: ({ operation }) => (operation === "delete" ? { status: 404 } : undefined),
    });
    const id = server.plant(marked);
    expect((await clean(server, [entry({ id: String(id) })])).leftovers).toEqual([
      { label: `legacy conversation ${id}`, reason: "its deletion returned status 404, and it still exists" },
    ]);
    let isGone = false;
    await using emptied = await startConversationServer({
      before: ({ operation }) => {
        const isMissing = isGone || operation === "delete";
        isGone = isMissing;
        return isMissing ? { status: 404 } : undefined;
      },
    });
    const gone = emptied.plant(marked);
    expect((await clean(emptied, [entry({ id: String(gone) })])).leftovers).toEqual([]);
  });

  test("cancels a question in progress first", async () => {
    await using server = await startConversationServer({ processingMs: 60_000 });
    const id = server.plant(marked);
    await clean(server, [entry({ id: String(id) })]);
    expect(server.calls.map(({ operation }) => operation)).toEqual(["get", "cancel", "delete", "get"]);
  });

  test("deletes as the main user what a read-only token created", async () => {
    await using server = await startConversationServer();
    const id = server.plant(marked);
    await clean(server, [entry({ id: String(id), credential: "read-token" })]);
    expect(server.conversations.size).toBe(0);
  });

  test("leaves conversations of a user whose token is missing", async () => {
    await using server = await startConversationServer();
    const id = server.plant(marked, "3");
    const end = await clean(server, [
      entry({ id: String(id), credential: "quota-token" }),
      entry({ key: "2", credential: "quota-token" }),
    ]);
    expect(end.leftovers.map(({ reason }) => reason)).toEqual([
      "no quota-token is set, and only its user may delete it",
      "no quota-token is set, and only its user may delete it",
    ]);
    expect(server.calls).toEqual([]);
  });

  test.each([
    { name: "is refused", twist: { status: 403 }, why: "deleting it returned status 403", tries: 1 },
    {
      name: "gets an answer that shows distress",
      twist: { status: 500 },
      why: "deleting it returned status 500",
      tries: 3,
    },
    { name: "is not answered", twist: "reset", why: "deleting it was not answered", tries: 3 },
  ] as const)("reports what remains if the deletion $name", async ({ twist, why, tries }) => {
    await using server = await startConversationServer({
      before: ({ operation }) => (operation === "delete" ? twist : undefined),
    });
    const id = server.plant(marked);
    const end = await clean(server, [entry({ id: String(id) })]);
    expect(end).toEqual({ deletedNames: [], leftovers: [{ label: `legacy conversation ${id}`, reason: why }] });
    expect(server.calls.filter(({ operation }) => operation === "delete")).toHaveLength(tries);
  });

  test("shows ids from a target as visible text", async () => {
    await using server = await startConversationServer({ before: () => ({ status: 403 }) });
    const end = await clean(server, [entry({ id: "x\u001B[2J\u202E", interface: "current" })]);
    expect(end.leftovers[0]?.label).toBe("current conversation x\\x1b[2J\\u{202e}");
  });
});

describe("a creation without an answer", () => {
  test.each(["legacy", "current"] as const)("is found in the %s list among others", async (name) => {
    await using server = await startConversationServer();
    const others = Array.from({ length: 60 }, (_, index) => server.plant(`other ${index}`));
    server.plant(marked);
    const end = await clean(server, [entry({ interface: name })]);
    expect([end.deletedNames.length, end.leftovers, [...server.conversations.keys()]]).toEqual([1, [], others]);
  });

  test("whose conversation appears a little later is still found", async () => {
    let lists = 0;
    await using server = await startConversationServer({
      before: ({ operation }) => {
        lists += operation === "list" ? 1 : 0;
        [() => undefined, () => server.plant(marked)][operation === "list" && lists === 2 ? 1 : 0]?.();
        return undefined;
      },
    });
    const end = await clean(server, [entry()]);
    expect([end.deletedNames.length, server.conversations.size]).toEqual([1, 0]);
  });

  test("that created nothing is not reported", async () => {
    await using server = await startConversationServer();
    const keys: string[] = [];
    const end = await clean(server, [entry()], {
      ledger: { recordDeleted: (key) => Promise.resolve(void keys.push(key)) },
    });
    expect([end, keys]).toEqual([{ deletedNames: [], leftovers: [] }, ["1"]]);
  });

  test("is reported if the list is not available", async () => {
    await using server = await startConversationServer({ before: () => ({ status: 403 }) });
    expect((await clean(server, [entry()])).leftovers).toEqual([
      { label: expect.stringContaining(testRun), reason: "the conversations of the user could not be listed" },
    ]);
  });

  test("is reported if the list never ends", async () => {
    let page = 0;
    await using server = await startConversationServer({
      before: () => ({
        status: 200,
        json: { conversations: [{ id: 1, questions: [{ question: "x" }] }], next: (page += 1) },
      }),
    });
    expect((await clean(server, [entry()])).leftovers[0]?.reason).toBe(
      "only the first 5 conversations of the list were checked",
    );
  });

  test("is not searched for among much older conversations", async () => {
    await using server = await startConversationServer();
    server.plant("other");
    const at = new Date(Date.now() + 3_600_000).toISOString();
    await clean(server, [entry({ interface: "current", at })]);
    expect(server.calls.map(({ operation }) => operation)).not.toContain("get");
  });
});

test("cleaning up ends at its deadline", async () => {
  await using server = await startConversationServer({ before: () => "hang" });
  // Without the deadline it would not end: every call hangs.
  const end = await clean(server, [entry({ id: "11" }), entry({ key: "2", id: "12" })], { deadlineMs: 200 });
  expect(end.leftovers.map(({ reason }) => reason)).toContain("the time for cleaning up was used up");
});

test("cleaning up can be interrupted", async () => {
  const controller = new AbortController();
  await using server = await startConversationServer({
    before: () => {
      controller.abort("SIGINT");
      return undefined;
    },
  });
  const ids = [server.plant(marked), server.plant(marked)];
  const end = await clean(
    server,
    ids.map((id) => entry({ key: String(id), id: String(id) })),
    { signal: controller.signal },
  );
  expect(end.leftovers.map(({ reason }) => reason)).toContain("cleaning up was interrupted");
});
