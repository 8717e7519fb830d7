import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { sortOrders } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { RunningServer } from "../../server-options.ts";
import { startServer } from "../../start-server.ts";
import {
  type ApiResponse,
  askLegacy,
  currentCall,
  lastQuestion,
  legacyCall,
  objectsAt,
} from "../../testing/api-client.ts";
import { createGitFixture, type GitFixture } from "../../testing/git-fixture.ts";
import { createHeldClock, type HeldClock } from "../../testing/held-clock.ts";
import { outputs } from "../../testing/known-outputs.ts";

let fixture: GitFixture;
let clock: HeldClock;
let server: RunningServer;
/** A server whose questions stay in progress until they are cancelled. */
let held: RunningServer;

const start = (options: { readonly clock?: HeldClock; readonly sharing?: boolean }): Promise<RunningServer> =>
  startServer({ repos: [fixture.directory], seed: 3, vocabulary: "observed", outputs, ...options });

beforeAll(async () => {
  fixture = createGitFixture({
    files: { "a.ts": "export function needle() {}\nneedle();\n" },
    remote: "https://example.org/team/sample.git",
  });
  clock = createHeldClock();
  clock.release();
  server = await start({ clock });
  held = await start({ clock: createHeldClock() });
});

afterAll(async () => {
  await Promise.all([server.close(), held.close()]);
  fixture.remove();
});

const get = (id: number, on = server): Promise<ApiResponse> => legacyCall(on, `/${id}`);

const completed = async (id: number, on = server): Promise<ApiResponse> => {
  await vi.waitFor(async () => expect(lastQuestion((await get(id, on)).json)["status"]).toBe("completed"), {
    timeout: 300_000,
    interval: 10,
  });
  return get(id, on);
};

const idsOf = ({ json }: ApiResponse): readonly unknown[] => objectsAt(json, "conversations").map(({ id }) => id);

const zeroStats = {
  time_millis: 0,
  tool_calls: 0,
  total_input_tokens: 0,
  cached_tokens: 0,
  cache_creation_input_tokens: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  total_tokens: 0,
  credits: 0,
};

const timestampForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u;

describe("a conversation", () => {
  test("is created with its question in progress", async () => {
    const question = "Where is needle used? [assay run=1]";
    const { json, status } = await legacyCall(held, "", { method: "POST", body: { question } });
    expect(status).toBe(202);
    expect(json).toEqual({
      id: expect.any(Number),
      questions: [
        {
          id: expect.any(Number),
          conversation_id: json["id"],
          question,
          created_at: expect.stringMatching(timestampForm),
          updated_at: expect.stringMatching(timestampForm),
          status: "processing",
          turns: [{ reasoning: question, timestamp: expect.any(Number), role: "user" }],
          stats: zeroStats,
          suggested_followups: null,
        },
      ],
      created_at: expect.stringMatching(timestampForm),
      updated_at: expect.stringMatching(timestampForm),
      user_id: 1,
      read_token: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/u),
      share_url: `${held.url}/deepsearch/${String(json["read_token"])}`,
    });
  });

  test("is completed with everything that a finished question has", async () => {
    const { json } = await completed(await askLegacy(server, "Where is needle used?"));
    expect(json).toMatchObject({
      viewer: { is_owner: true },
      quota_usage: { total_quota: expect.any(Number), quota_limit: -1, reset_time: "2024-02-01T00:00:00.000Z" },
    });
    const question = lastQuestion(json);
    expect(question).toMatchObject({
      status: "completed",
      title: "Where is needle used",
      answer: expect.stringContaining(`/example.org/team/sample@${fixture.commit}/-/blob/a.ts?L1`),
      sources: [{ type: "Repository", link: "/example.org/team/sample", label: "example.org/team/sample" }],
      suggested_followups: expect.arrayContaining([expect.any(String)]),
    });
    expect(question["stats"]).toMatchObject({ tool_calls: 2, credits: 1, cached_tokens: 0 });
    expect(Object.keys(question)).not.toEqual(expect.arrayContaining(["turns"]));
    expect(Object.keys(question)).not.toEqual(expect.arrayContaining(["error"]));
  });

  test("accepts follow-up questions when the last one is finished", async () => {
    const id = await askLegacy(server, "needle?");
    await completed(id);
    const body = { conversation_id: id, question: "And where else?" };
    const added = await legacyCall(server, `/${id}/questions`, { method: "POST", body });
    expect(added.status).toBe(202);
    expect(objectsAt(added.json, "questions").map(({ question, status }) => [question, status])).toEqual([
      ["needle?", "completed"],
      ["And where else?", "processing"],
    ]);
    expect(objectsAt((await completed(id)).json, "questions")).toHaveLength(2);
  });

  test("shows one of its questions alone", async () => {
    const id = await askLegacy(server, "needle?");
    const question = lastQuestion((await completed(id)).json);
    expect((await legacyCall(server, `/${id}/questions/${String(question["id"])}`)).json).toEqual(question);
    expect((await legacyCall(server, `/${id}/questions/999999`)).status).toBe(404);
  });

  test("is removed with its work when it is deleted", async () => {
    const id = await askLegacy(held, "needle?");
    const running = held.questionsInProgress();
    const count = held.conversationCount();
    const deleted = await legacyCall(held, `/${id}`, { method: "DELETE" });
    expect([deleted.status, deleted.text]).toEqual([200, "{}"]);
    expect((await get(id, held)).status).toBe(404);
    expect((await legacyCall(held, `/${id}`, { method: "DELETE" })).status).toBe(404);
    expect(held.conversationCount()).toBe(count - 1);
    await expect.poll(() => held.questionsInProgress()).toBe(running - 1);
  });

  test("completes a cancelled question with the error Cancelled", async () => {
    const id = await askLegacy(held, "needle?");
    const path = `/${id}/questions/${String(lastQuestion((await get(id, held)).json)["id"])}`;
    const cancelled = await legacyCall(held, `${path}/cancel`, { method: "POST" });
    expect(cancelled.status).toBe(200);
    expect(cancelled.json).toMatchObject({ status: "completed", stats: zeroStats, error: { kind: "Cancelled" } });
    expect(lastQuestion((await get(id, held)).json)).toEqual(cancelled.json);
    expect((await legacyCall(held, `${path}/cancel`, { method: "POST" })).status).toBe(400);
  });
});

describe("a request is refused", () => {
  test.each([
    { name: "for an unknown conversation", path: "/999999999999", options: {}, status: 404 },
    { name: "for an id beyond all numbers", path: `/${"9".repeat(300)}`, options: {}, status: 404 },
    { name: "for an id that is not a number", path: "/abc", options: {}, status: 404 },
    { name: "for an id with zeros in front", path: "/01", options: {}, status: 404 },
    { name: "for a delete of nothing", path: "/99999", options: { method: "DELETE" }, status: 404 },
    {
      name: "for a follow-up to nothing",
      path: "/99999/questions",
      options: { method: "POST", body: { conversation_id: 99999, question: "q" } },
      status: 404,
    },
    { name: "for a cancel of nothing", path: "/99999/questions/1/cancel", options: { method: "POST" }, status: 404 },
    { name: "without a question", path: "", options: { method: "POST", body: {} }, status: 400 },
    { name: "with an empty question", path: "", options: { method: "POST", body: { question: "  " } }, status: 400 },
    { name: "with a number as question", path: "", options: { method: "POST", body: { question: 7 } }, status: 400 },
    { name: "with an array as body", path: "", options: { method: "POST", body: ["question"] }, status: 400 },
    { name: "with a body that is not JSON", path: "", options: { method: "POST", body: "{question" }, status: 400 },
    { name: "without a body", path: "", options: { method: "POST" }, status: 400 },
    {
      name: "with a body of another type",
      path: "",
      options: { method: "POST", body: "question=x", headers: { "content-type": "application/x-www-form-urlencoded" } },
      status: 415,
    },
    { name: "for a path that does not exist", path: "/1/answers", options: {}, status: 404 },
    { name: "for a slash at the end", path: "/", options: {}, status: 404 },
    { name: "with another method", path: "", options: { method: "PUT" }, status: 405 },
    { name: "for filter_id=x", path: "?filter_id=x", options: {}, status: 400 },
    { name: "for filter_user_id=-1", path: "?filter_user_id=-1", options: {}, status: 400 },
    { name: "for filter_is_starred=yes", path: "?filter_is_starred=yes", options: {}, status: 400 },
    { name: "for page_first=0", path: "?page_first=0", options: {}, status: 400 },
    { name: "for page_after that is no cursor", path: "?page_after=../../x", options: {}, status: 400 },
    { name: "for an unknown order", path: "?sort=name", options: {}, status: 400 },
  ])("$name", async ({ options, path, status }) => {
    const answer = await legacyCall(server, path, options);
    expect(answer.status).toBe(status);
    expect(answer.headers["content-type"]).toMatch(/^text\/plain/u);
    expect(answer.text).toMatch(/^[\w ,./:>-]{8,}\n$/u);
  });

  test("when the conversation_id of a follow-up is wrong or missing", async () => {
    const id = await askLegacy(server, "needle?");
    await completed(id);
    const bodies = [
      { conversation_id: id + 1, question: "q" },
      { conversation_id: String(id), question: "q" },
      { question: "q" },
    ];
    const answers = await Promise.all(
      bodies.map((body) => legacyCall(server, `/${id}/questions`, { method: "POST", body })),
    );
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(objectsAt((await get(id)).json, "questions")).toHaveLength(1);
  });

  test("when a question is still being answered", async () => {
    const id = await askLegacy(held, "needle?");
    const body = { conversation_id: id, question: "more" };
    expect((await legacyCall(held, `/${id}/questions`, { method: "POST", body })).status).toBe(400);
  });
});

describe("a question fails", () => {
  test.each([
    {
      name: "of a user without quota",
      token: "quota",
      question: "needle",
      kind: "RateLimitExceeded",
      code: "ERROR_QUOTA_EXCEEDED",
    },
    {
      name: "of a user without entitlement",
      token: "entitlement",
      question: "needle",
      kind: "RateLimitExceeded",
      code: "ERROR_ENTITLEMENT_EXCEEDED",
    },
    {
      name: "that is too long",
      token: "access",
      question: "n".repeat(20_001),
      kind: "TokenLimitExceeded",
      code: "ERROR_TOKEN_LIMIT_EXCEEDED",
    },
  ] as const)("$name, in both interfaces", async ({ code, kind, question, token }) => {
    const headers = { authorization: `token ${server.tokens[token]}` };
    const id = await askLegacy(server, question, server.tokens[token]);
    await expect
      .poll(async () => lastQuestion((await legacyCall(server, `/${id}`, { headers })).json)["status"])
      .toBe("completed");
    const { error } = lastQuestion((await legacyCall(server, `/${id}`, { headers })).json);
    expect(error).toEqual({
      kind,
      title: expect.any(String),
      message: expect.any(String),
      details: expect.any(String),
    });
    const { json } = await currentCall(server, "GetConversation", {
      headers,
      body: { name: `users/-/conversations/${id}` },
    });
    expect(json["state"]).toEqual({
      error: { code, message: expect.any(String), retry_time: expect.stringMatching(timestampForm) },
    });
  });

  test("but not with 20,000 characters", async () => {
    const { json } = await completed(await askLegacy(server, "n".repeat(20_000)));
    expect(Object.keys(lastQuestion(json))).not.toEqual(expect.arrayContaining(["error"]));
  });
});

describe("a list", () => {
  let lister: RunningServer;
  const asked = ["first", "second", "third", "fourth", "fifth"];

  beforeAll(async () => {
    const listClock = createHeldClock();
    listClock.release();
    lister = await start({ clock: listClock });
    for (const question of asked) {
      await completed(await askLegacy(lister, question), lister);
    }
    await askLegacy(lister, "of somebody else", lister.tokens.other);
    const body = { conversation_id: 2, question: "again" };
    await legacyCall(lister, "/2/questions", { method: "POST", body });
    await completed(2, lister);
    lister.star(4);
  });

  afterAll(() => lister.close());

  const list = (query: string): Promise<ApiResponse> => legacyCall(lister, `?${query}`);
  const tokenOf = async (id: number): Promise<string> => String((await get(id, lister)).json["read_token"]);

  test.each([
    { query: "", ids: [2, 5, 4, 3, 1] },
    { query: "sort=-updated_at", ids: [2, 5, 4, 3, 1] },
    { query: "sort=updated_at", ids: [1, 3, 4, 5, 2] },
    { query: "sort=id", ids: [1, 2, 3, 4, 5] },
    { query: "sort=-id", ids: [5, 4, 3, 2, 1] },
    { query: "sort=created_at", ids: [1, 2, 3, 4, 5] },
    { query: "sort=-created_at", ids: [5, 4, 3, 2, 1] },
    { query: "filter_id=3", ids: [3] },
    { query: "filter_id=6", ids: [] },
    { query: "filter_user_id=1&sort=id", ids: [1, 2, 3, 4, 5] },
    { query: "filter_user_id=2", ids: [] },
    { query: "filter_is_starred=true", ids: [4] },
    { query: "filter_is_starred=false&sort=id", ids: [1, 2, 3, 5] },
    { query: "filter_read_token=nobodys", ids: [] },
    { query: "unknown=1&filter_id=3", ids: [3] },
    { query: "page_first=100000&sort=id", ids: [1, 2, 3, 4, 5] },
  ])("with $query has $ids", async ({ ids, query }) => {
    const answer = await list(query);
    expect(answer.status).toBe(200);
    expect(idsOf(answer)).toEqual(ids);
    expect(Object.keys(answer.json)).toEqual(["conversations"]);
  });

  test.each(sortOrders)("in the order %s is walked page by page", async (sort) => {
    const pages: (readonly unknown[])[] = [];
    let query = `sort=${sort}&page_first=2`;
    for (let cursor: unknown = ""; cursor !== undefined;) {
      const page = await list(query);
      pages.push(idsOf(page));
      cursor = page.json["next_cursor"];
      query = `sort=${sort}&page_first=2&page_after=${String(cursor)}`;
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(idsOf(await list(`sort=${sort}`)));
  });

  test("shows another user a conversation only by its read token", async () => {
    const headers = { authorization: `token ${lister.tokens.other}` };
    const shared = await legacyCall(lister, `?filter_read_token=${await tokenOf(1)}`, { headers });
    expect(objectsAt(shared.json, "conversations")).toMatchObject([{ id: 1, viewer: { is_owner: false } }]);
    expect(idsOf(await legacyCall(lister, "", { headers }))).toEqual([6]);
    expect((await legacyCall(lister, "/1", { headers })).status).toBe(404);
    expect((await legacyCall(lister, "/1", { headers, method: "DELETE" })).status).toBe(404);
    expect(lister.sharing).toBe(true);
  });

  test("with sharing off, shows another user nothing and its owner everything", async () => {
    const closed = await start({ sharing: false });
    const id = await askLegacy(closed, "needle");
    const token = String((await get(id, closed)).json["read_token"]);
    const headers = { authorization: `token ${closed.tokens.other}` };
    expect(idsOf(await legacyCall(closed, `?filter_read_token=${token}`, { headers }))).toEqual([]);
    expect(idsOf(await legacyCall(closed, `?filter_read_token=${token}`))).toEqual([id]);
    expect(closed.sharing).toBe(false);
    await closed.close();
  });
});

test("fifty conversations created at once are all answered", async () => {
  const ids = await Promise.all(Array.from({ length: 50 }, (_, index) => askLegacy(server, `needle ${index}`)));
  expect(new Set(ids).size).toBe(50);
  await expect.poll(() => server.questionsInProgress(), { timeout: 300_000 }).toBe(0);
  const answers = await Promise.all(ids.map((id) => get(id)));
  const questions = answers.map(({ json }) => lastQuestion(json));
  expect(questions.map(({ question, status }) => [question, status])).toEqual(
    ids.map((_, index) => [`needle ${index}`, "completed"]),
  );
});

test("servers with the same seed give equal conversations", async () => {
  const conversationOf = async (): Promise<string> => {
    const ownClock = createHeldClock();
    ownClock.release();
    const own = await start({ clock: ownClock });
    const id = await askLegacy(own, "Where is needle used?");
    await expect.poll(() => own.questionsInProgress()).toBe(0);
    const { text } = await get(id, own);
    await own.close();
    return text.replaceAll(own.url, "");
  };
  expect(await conversationOf()).toBe(await conversationOf());
});

const hasCurl = spawnSync("curl", ["--version"]).status === 0;

test.skipIf(!hasCurl)("curl creates a conversation", async () => {
  const headers = [
    `Authorization: token ${server.token}`,
    "X-Requested-With: curl 8.0",
    "Content-Type: application/json",
  ].flatMap((header) => ["-H", header]);
  const request = ["--silent", "--noproxy", "*", "--request", "POST", "--data", '{"question":"needle?"}', ...headers];
  const { stdout } = await promisify(execFile)("curl", [...request, `${server.url}/.api/deepsearch/v1`]);
  expect(JSON.parse(stdout)).toMatchObject({ questions: [{ question: "needle?", status: "processing" }] });
});
