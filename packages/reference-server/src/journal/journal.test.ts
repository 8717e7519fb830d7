import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { currentPath, legacyPath, searchPath } from "@assay/contract";
import type { JournalEntry } from "./journal.ts";
import type { RunningServer } from "../server-options.ts";
import { startServer } from "../start-server.ts";
import { apiRequest, creation, legacyCall } from "../testing/api-client.ts";
import { createGitFixture, type GitFixture } from "../testing/git-fixture.ts";
import { outputs } from "../testing/known-outputs.ts";
import { rawRequest, rawSearch } from "../testing/raw-client.ts";

let fixture: GitFixture;
let server: RunningServer;

beforeAll(async () => {
  fixture = createGitFixture({ files: { "a.ts": "needle\n" } });
  server = await startServer({ repos: [fixture.directory], seed: 4, outputs });
});

afterAll(async () => {
  await server.close();
  fixture.remove();
});

/** The last entry, once it has ended. */
const lastEntry = async (): Promise<JournalEntry | undefined> => {
  await expect.poll(() => server.journal().at(-1)?.end).not.toBe("open");
  return server.journal().at(-1);
};

describe("the head of a request", () => {
  test.each([
    {
      name: "token and its token",
      authorization: () => `token ${server.token}`,
      credential: { scheme: "token", token: "access" },
    },
    {
      name: "another word",
      authorization: () => `Bearer ${server.token}`,
      credential: { scheme: "Bearer", token: "access" },
    },
    { name: "no word", authorization: () => server.token, credential: { scheme: "", token: "access" } },
    {
      name: "the token of another user",
      authorization: () => `token ${server.tokens.quota}`,
      credential: { scheme: "token", token: "quota" },
    },
    {
      name: "a token nobody issued",
      authorization: () => "token sgp_nobody",
      credential: { scheme: "token", token: "unknown" },
    },
  ])("keeps only the kind of a credential with $name", async ({ authorization, credential }) => {
    await rawRequest(server.url, { parameters: { q: "needle" }, headers: { authorization: authorization() } });
    const entry = await lastEntry();
    expect(entry?.request.credential).toEqual(credential);
    expect(JSON.stringify(entry)).not.toContain(server.token);
  });

  test("keeps every name, and the values of documented headers", async () => {
    await rawRequest(server.url, {
      parameters: { q: "needle" },
      headers: { accept: "text/event-stream", cookie: "session=1", "x-requested-with": "x".repeat(500) },
    });
    const { request } = (await lastEntry()) ?? {};
    expect(request?.headers).toEqual({ accept: "text/event-stream", "x-requested-with": "x".repeat(200) });
    expect(request?.headerNames).toEqual(expect.arrayContaining(["accept", "cookie", "host"]));
    expect(request).not.toHaveProperty("credential");
  });

  test("has no token in its address", async () => {
    await rawRequest(server.url, { parameters: { q: "needle", token: server.token } });
    expect((await lastEntry())?.url).toBe(`${searchPath}?q=needle&token=<access>`);
  });

  test("numbers connections", async () => {
    await rawSearch(server, "needle");
    await rawSearch(server, "needle");
    const [one, other] = server.journal().slice(-2);
    expect(other?.request.connection).toBe((one?.request.connection ?? 0) + 1);
  });
});

describe("a search", () => {
  test("has its status, its bytes and its times in order", async () => {
    const { body } = await rawSearch(server, "needle");
    const entry = await lastEntry();
    const { arrived = 0, head = 0, done = 0, lastByte = 0 } = entry?.micros ?? {};
    expect(entry).toMatchObject({ status: 200, end: "finished" });
    expect(entry?.bytesSent).toBeGreaterThan(body.length);
    expect([arrived, head, done, lastByte]).toEqual([arrived, head, done, lastByte].toSorted((a, b) => a - b));
    expect(arrived).toBeGreaterThan(0);
    expect(entry?.micros).not.toHaveProperty("closed");
  });

  test("without `done` has no time for it", async () => {
    const broken = await startServer({ repos: [fixture.directory], fault: "no-done", outputs });
    await rawSearch(broken, "needle");
    expect(broken.journal().at(-1)?.micros).not.toHaveProperty("done");
    await broken.close();
  });

  test("whose client leaves has the time of closing", async () => {
    const late = await startServer({
      repos: [fixture.directory],
      fault: { id: "late-end", params: { ms: 60_000 } },
      outputs,
    });
    const leave = new AbortController();
    const headers = { authorization: `token ${late.token}` };
    await fetch(`${late.url}${searchPath}?q=needle`, { headers, signal: leave.signal });
    await expect.poll(() => late.journal().at(-1)?.micros.done).toBeGreaterThan(0);
    leave.abort();
    await expect.poll(() => late.journal().at(-1)?.end).toBe("client-left");
    const { closed = 0, done = 0, lastByte } = late.journal().at(-1)?.micros ?? {};
    expect([closed > done, lastByte]).toEqual([true, undefined]);
    await late.close();
  });
});

describe("a call of the conversation API", () => {
  test("has a digest of the question, and the shown conversation", async () => {
    const { json } = await legacyCall(server, "", { method: "POST", body: { question: "needle?" } });
    const entry = await lastEntry();
    expect(entry?.call).toEqual({
      interface: "legacy",
      operation: "create",
      bodyBytes: 22,
      asked: { characters: 7, sha256: "aad852db71e7ed3d122af50ab137418bdd9c1cf31b18ff5d97a2e4d4b56412b1" },
      shown: { conversation: String(json["id"]), state: "processing" },
    });
  });

  test.each([
    { token: "access", question: "needle?", state: "completed", retryTime: undefined },
    { token: "quota", question: "needle?", state: "error", retryTime: expect.stringMatching(/Z$/u) },
  ] as const)("of $token shows in the end the state $state", async ({ question, retryTime, state, token }) => {
    const headers = { authorization: `token ${server.tokens[token]}`, "content-type": "application/json" };
    const call = (procedure: string, body: unknown) =>
      apiRequest(server.url, { method: "POST", path: `${currentPath}/${procedure}`, headers, body });
    const { json } = await call("CreateConversation", creation(question));
    await expect.poll(() => server.questionsInProgress()).toBe(0);
    await call("GetConversation", { name: json["name"] });
    expect((await lastEntry())?.call?.shown).toMatchObject({ conversation: json["name"], state });
    expect((await lastEntry())?.call?.shown?.retryTime).toEqual(retryTime);
  });

  test("has the state failed after a failure, in the legacy interface too", async () => {
    const headers = { authorization: `token ${server.tokens.entitlement}` };
    const { json } = await legacyCall(server, "", { method: "POST", body: { question: "needle?" }, headers });
    await expect.poll(() => server.questionsInProgress()).toBe(0);
    await legacyCall(server, `/${String(json["id"])}`, { headers });
    expect((await lastEntry())?.call?.shown?.state).toBe("failed");
  });
});

test.each([
  { path: "/.api/graphql", status: 404 },
  { path: `${currentPath}/Nothing`, status: 404 },
  { path: `${legacyPath}/1/2/3/4`, status: 404 },
])("a request to $path is recorded too", async ({ path, status }) => {
  await apiRequest(server.url, { path, method: "POST" });
  expect(await lastEntry()).toMatchObject({ method: "POST", url: path, status, end: "finished" });
});
