import { fromJson, type JsonObject, toJson } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { RunningServer } from "../../server-options.ts";
import { startServer } from "../../start-server.ts";
import { isPayloadObject, type PayloadObject } from "../payload.ts";
import { creation, lastQuestion, legacyCall, objectsAt } from "../../testing/api-client.ts";
import { deepsearchMethod } from "../../testing/deepsearch-descriptor.ts";
import { createGitFixture, type GitFixture } from "../../testing/git-fixture.ts";
import { createHeldClock } from "../../testing/held-clock.ts";
import { outputs } from "../../testing/known-outputs.ts";

let fixture: GitFixture;
let server: RunningServer;
let held: RunningServer;

beforeAll(async () => {
  fixture = createGitFixture({ files: { "a.ts": "export function needle() {}\nneedle();\n" } });
  const clock = createHeldClock();
  clock.release();
  server = await startServer({ repos: [fixture.directory], seed: 3, clock, outputs });
  held = await startServer({ repos: [fixture.directory], seed: 3, clock: createHeldClock(), outputs });
});

afterAll(async () => {
  await Promise.all([server.close(), held.close()]);
  fixture.remove();
});

/** A call by the generic client. Unknown members in the answer are errors. */
const call = async (
  name: string,
  request: JsonObject,
  { on = server, token = on.token }: { readonly on?: RunningServer; readonly token?: string } = {},
): Promise<PayloadObject> => {
  const transport = createConnectTransport({
    baseUrl: `${on.url}/api`,
    httpVersion: "1.1",
    useBinaryFormat: false,
    jsonOptions: { ignoreUnknownFields: false },
  });
  const method = deepsearchMethod(name);
  const headers = { authorization: `token ${token}` };
  const input = fromJson(method.input, request);
  const { message } = await transport.unary(method, undefined, 5000, headers, input);
  const json = toJson(method.output, message);
  return isPayloadObject(json) ? json : {};
};

const completed = async (name: string): Promise<PayloadObject> => {
  await vi.waitFor(async () => expect((await call("GetConversation", { name }))["state"]).toEqual({ completed: {} }), {
    timeout: 300_000,
    interval: 10,
  });
  return call("GetConversation", { name });
};

const codeOf = async (calling: Promise<unknown>): Promise<Code | undefined> =>
  calling.then(
    () => undefined,
    (error: unknown) => (error instanceof ConnectError ? error.code : undefined),
  );

test("a conversation goes from creation to its end, and the legacy interface shows the same", async () => {
  const created = await call("CreateConversation", creation("Where is needle used?"));
  expect(created).toMatchObject({
    name: expect.stringMatching(/^users\/1\/conversations\/\d+$/u),
    state: { processing: {} },
  });
  const name = String(created["name"]);
  const conversation = await completed(name);
  const id = name.split("/").at(-1) ?? "";
  const legacy = (await legacyCall(server, `/${id}`)).json;
  expect(conversation).toEqual({
    name,
    state: { completed: {} },
    title: "Where is needle used",
    createTime: legacy["created_at"],
    updateTime: legacy["updated_at"],
    url: legacy["share_url"],
    questions: [
      {
        input: [{ question: { text: "Where is needle used?" } }],
        answer: [{ markdown: { text: lastQuestion(legacy)["answer"] } }],
        createTime: lastQuestion(legacy)["created_at"],
      },
    ],
  });
  expect(String(conversation["createTime"])).toMatch(/:\d\dZ$/u);
});

test("a follow-up reopens the conversation and is answered with the question", async () => {
  const name = String((await call("CreateConversation", creation("needle?")))["name"]);
  await completed(name);
  const question = { input: [{ question: { text: "And where else?" } }] };
  expect(await call("AddConversationQuestion", { parent: name, question })).toMatchObject(question);
  expect(objectsAt(await completed(name), "questions")).toHaveLength(2);
});

test("a cancelled conversation stays cancelled, and its work stops", async () => {
  const name = String((await call("CreateConversation", creation("needle?"), { on: held }))["name"]);
  const question = { input: [{ question: { text: "too early" } }] };
  expect(await codeOf(call("AddConversationQuestion", { parent: name, question }, { on: held }))).toBe(
    Code.FailedPrecondition,
  );
  expect(await call("CancelConversation", { name }, { on: held })).toMatchObject({ name, state: { canceled: {} } });
  await expect.poll(() => held.questionsInProgress()).toBe(0);
  expect(await call("GetConversation", { name }, { on: held })).toMatchObject({ state: { canceled: {} } });
  expect(await codeOf(call("CancelConversation", { name }, { on: held }))).toBe(Code.FailedPrecondition);
});

test("a deleted conversation is not found", async () => {
  const name = String((await call("CreateConversation", creation("needle?")))["name"]);
  expect(await call("DeleteConversation", { name })).toEqual({});
  expect(await codeOf(call("GetConversation", { name }))).toBe(Code.NotFound);
  expect(await codeOf(call("DeleteConversation", { name }))).toBe(Code.NotFound);
});

test("summaries are listed page by page, newest update first, and filtered", async () => {
  const token = server.tokens.other;
  const names: string[] = [];
  for (const text of ["first alpha", "second beta", "third alpha"]) {
    names.push(String((await call("CreateConversation", creation(text), { token }))["name"]));
    await expect.poll(() => server.questionsInProgress()).toBe(0);
  }
  const list = (request: JsonObject): Promise<PayloadObject> =>
    call("ListConversationSummaries", { parent: "users/~self", ...request }, { token });
  const namesIn = (page: PayloadObject): readonly unknown[] =>
    objectsAt(page, "conversationSummaries").map(({ name }) => name);
  const first = await list({ pageSize: 2 });
  const second = await list({ pageSize: 2, pageToken: String(first["nextPageToken"]) });
  expect([...namesIn(first), ...namesIn(second)]).toEqual(names.toReversed());
  expect(second).not.toHaveProperty("nextPageToken");
  expect(namesIn(await list({ filters: [{ contentQuery: "ALPHA" }] }))).toEqual([names[2], names[0]]);
  server.star(Number(names[1]?.split("/").at(-1)));
  expect(namesIn(await list({ filters: [{ starred: true }] }))).toEqual([names[1]]);
  expect(namesIn(await list({ filters: [{ starred: false }, { contentQuery: "third" }] }))).toEqual([names[2]]);
  expect(await list({ filters: [{ contentQuery: "nowhere" }] })).toEqual({});
});

test.each([
  { token: "quota", code: "ERROR_QUOTA_EXCEEDED", retry: "2024-02-01T00:00:00Z" },
  { token: "entitlement", code: "ERROR_ENTITLEMENT_EXCEEDED", retry: expect.stringMatching(/:00:00Z$/u) },
] as const)("questions of the user $token end in $code with the time to retry", async ({ code, retry, token }) => {
  const { name } = await call("CreateConversation", creation("needle?"), { token: server.tokens[token] });
  await expect.poll(() => server.questionsInProgress()).toBe(0);
  const { state } = await call("GetConversation", { name: String(name) }, { token: server.tokens[token] });
  expect(state).toEqual({ error: { code, message: expect.any(String), retryTime: retry } });
});

test("a question that is too long ends in an error that may be retried at once", async () => {
  const { name } = await call("CreateConversation", creation("n".repeat(20_001)));
  await expect.poll(() => server.questionsInProgress()).toBe(0);
  const { state } = await call("GetConversation", { name: String(name) });
  const retryTime = expect.stringMatching(/Z$/u);
  expect(state).toEqual({ error: { code: "ERROR_TOKEN_LIMIT_EXCEEDED", message: expect.any(String), retryTime } });
});

test.each([
  { name: "without a question", procedure: "CreateConversation", request: {}, code: Code.InvalidArgument },
  {
    name: "for an unknown conversation",
    procedure: "GetConversation",
    request: { name: "users/~self/conversations/9999" },
    code: Code.NotFound,
  },
  {
    name: "for another user's parent",
    procedure: "ListConversationSummaries",
    request: { parent: "users/2" },
    code: Code.NotFound,
  },
  {
    name: "for a name of another form",
    procedure: "GetConversation",
    request: { name: "conversations/1" },
    code: Code.InvalidArgument,
  },
  {
    name: "for a page token that nobody gave",
    procedure: "ListConversationSummaries",
    request: { pageToken: "x" },
    code: Code.InvalidArgument,
  },
])("a call $name fails with its code", async ({ code, procedure, request }) => {
  expect(await codeOf(call(procedure, request))).toBe(code);
});

test("a call without a valid token fails as unauthenticated, one without the scope as permission denied", async () => {
  expect(await codeOf(call("ListConversationSummaries", {}, { token: "sgp_nobody" }))).toBe(Code.Unauthenticated);
  expect(await codeOf(call("ListConversationSummaries", {}, { token: server.tokens.noScope }))).toBe(
    Code.PermissionDenied,
  );
});
