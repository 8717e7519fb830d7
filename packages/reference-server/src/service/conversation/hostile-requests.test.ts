import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningServer } from "../../server-options.ts";
import { startServer } from "../../start-server.ts";
import { apiRequest, currentCall, legacyCall } from "../../testing/api-client.ts";
import { createGitFixture, type GitFixture } from "../../testing/git-fixture.ts";
import { createHeldClock } from "../../testing/held-clock.ts";
import { outputs } from "../../testing/known-outputs.ts";

let fixture: GitFixture;
let server: RunningServer;

beforeAll(async () => {
  fixture = createGitFixture({ files: { "a.ts": "needle\n" } });
  const clock = createHeldClock();
  clock.release();
  server = await startServer({ repos: [fixture.directory], clock, outputs });
});

afterAll(async () => {
  await server.close();
  fixture.remove();
});

const deep = (depth: number): string => `{"question":"q","x":${"[".repeat(depth)}${"]".repeat(depth)}}`;

test.each([
  { name: "over 1 MiB", body: JSON.stringify({ question: "n".repeat(1024 * 1024) }), status: 413 },
  { name: "of 8 MiB", body: Buffer.alloc(8 * 1024 * 1024, 0x20), status: 413 },
  { name: "of just under 1 MiB", body: JSON.stringify({ question: "[assay ".repeat(149_000) }), status: 202 },
  { name: "of white space only", body: " ".repeat(1000), status: 400 },
  { name: "nested too deep", body: deep(500_000), status: 400 },
  { name: "nested 101 deep", body: deep(100), status: 400 },
  { name: "nested 100 deep", body: deep(99), status: 202 },
  { name: "with brackets in a text", body: JSON.stringify({ question: `"${"[".repeat(5000)}\\` }), status: 202 },
  { name: "that is not UTF-8", body: Buffer.from('{"question":"\xff\xfe"}', "latin1"), status: 400 },
  { name: "that sets __proto__", body: '{"__proto__":{"question":"polluted"}}', status: 400 },
  {
    name: "with __proto__ next to a question",
    body: '{"question":"q","__proto__":{"conversation_id":1}}',
    status: 202,
  },
  { name: "with a question of its own members", body: '{"question":{"toString":"q"}}', status: 400 },
  { name: "with a NUL in the question", body: String.raw`{"question":"\u0000 needle"}`, status: 202 },
  { name: "with half a character", body: String.raw`{"question":"\ud800 needle"}`, status: 202 },
  { name: "with two values", body: '{"question":"q"}{}', status: 400 },
])("a body $name is answered with $status", async ({ body, status }) => {
  const answer = await legacyCall(server, "", { method: "POST", body });
  expect(answer.status).toBe(status);
  expect(answer.text).not.toMatch(/\bat \S+ \(|node:|\.ts:/u);
  expect((await legacyCall(server, "")).status).toBe(200);
});

test("a body cannot change the prototypes of the server", () => {
  expect(Object.hasOwn(Object.prototype, "question")).toBe(false);
  expect(Reflect.get({}, "question")).toBeUndefined();
});

test("every procedure answers any JSON, with success or a refusal", async () => {
  const procedures = ["CreateConversation", "GetConversation", "ListConversationSummaries", "AddConversationQuestion"];
  const names = [
    "name",
    "parent",
    "conversation",
    "questions",
    "question",
    "input",
    "text",
    "pageSize",
    "pageToken",
    "filters",
  ];
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null)),
      fc.array(tie("any"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names, "__proto__", "constructor"), tie("any"), { maxKeys: 4 }),
    ),
  })).any;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...procedures), value, async (procedure, body) => {
      const { json, status } = await currentCall(server, procedure, { body: JSON.stringify(body) });
      expect([200, 400, 404]).toContain(status);
      expect(status === 200 || typeof json["code"] === "string").toBe(true);
    }),
    { numRuns: 100 },
  );
});

test.each([
  "/.api/deepsearch/v1/../v1",
  "/.api/deepsearch/v1/%2e%2e",
  "/.api/deepsearch/v1/1%00",
  "/.api/deepsearch/v1//questions",
  "/.api/deepsearch/v1/1/questions/1/cancel/again",
  "/api-reference/../../etc/passwd",
  "/api-reference/openapi.yaml/",
  "/API-reference",
])("the path %s is not found", async (path) => {
  const headers = { authorization: `token ${server.token}`, "x-requested-with": "test 1.0" };
  expect((await apiRequest(server.url, { path, headers })).status).toBe(404);
});

test("a client that leaves in the middle of its body is forgotten", async () => {
  const { port } = new URL(server.url);
  const before = server.conversationCount();
  const socket = connect(Number(port), "127.0.0.1");
  socket.write(
    `POST /.api/deepsearch/v1 HTTP/1.1\r\nHost: x\r\nAuthorization: token ${server.token}\r\n` +
      "X-Requested-With: test 1.0\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
  );
  await expect.poll(() => server.journal().at(-1)).toMatchObject({ method: "POST", end: "open" });
  socket.destroy();
  await expect.poll(() => server.journal().at(-1)?.end).toBe("client-left");
  expect(server.conversationCount()).toBe(before);
});

test("every call is in the journal, including refusals and the API reference", async () => {
  await legacyCall(server, "/7");
  await currentCall(server, "GetConversation", { headers: { authorization: undefined } });
  await apiRequest(server.url, { path: "/api-reference" });
  expect(
    server
      .journal()
      .slice(-3)
      .map(({ end, method, url }) => `${method} ${url} ${end}`),
  ).toEqual([
    "GET /.api/deepsearch/v1/7 finished",
    "POST /api/deepsearch.v1.Service/GetConversation finished",
    "GET /api-reference finished",
  ]);
});
