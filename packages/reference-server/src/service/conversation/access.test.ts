import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer } from "../../server-options.ts";
import { startServer } from "../../start-server.ts";
import type { IssuedTokens } from "../tokens.ts";
import { askLegacy, creation, currentCall, legacyCall } from "../../testing/api-client.ts";
import { createGitFixture, type GitFixture } from "../../testing/git-fixture.ts";
import { createHeldClock } from "../../testing/held-clock.ts";
import { outputs } from "../../testing/known-outputs.ts";
import { rawRequest } from "../../testing/raw-client.ts";

let fixture: GitFixture;
let server: RunningServer;

beforeAll(async () => {
  fixture = createGitFixture({ files: { "a.ts": "needle\n" } });
  server = await startServer({ repos: [fixture.directory], access: "public", clock: createHeldClock(), outputs });
});

afterAll(async () => {
  await server.close();
  fixture.remove();
});

interface Credential {
  readonly name: string;
  readonly header: (tokens: IssuedTokens) => string | undefined;
  /** Statuses of: legacy list, legacy create, current list, current create, search. */
  readonly statuses: readonly [number, number, number, number, number];
}

const good = [200, 202, 200, 200, 200] as const;
const bad = [401, 401, 401, 401, 401] as const;

const credentials: readonly Credential[] = [
  { name: "an access token", header: ({ access }) => `token ${access}`, statuses: good },
  { name: "an access token under Token", header: ({ access }) => `Token  ${access}`, statuses: good },
  { name: "another user's token", header: ({ other }) => `token ${other}`, statuses: good },
  { name: "a token without quota", header: ({ quota }) => `token ${quota}`, statuses: good },
  { name: "a token without entitlement", header: ({ entitlement }) => `token ${entitlement}`, statuses: good },
  { name: "an OAuth token", header: ({ oauth }) => `Bearer ${oauth}`, statuses: [401, 401, 200, 200, 200] },
  { name: "a token that may only read", header: ({ read }) => `token ${read}`, statuses: [200, 202, 200, 403, 403] },
  { name: "a token without scopes", header: ({ noScope }) => `token ${noScope}`, statuses: [200, 202, 403, 403, 403] },
  // Searches may be anonymous here; conversations have an owner.
  { name: "no token", header: () => undefined, statuses: [401, 401, 401, 401, 200] },
  { name: "a token that nobody has", header: () => "token sgp_0123", statuses: bad },
  { name: "an OAuth token under token", header: ({ oauth }) => `token ${oauth}`, statuses: bad },
  { name: "an access token under Bearer", header: ({ access }) => `Bearer ${access}`, statuses: bad },
  { name: "an access token under Assay", header: ({ access }) => `Assay ${access}`, statuses: bad },
  {
    name: "an access token under Basic",
    header: ({ access }) => `Basic ${Buffer.from(access).toString("base64")}`,
    statuses: bad,
  },
];

test.each(credentials)(
  "$name gets the expected status from both interfaces and from searches",
  async ({ header, statuses }) => {
    const authorization = header(server.tokens);
    const headers = { authorization };
    const search = await rawRequest(server.url, {
      parameters: { q: "needle" },
      headers: authorization === undefined ? {} : { authorization },
    });
    expect([
      (await legacyCall(server, "", { headers })).status,
      (await legacyCall(server, "", { headers, method: "POST", body: { question: "needle?" } })).status,
      (await currentCall(server, "ListConversationSummaries", { headers })).status,
      (await currentCall(server, "CreateConversation", { headers, body: creation("needle?") })).status,
      search.status,
    ]).toEqual(statuses);
  },
);

describe("the header X-Requested-With", () => {
  test.each([
    { value: undefined, status: 400 },
    { value: "", status: 400 },
    { value: "assay", status: 400 },
    { value: "assay 1.0 beta", status: 400 },
    { value: "assay 1.0", status: 200 },
    { value: "  my-client   v2 ", status: 200 },
  ])("of $value gets $status from the legacy interface", async ({ status, value }) => {
    expect((await legacyCall(server, "", { headers: { "x-requested-with": value } })).status).toBe(status);
  });

  test("is required only with a valid token", async () => {
    const headers = { "x-requested-with": undefined, authorization: "token x" };
    expect((await legacyCall(server, "", { headers })).status).toBe(401);
  });
});

test("a token without a scope has all rights of its user on the legacy interface", async () => {
  const id = await askLegacy(server, "needle?");
  const headers = { authorization: `token ${server.tokens.noScope}` };
  expect((await legacyCall(server, `/${id}`, { headers })).json).toMatchObject({ id, viewer: { is_owner: true } });
});

test("a read token can read, and change nothing", async () => {
  const id = await askLegacy(server, "needle?");
  const headers = { authorization: `token ${server.tokens.read}` };
  const name = `users/~self/conversations/${id}`;
  const question = { input: [{ question: { text: "more" } }] };
  const statuses = await Promise.all([
    currentCall(server, "GetConversation", { headers, body: { name } }),
    currentCall(server, "AddConversationQuestion", { headers, body: { parent: name, question } }),
    currentCall(server, "CancelConversation", { headers, body: { name } }),
    currentCall(server, "DeleteConversation", { headers, body: { name } }),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([200, 403, 403, 403]);
});

test.each(["Get", "Cancel", "Delete"])("another user's conversation is not found by %sConversation", async (act) => {
  const id = await askLegacy(server, "needle?");
  const headers = { authorization: `token ${server.tokens.other}` };
  const answers = await Promise.all(
    ["~self", "1", "2"].map((user) =>
      currentCall(server, `${act}Conversation`, { headers, body: { name: `users/${user}/conversations/${id}` } }),
    ),
  );
  expect(answers.map(({ json, status }) => [status, json["code"]])).toEqual(
    Array.from({ length: 3 }, () => [404, "not_found"]),
  );
});

test("no answer repeats a token", async () => {
  const token = "sgp_secretsecretsecret";
  const headers = { authorization: `token ${token}` };
  const answers = await Promise.all([
    legacyCall(server, "", { headers }),
    currentCall(server, "GetConversation", { headers }),
  ]);
  expect(answers.map(({ text }) => text.includes(token))).toEqual([false, false]);
});
