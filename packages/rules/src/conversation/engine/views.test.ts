import { describe, expect, test } from "vitest";
import { asksFor, nameOf, recordedCall } from "../testing/recorded-calls.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";
import {
  completedQuestion,
  completedConversation,
  processingQuestion,
  retrievedConversation,
  processingConversation,
} from "../testing/sample-conversations.ts";
import { readCall } from "./conversation-call.ts";
import type { ConversationCall } from "./conversation-call.ts";
import { conversationView, questionView } from "./conversation-view.ts";
import { listView } from "./list-view.ts";

const call = (sketch: CallSketch): ConversationCall => readCall(recordedCall(sketch)) ?? expect.fail("no call");
const current = (operation: CallSketch["operation"], answer: unknown): ConversationCall =>
  call({ interface: "current", operation, answer });
const legacy = (operation: CallSketch["operation"], answer: unknown): ConversationCall => call({ operation, answer });

describe("a view of a conversation", () => {
  test.each<{ name: string; seen: ConversationCall; state: string | undefined }>([
    { name: "legacy", seen: legacy("get", retrievedConversation([completedQuestion()])), state: undefined },
    { name: "current", seen: current("get", completedConversation()), state: "completed" },
  ])("has the same members for both interfaces: $name", ({ seen, state }) => {
    const view = conversationView(seen);
    expect(view).toMatchObject({
      id: "1",
      questions: [{ text: "words", answer: "Here." }],
      createdAt: "2026-01-05T10:00:00Z",
    });
    expect(view?.state).toBe(state);
  });

  test("leaves out members of other types", () => {
    const view = conversationView(legacy("get", { id: 1.5, questions: [{ id: {}, status: 1, created_at: 2 }] }));
    expect(view).toMatchObject({ questions: [{ pointer: "/questions/0" }], pointer: "" });
    expect(Object.keys(view ?? {})).toEqual(["questions", "json", "pointer"]);
    expect(Object.keys(view?.questions[0] ?? {})).toEqual(["facts", "json", "pointer"]);
  });

  test("reads members with underscores too", () => {
    const view = conversationView(current("get", { name: nameOf("x"), create_time: "a", update_time: "b" }));
    expect(view).toMatchObject({ id: "x", createdAt: "a", updatedAt: "b" });
  });

  test.each<{ name: string; json: object; state: string | undefined }>([
    { name: "one key", json: { state: { error: {} } }, state: "error" },
    { name: "two keys", json: { state: { error: {}, completed: {} } }, state: undefined },
    { name: "no key", json: { state: {} }, state: undefined },
    { name: "a text", json: { state: "error" }, state: undefined },
  ])("has the state of $name", ({ json, state }) => {
    expect(conversationView(current("get", json))?.state).toBe(state);
  });

  test.each<{ name: string; call: ConversationCall; what: readonly [boolean, boolean] }>([
    {
      name: "a follow-up that answers the conversation",
      call: legacy("follow-up", retrievedConversation([])),
      what: [true, false],
    },
    {
      name: "a follow-up that answers the question",
      call: legacy("follow-up", processingQuestion()),
      what: [false, true],
    },
    {
      name: "a follow-up that answers the question in a wrapper",
      call: legacy("follow-up", { question: processingQuestion() }),
      what: [false, true],
    },
    { name: "a follow-up that answers nothing", call: legacy("follow-up", {}), what: [false, false] },
    {
      name: "a cancellation that answers the conversation",
      call: current("cancel", processingConversation()),
      what: [true, false],
    },
    {
      name: "a follow-up that answers the question, currently",
      call: current("follow-up", asksFor("q")),
      what: [false, true],
    },
    {
      name: "a cancellation that answers a receipt",
      call: legacy("cancel", { status: "accepted" }),
      what: [false, false],
    },
    {
      name: "a cancellation that answers a receipt with the id",
      call: legacy("cancel", { id: 11, status: "accepted", share_url: "/x" }),
      what: [false, false],
    },
    {
      name: "a cancellation that answers the question",
      call: legacy("cancel", processingQuestion({ id: 11, conversation_id: 1 })),
      what: [false, true],
    },
    {
      name: "a cancellation that answers another conversation",
      call: legacy("cancel", { ...retrievedConversation([]), id: 2 }),
      what: [false, false],
    },
    {
      name: "a cancellation that answers a job",
      call: current("cancel", { name: "users/7/conversations/1/jobs/2", state: {} }),
      what: [false, false],
    },
    {
      name: "a follow-up that answers the name of its question, currently",
      call: current("follow-up", { name: "users/7/conversations/1/questions/7", state: { processing: {} } }),
      what: [false, false],
    },
    {
      name: "a conversation in a wrapper",
      call: current("get", { conversation: completedConversation() }),
      what: [true, false],
    },
    { name: "an array", call: current("get", []), what: [false, false] },
    { name: "a deletion", call: legacy("delete", retrievedConversation([])), what: [false, false] },
    {
      name: "a refusal",
      call: call({ operation: "get", status: 404, answer: retrievedConversation([]) }),
      what: [false, false],
    },
  ])("tells conversations from questions: $name", ({ call: seen, what }) => {
    expect([conversationView(seen) !== undefined, questionView(seen) !== undefined]).toEqual(what);
  });
});

describe("facts of a question", () => {
  test.each<{ name: string; question: object; facts: readonly string[] }>([
    { name: "processing", question: processingQuestion(), facts: ["stats"] },
    {
      name: "completed",
      question: completedQuestion(),
      facts: ["answer", "title", "sources", "stats", "stats-not-zero", "followups"],
    },
    { name: "failed", question: processingQuestion({ error: {} }), facts: ["stats", "error"] },
    { name: "empty", question: { answer: "", title: null, error: null }, facts: [] },
  ])("are what a $name one has", ({ question, facts }) => {
    expect([
      ...(conversationView(legacy("get", retrievedConversation([question])))?.questions[0]?.facts ?? []),
    ]).toEqual(facts);
  });

  test.each<{ answer: unknown; text: string | undefined; isThere: boolean }>([
    { answer: "a", text: "a", isThere: true },
    { answer: "", text: "", isThere: false },
    { answer: [{ markdown: { text: "a" } }, { markdown: { text: "b" } }], text: "ab", isThere: true },
    { answer: [{ table: {} }], text: undefined, isThere: true },
    { answer: [{ markdown: { text: "" } }], text: "", isThere: false },
    { answer: [], text: undefined, isThere: false },
    { answer: null, text: undefined, isThere: false },
  ])("say whether $answer is an answer", ({ answer, text, isThere }) => {
    const [question] = conversationView(current("get", { questions: [{ answer }] }))?.questions ?? [];
    expect([question?.answer, question?.facts.has("answer")]).toEqual([text, isThere]);
  });
});

describe("a view of a list", () => {
  test.each<{
    name: string;
    call: ConversationCall;
    ids: readonly unknown[] | undefined;
    cursor?: string;
    envelope?: string;
  }>([
    { name: "an array", call: legacy("list", [{ id: 1 }, { id: 2 }]), ids: ["1", "2"] },
    {
      name: "an envelope",
      call: legacy("list", { conversations: [{ id: 1 }], next_cursor: "c" }),
      ids: ["1"],
      cursor: "c",
      envelope: "conversations",
    },
    {
      name: "page info",
      call: legacy("list", { items: [], page_info: { end_cursor: "c", has_next_page: true } }),
      ids: [],
      cursor: "c",
      envelope: "items",
    },
    {
      name: "page info of the last page",
      call: legacy("list", { items: [], page_info: { end_cursor: "c", has_next_page: false } }),
      ids: [],
      envelope: "items",
    },
    { name: "entries that are none", call: legacy("list", [1, null, { id: "x" }]), ids: ["x"] },
    { name: "no list", call: legacy("list", { id: 1 }), ids: undefined },
    {
      name: "summaries",
      call: current("list", { conversationSummaries: [{ name: nameOf(4) }], nextPageToken: "t" }),
      ids: ["4"],
      cursor: "t",
      envelope: "conversationSummaries",
    },
    {
      name: "summaries with underscores",
      call: current("list", { conversation_summaries: [], next_page_token: "" }),
      ids: [],
      envelope: "conversation_summaries",
    },
    { name: "an empty object", call: current("list", {}), ids: [] },
    { name: "an empty object, legacy", call: legacy("list", {}), ids: [] },
    { name: "nothing under a name of its own", call: legacy("list", { nodes: null, next: "" }), ids: [] },
    { name: "nothing of which there is more", call: legacy("list", { nodes: [], next: "c" }), ids: [], cursor: "c" },
    { name: "another operation", call: legacy("get", [{ id: 1 }]), ids: undefined },
  ])("is found in $name", ({ call: seen, ids, cursor, envelope }) => {
    const view = listView(seen);
    expect([view?.entries.map(({ id }) => id), view?.cursor, view?.envelope]).toEqual([ids, cursor, envelope]);
  });

  test("has the place of each entry", () => {
    expect(listView(legacy("list", { data: [{}, {}] }))?.entries.map(({ pointer }) => pointer)).toEqual([
      "/data/0",
      "/data/1",
    ]);
  });
});
