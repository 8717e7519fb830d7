import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  type ApiResponse,
  apiRequest,
  askLegacy,
  creation,
  currentCall,
  lastQuestion,
  legacyCall,
  objectsAt,
} from "../testing/api-client.ts";
import { createGitFixture, type GitFixture } from "../testing/git-fixture.ts";
import { type EffectServer, serveWithEffect } from "../testing/serve-with-effect.ts";
import type { ConversationEffect } from "./conversation-effect.ts";

let fixture: GitFixture;
let server: EffectServer;

beforeAll(() => {
  fixture = createGitFixture({ files: { "a.ts": "needle\n" } });
});

afterAll(() => fixture.remove());

afterEach(() => server.close());

const serve = async (effect: Omit<ConversationEffect, "layer">): Promise<void> => {
  server = await serveWithEffect(fixture.directory, effect);
};

const asOther = (): { readonly authorization: string } => ({ authorization: `token ${server.tokens.other}` });

const finished = async (id: number): Promise<ApiResponse> => {
  server.clock.release();
  await expect.poll(() => server.questionsInProgress()).toBe(0);
  return legacyCall(server, `/${id}`);
};

test("a refused call is admitted, and the journal shows it", async () => {
  await serve({
    admit: (access, call, run) => {
      run.recordChange();
      return call.credential === "none" ? { allowed: true, caller: { userId: 1 } } : access;
    },
  });
  expect((await legacyCall(server, "", { headers: { authorization: undefined } })).status).toBe(200);
  expect((await legacyCall(server, "", { headers: { authorization: "token x" } })).status).toBe(401);
  expect(server.journal().map(({ fault, faultApplied }) => [fault, faultApplied])).toEqual([
    ["own", true],
    ["own", true],
  ]);
});

test("the request is changed, and the call keeps the original", async () => {
  let sent: unknown;
  await serve({
    request: (_json, call) => {
      sent = call.json;
      return { question: "another" };
    },
  });
  const { json } = await legacyCall(server, "", { method: "POST", body: { question: "one" } });
  expect(lastQuestion(json)["question"]).toBe("another");
  expect(sent).toEqual({ question: "one" });
});

test("a list and its page are changed", async () => {
  await serve({
    list: (query) => ({ ...query, sort: "id", viewerId: 1 }),
    page: ({ conversations }) => ({ conversations: [...conversations, ...conversations], next: { id: 1, value: 1 } }),
  });
  const ids = [await askLegacy(server, "one"), await askLegacy(server, "two")];
  const { json } = await legacyCall(server, "", { headers: asOther() });
  expect(objectsAt(json, "conversations").map(({ id }) => id)).toEqual([...ids, ...ids]);
  expect(json["next_cursor"]).toEqual(expect.any(String));
});

describe("the store", () => {
  test("shows hidden conversations, and hides visible ones", async () => {
    await serve({
      store: { isVisible: (isVisible, { userId }, { call }) => (userId === 1 ? !isVisible : call.userId === 0) },
    });
    const id = await askLegacy(server, "one");
    expect((await legacyCall(server, `/${id}`)).status).toBe(404);
    expect((await legacyCall(server, `/${id}`, { headers: asOther() })).json["id"]).toBe(id);
  });

  test("answers as usual and does nothing", async () => {
    await serve({ store: { shouldPerform: () => false } });
    const id = await askLegacy(server, "one");
    const name = `users/~self/conversations/${id}`;
    expect((await currentCall(server, "CancelConversation", { body: { name } })).json["state"]).toEqual({
      processing: {},
    });
    await finished(id);
    const question = { conversation_id: id, question: "two" };
    expect((await legacyCall(server, `/${id}/questions`, { method: "POST", body: question })).status).toBe(202);
    expect((await legacyCall(server, `/${id}`, { method: "DELETE" })).status).toBe(200);
    expect(objectsAt((await finished(id)).json, "questions")).toMatchObject([{ question: "one", status: "completed" }]);
  });

  test("changes the outcome of questions, or never ends them", async () => {
    await serve({
      store: {
        finalOutcome: (_outcome, { text }, run) => {
          run.recordChange();
          return text === "one" ? { kind: "canceled" } : "never";
        },
      },
    });
    const [one, two] = [await askLegacy(server, "one"), await askLegacy(server, "two")];
    expect(lastQuestion((await finished(one)).json)).toMatchObject({ error: { kind: "Cancelled" } });
    expect(lastQuestion((await finished(two)).json)).toMatchObject({ status: "processing" });
    expect(server.journal().map(({ faultApplied }) => faultApplied)).toEqual([true, true, false, false]);
  });
});

describe("an answer", () => {
  test("is changed last, by a fault that remembers earlier answers and created conversations", async () => {
    await serve({
      apply: (answer, call, { memory }) => {
        const key = `${call.interface} ${call.operation} ${call.conversationId ?? "none"}`;
        memory.set("calls", [...[memory.get("calls") ?? []].flat(), key]);
        return { ...answer, json: memory.get("calls") };
      },
    });
    await currentCall(server, "CreateConversation", { body: creation("one") });
    await currentCall(server, "GetConversation", { body: { name: "users/~self/conversations/1" } });
    const { text } = await legacyCall(server, "/1");
    expect(JSON.parse(text)).toEqual(["current create 1", "current get 1", "legacy get 1"]);
  });

  test.each([
    { connection: "reset", says: /ECONNRESET|hang up/u },
    { connection: "cut", says: /aborted/u },
  ] as const)("that ends in $connection does not come", async ({ connection, says }) => {
    await serve({ apply: (answer) => ({ ...answer, connection }) });
    await expect(legacyCall(server, "")).rejects.toThrow(says);
  });

  test("that never comes ends with the client", async () => {
    await serve({ apply: (answer) => ({ ...answer, connection: "silence" }) });
    const leave = new AbortController();
    const headers = { authorization: `token ${server.token}`, "x-requested-with": "test 1.0" };
    const asked = fetch(`${server.url}/.api/deepsearch/v1`, { headers, signal: leave.signal });
    await expect.poll(() => server.journal()).toMatchObject([{ end: "open" }]);
    leave.abort();
    await expect(asked).rejects.toThrow(/abort/u);
    await expect.poll(() => server.journal()).toMatchObject([{ end: "client-left" }]);
  });

  test("is replaced by another one", async () => {
    await serve({ apply: () => ({ status: 200, headers: { "content-type": "text/html" }, text: "<h1>" }) });
    const { headers, text } = await legacyCall(server, "");
    expect([headers["content-type"], headers["content-length"], text]).toEqual(["text/html", "4", "<h1>"]);
  });

  test("of a fault that throws is a server error without details", async () => {
    await serve({
      apply: () => {
        throw new Error("secret");
      },
    });
    const answers = [await legacyCall(server, ""), await currentCall(server, "ListConversationSummaries")];
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [500, "internal server error\n"],
      [500, '{"code":"internal","message":"internal server error"}'],
    ]);
  });
});

test("the OpenAPI document is changed", async () => {
  await serve({ describe: (document) => ({ ...document, paths: {} }) });
  expect((await apiRequest(server.url, { path: "/api-reference/openapi.json" })).json["paths"]).toEqual({});
});
