import { describe, expect, test } from "vitest";
import { nameOf, recordedCall } from "../testing/recorded-calls.ts";
import type { CallSketch } from "../testing/recorded-calls.ts";
import { readCall } from "./conversation-call.ts";
import type { CallResponse, ConversationCall } from "./conversation-call.ts";

const call = (sketch: CallSketch): ConversationCall => readCall(recordedCall(sketch)) ?? expect.fail("no call");

describe("what came back", () => {
  const get = { operation: "get" } as const;
  test.each<{ name: string; sketch: CallSketch; answer: CallResponse }>([
    {
      name: "JSON",
      sketch: { ...get, answer: { id: 1 } },
      answer: { kind: "success", status: 200, json: { id: 1 }, text: '{"id":1}' },
    },
    {
      name: "nothing",
      sketch: { ...get, status: 204 },
      answer: { kind: "success", status: 204, json: undefined, text: "" },
    },
    {
      name: "no JSON",
      sketch: { ...get, answer: "{" },
      answer: { kind: "success", status: 200, json: undefined, text: "{" },
    },
    {
      name: "a refusal",
      sketch: { ...get, status: 404, answer: "no" },
      answer: { kind: "refused", status: 404, text: "no" },
    },
    { name: "too many requests", sketch: { ...get, status: 429 }, answer: { kind: "server-failure", status: 429 } },
    {
      name: "a failure of the server",
      sketch: { ...get, status: 500 },
      answer: { kind: "server-failure", status: 500 },
    },
    { name: "a redirect", sketch: { ...get, status: 302 }, answer: { kind: "not-api", status: 302 } },
    { name: "an interim answer", sketch: { ...get, status: 103 }, answer: { kind: "not-api", status: 103 } },
    {
      name: "a web page by its type",
      sketch: { ...get, answer: "hello", contentType: "text/html; charset=utf-8" },
      answer: { kind: "not-api", status: 200 },
    },
    {
      name: "no byte of the type of web pages",
      sketch: { ...get, status: 204, contentType: "text/html" },
      answer: { kind: "success", status: 204, json: undefined, text: "" },
    },
    {
      name: "JSON that is called a web page",
      sketch: { ...get, answer: "{}", contentType: "text/html; charset=utf-8" },
      answer: { kind: "success", status: 200, json: {}, text: "{}" },
    },
    {
      name: "a web page by its look",
      sketch: { ...get, answer: "\n<!DOCTYPE html>" },
      answer: { kind: "not-api", status: 200 },
    },
    { name: "no answer", sketch: { ...get, status: 0 }, answer: { kind: "none", reason: "no response was received" } },
    {
      name: "half an answer",
      sketch: { ...get, answer: "{", cutBy: "reset" },
      answer: { kind: "none", reason: "reset" },
    },
    {
      name: "an answer whose body was not kept",
      sketch: { ...get, unreadable: "not kept" },
      answer: { kind: "none", reason: "not kept" },
    },
    {
      name: "the status of an answer whose body was not kept",
      sketch: { ...get, status: 503, unreadable: "not kept" },
      answer: { kind: "server-failure", status: 503 },
    },
  ])("is classified: $name", ({ sketch, answer }) => {
    expect(call(sketch).response).toEqual(answer);
  });

  test.each<{ name: string; body: string; isRead: boolean }>([
    { name: "256 arrays in each other", body: "[".repeat(256) + "]".repeat(256), isRead: true },
    { name: "257 arrays in each other", body: "[".repeat(257) + "]".repeat(257), isRead: false },
    { name: "brackets in a text", body: JSON.stringify("[{".repeat(300)), isRead: true },
    { name: "brackets behind an escaped quote", body: JSON.stringify(`"${"[".repeat(300)}`), isRead: true },
    { name: "16 MiB", body: JSON.stringify("x".repeat(16 * 1024 * 1024 - 2)), isRead: true },
    { name: "16 MiB and a byte", body: JSON.stringify("x".repeat(16 * 1024 * 1024 - 1)), isRead: false },
  ])("is read within limits: $name", ({ body, isRead }) => {
    const { response } = call({ operation: "get", answer: body });
    expect(response.kind).toBe(isRead ? "success" : "none");
    expect(response).toMatchObject(isRead ? {} : { isLimit: true });
  });
});

test.each(["stream", "reference"] as const)("an exchange with the interface %s is no call", (name) => {
  const { record, body } = recordedCall({ operation: "get" });
  expect(readCall({ record: { ...record, interface: name }, body })).toBeUndefined();
});

const plain = [["Content-Type", "application/json"]] as const;
const nameless = { name: "conversations/1" };

describe("a request has the form that the document demands", () => {
  test.each<{ name: string; sketch: CallSketch; isGood: boolean }>([
    { name: "legacy: a creation", sketch: { operation: "create" }, isGood: true },
    { name: "legacy: a creation without a client", sketch: { operation: "create", headers: plain }, isGood: false },
    {
      name: "legacy: a client without a version",
      sketch: { operation: "list", headers: [["x-requested-with", "assay"]] },
      isGood: false,
    },
    {
      name: "legacy: a client of two words",
      sketch: { operation: "list", headers: [["x-requested-with", "My Client 1"]] },
      isGood: true,
    },
    {
      name: "legacy: a creation of another type",
      sketch: {
        operation: "create",
        headers: [
          ["X-Requested-With", "a 1"],
          ["Content-Type", "text/plain"],
        ],
      },
      isGood: false,
    },
    { name: "legacy: a creation without a question", sketch: { operation: "create", body: {} }, isGood: false },
    {
      name: "legacy: a creation with an empty question",
      sketch: { operation: "create", question: " " },
      isGood: false,
    },
    { name: "legacy: a creation that is not JSON", sketch: { operation: "create", body: "{" }, isGood: false },
    { name: "legacy: a read", sketch: { operation: "get" }, isGood: true },
    { name: "legacy: a read by a word", sketch: { operation: "get", conversation: "x" }, isGood: false },
    { name: "legacy: a deletion", sketch: { operation: "delete" }, isGood: true },
    { name: "legacy: a follow-up", sketch: { operation: "follow-up" }, isGood: true },
    {
      name: "legacy: a follow-up with another id",
      sketch: { operation: "follow-up", body: { conversation_id: 2, question: "q" } },
      isGood: false,
    },
    {
      name: "legacy: a follow-up with a text for the id",
      sketch: { operation: "follow-up", body: { conversation_id: "1", question: "q" } },
      isGood: false,
    },
    { name: "legacy: a cancellation", sketch: { operation: "cancel" }, isGood: true },
    { name: "legacy: a cancellation of a word", sketch: { operation: "cancel", questionId: "x" }, isGood: false },
    { name: "legacy: a list", sketch: { operation: "list" }, isGood: true },
    {
      name: "legacy: a list with all parameters",
      sketch: {
        operation: "list",
        query: {
          filter_id: "1",
          filter_user_id: "2",
          filter_read_token: "t",
          filter_is_starred: "true",
          page_first: "5",
          page_after: "c",
          sort: "-id",
        },
      },
      isGood: true,
    },
    {
      name: "legacy: a list with another order",
      sketch: { operation: "list", query: { sort: "title" } },
      isGood: false,
    },
    {
      name: "legacy: a list with a parameter nobody documents",
      sketch: { operation: "list", query: { page_last: "1" } },
      isGood: false,
    },
    { name: "legacy: a page of none", sketch: { operation: "list", query: { page_first: "0" } }, isGood: false },
    {
      name: "legacy: stars in words",
      sketch: { operation: "list", query: { filter_is_starred: "yes" } },
      isGood: false,
    },
    { name: "current: a creation", sketch: { interface: "current", operation: "create" }, isGood: true },
    { name: "current: no client", sketch: { interface: "current", operation: "create", headers: plain }, isGood: true },
    {
      name: "current: a flat creation",
      sketch: { interface: "current", operation: "create", body: { question: "q" } },
      isGood: false,
    },
    {
      name: "current: a creation for somebody else",
      sketch: {
        interface: "current",
        operation: "create",
        body: { parent: "users/2", conversation: { questions: [{ input: [{ question: { text: "q" } }] }] } },
      },
      isGood: false,
    },
    { name: "current: a read", sketch: { interface: "current", operation: "get" }, isGood: true },
    {
      name: "current: a read of another name",
      sketch: { interface: "current", operation: "get", body: nameless },
      isGood: false,
    },
    {
      name: "current: a body without a type",
      sketch: { interface: "current", operation: "get", headers: [] },
      isGood: false,
    },
    { name: "current: a list", sketch: { interface: "current", operation: "list" }, isGood: true },
    {
      name: "current: a page of words",
      sketch: { interface: "current", operation: "list", body: { page_size: "many" } },
      isGood: false,
    },
    { name: "current: a follow-up", sketch: { interface: "current", operation: "follow-up" }, isGood: true },
    {
      name: "current: a follow-up of nothing",
      sketch: { interface: "current", operation: "follow-up", body: { parent: nameOf(1) } },
      isGood: false,
    },
    { name: "current: a cancellation", sketch: { interface: "current", operation: "cancel" }, isGood: true },
    {
      name: "current: a deletion of no name",
      sketch: { interface: "current", operation: "delete", body: {} },
      isGood: false,
    },
  ])("$name: $isGood", ({ sketch, isGood }) => {
    expect(call(sketch).request.isWellFormed).toBe(isGood);
  });
});

describe("what was asked for", () => {
  test("is in the path and the body of a legacy request", () => {
    const { request } = call({
      operation: "follow-up",
      conversation: 12,
      body: { conversation_id: 13, question: "why?" },
    });
    expect(request).toMatchObject({
      conversationId: "12",
      bodyConversationId: "13",
      question: "why?",
      hasClientHeader: true,
    });
    expect(call({ operation: "cancel", conversation: 12, questionId: 3 }).request).toMatchObject({
      conversationId: "12",
      questionId: "3",
    });
    expect([...call({ operation: "list", query: { sort: "id" } }).request.parameters]).toEqual([["sort", "id"]]);
  });

  test("is in the body of a request of the current interface", () => {
    const sketch = { interface: "current", operation: "follow-up", conversation: "a-1", question: "why?" } as const;
    expect(call(sketch).request).toMatchObject({
      conversationId: "a-1",
      name: "users/~self/conversations/a-1",
      question: "why?",
    });
    const list = call({
      interface: "current",
      operation: "list",
      body: { page_size: 5, pageToken: "t", parent: "users/~self" },
    });
    expect([...list.request.parameters]).toEqual([
      ["pageSize", "5"],
      ["pageToken", "t"],
      ["parent", "users/~self"],
    ]);
  });

  test("is nothing where the path or the body holds nothing", () => {
    const { record, body } = recordedCall({ operation: "get" });
    const request = { ...record.request, url: "not an address" };
    expect(readCall({ record: { ...record, request }, body })?.request).toMatchObject({ isWellFormed: false });
    expect(call({ operation: "get", conversation: "%" }).request.conversationId).toBe("%");
    expect(call({ interface: "current", operation: "get", body: "[" }).request.conversationId).toBeUndefined();
  });

  test("has no client where the header is empty", () => {
    expect(call({ operation: "list", headers: [["X-Requested-With", " "]] }).request.hasClientHeader).toBe(false);
  });
});
