import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { RunningServer } from "../../server-options.ts";
import { startServer } from "../../start-server.ts";
import {
  apiRequest,
  askLegacy,
  creation,
  currentCall,
  lastQuestion,
  legacyCall,
  objectsAt,
} from "../../testing/api-client.ts";
import { createGitFixture, type GitFixture } from "../../testing/git-fixture.ts";
import { createHeldClock } from "../../testing/held-clock.ts";
import { outputs } from "../../testing/known-outputs.ts";

let fixture: GitFixture;
let server: RunningServer;

beforeAll(async () => {
  fixture = createGitFixture({ files: { "a.ts": "needle\n" } });
  const clock = createHeldClock();
  clock.release();
  server = await startServer({ repos: [fixture.directory], seed: 3, vocabulary: "observed", clock, outputs });
});

afterAll(async () => {
  await server.close();
  fixture.remove();
});

const completed = (name: string): Promise<unknown> =>
  vi.waitFor(
    async () =>
      expect((await currentCall(server, "GetConversation", { body: { name } })).json["state"]).toEqual({
        completed: {},
      }),
    { timeout: 300_000, interval: 10 },
  );

describe("with the observed vocabulary", () => {
  test("members are in snake_case and answers are plain text", async () => {
    const created = await currentCall(server, "CreateConversation", { body: creation("needle?") });
    expect(created.status).toBe(200);
    const name = String(created.json["name"]);
    await completed(name);
    const { json } = await currentCall(server, "GetConversation", { body: { name } });
    expect(json).toMatchObject({
      name,
      create_time: expect.stringMatching(/\.\d{3}Z$/u),
      update_time: expect.any(String),
    });
    expect(lastQuestion(json)["answer"]).toContain("needle");
    const list = await currentCall(server, "ListConversationSummaries", { body: { page_size: 1 } });
    expect(objectsAt(list.json, "conversation_summaries")).toHaveLength(1);
  });

  test("a follow-up is answered with the conversation, in progress", async () => {
    const id = await askLegacy(server, "needle?");
    const parent = `users/~self/conversations/${id}`;
    await completed(parent);
    const question = { input: [{ question: { text: "one" } }, { question: { text: "two" } }] };
    const { json } = await currentCall(server, "AddConversationQuestion", { body: { parent, question } });
    expect(json).toMatchObject({ state: { processing: {} } });
    expect(lastQuestion(json)).toMatchObject({ input: [{ question: { text: "one\ntwo" } }] });
  });

  test("a list without conversations has an empty array", async () => {
    const headers = { authorization: `token ${server.tokens.entitlement}` };
    expect((await currentCall(server, "ListConversationSummaries", { headers })).json).toEqual({
      conversation_summaries: [],
    });
  });
});

test.each(["users/~self", "users/-", "users/1"])(
  "%s names the caller, and answers contain the user id",
  async (user) => {
    const body = { ...creation("needle?"), parent: user };
    const { json } = await currentCall(server, "CreateConversation", { body });
    const name = String(json["name"]);
    expect(name).toMatch(/^users\/1\/conversations\/\d+$/u);
    const asked = name.replace("users/1", user);
    expect((await currentCall(server, "GetConversation", { body: { name: asked } })).json["name"]).toBe(name);
  },
);

test("a conversation of the legacy interface is cancelled and deleted through the current one", async () => {
  const held = await startServer({ repos: [fixture.directory], clock: createHeldClock(), outputs });
  const id = await askLegacy(held, "needle?");
  const body = { name: `users/~self/conversations/${id}` };
  expect((await currentCall(held, "CancelConversation", { body })).json).toMatchObject({ state: { canceled: {} } });
  expect(lastQuestion((await legacyCall(held, `/${id}`)).json)).toMatchObject({
    status: "completed",
    error: { kind: "Cancelled" },
  });
  expect((await currentCall(held, "DeleteConversation", { body })).text).toBe("{}");
  expect((await legacyCall(held, `/${id}`)).status).toBe(404);
  await held.close();
});

describe("a call is refused", () => {
  test.each([
    {
      name: "for an unknown procedure",
      procedure: "DropConversations",
      options: {},
      status: 404,
      code: "unimplemented",
    },
    {
      name: "for a body that is not JSON",
      procedure: "GetConversation",
      options: { body: "{" },
      status: 400,
      code: "invalid_argument",
    },
    {
      name: "for an empty body",
      procedure: "GetConversation",
      options: { body: "" },
      status: 400,
      code: "invalid_argument",
    },
    {
      name: "for an array as body",
      procedure: "GetConversation",
      options: { body: [] },
      status: 400,
      code: "invalid_argument",
    },
    {
      name: "for a creation without a question",
      procedure: "CreateConversation",
      options: { body: creation(" ") },
      status: 400,
      code: "invalid_argument",
    },
    {
      name: "for a flat question",
      procedure: "CreateConversation",
      options: { body: { question: "needle?" } },
      status: 400,
      code: "invalid_argument",
    },
    {
      name: "for an image as input",
      procedure: "CreateConversation",
      options: { body: { conversation: { questions: [{ input: [{ image: { uri: "x" } }] }] } } },
      status: 400,
      code: "invalid_argument",
    },
    {
      name: "for two questions at once",
      procedure: "CreateConversation",
      options: { body: { conversation: { questions: [{}, {}] } } },
      status: 400,
      code: "invalid_argument",
    },
    {
      name: "for a follow-up without a question",
      procedure: "AddConversationQuestion",
      options: { body: { parent: "users/~self/conversations/1" } },
      status: 400,
      code: "invalid_argument",
    },
    {
      name: "for a name that is a number",
      procedure: "GetConversation",
      options: { body: { name: 1 } },
      status: 400,
      code: "invalid_argument",
    },
    {
      name: "for an id that is not a number",
      procedure: "GetConversation",
      options: { body: { name: "users/~self/conversations/x" } },
      status: 404,
      code: "not_found",
    },
    {
      name: "for another user's name",
      procedure: "GetConversation",
      options: { body: { name: "users/2/conversations/1" } },
      status: 404,
      code: "not_found",
    },
    {
      name: "for a page size below 0",
      procedure: "ListConversationSummaries",
      options: { body: { pageSize: -1 } },
      status: 400,
      code: "invalid_argument",
    },
    {
      name: "for a page size that is a list",
      procedure: "ListConversationSummaries",
      options: { body: { pageSize: [1] } },
      status: 400,
      code: "invalid_argument",
    },
    {
      name: "for a request that is a list",
      procedure: "ListConversationSummaries",
      options: { body: [null] },
      status: 400,
      code: "invalid_argument",
    },
    {
      name: "for a page size in both spellings",
      procedure: "ListConversationSummaries",
      options: { body: { pageSize: 1, page_size: [1] } },
      status: 400,
      code: "invalid_argument",
    },
    {
      name: "for a page token in both spellings, one of them null",
      procedure: "ListConversationSummaries",
      options: { body: { pageToken: null, page_token: "" } },
      status: 400,
      code: "invalid_argument",
    },
    {
      name: "for a filter of nothing",
      procedure: "ListConversationSummaries",
      options: { body: { filters: [{}] } },
      status: 400,
      code: "invalid_argument",
    },
    {
      name: "for filters that are not a list",
      procedure: "ListConversationSummaries",
      options: { body: { filters: "x" } },
      status: 400,
      code: "invalid_argument",
    },
    {
      name: "for another version of the protocol",
      procedure: "ListConversationSummaries",
      options: { headers: { "connect-protocol-version": "2" } },
      status: 400,
      code: "invalid_argument",
    },
  ])("$name", async ({ code, options, procedure, status }) => {
    const answer = await currentCall(server, procedure, options);
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual({ code, message: expect.stringMatching(/\w{3}/u) });
  });

  test.each([
    { name: "by GET", method: "GET", body: undefined, headers: {}, status: 405 },
    {
      name: "with another type of body",
      method: "POST",
      body: {},
      headers: { "content-type": "application/proto" },
      status: 415,
    },
    { name: "with a compressed body", method: "POST", body: {}, headers: { "content-encoding": "gzip" }, status: 415 },
  ])("$name", async ({ body, headers, method, status }) => {
    expect((await currentCall(server, "GetConversation", { method, headers, body })).status).toBe(status);
  });

  test("below the path of the service if the procedure is unknown", async () => {
    expect((await apiRequest(server.url, { path: "/api/deepsearch.v1.Service", method: "POST" })).status).toBe(404);
    expect((await apiRequest(server.url, { path: "/api/deepsearch.v1.Service/", method: "POST" })).status).toBe(404);
  });
});

test.each([
  { pageSize: 0, count: 3 },
  { pageSize: "2", count: 2 },
  { pageSize: null, count: 3 },
  { pageSize: 100_000, count: 3 },
])("a page size of $pageSize lists $count", async ({ count, pageSize }) => {
  const own = await startServer({ repos: [fixture.directory], outputs });
  await Promise.all(["a", "b", "c"].map((question) => askLegacy(own, question)));
  const list = await currentCall(own, "ListConversationSummaries", { body: { pageSize } });
  expect(objectsAt(list.json, "conversationSummaries")).toHaveLength(count);
  await own.close();
});
