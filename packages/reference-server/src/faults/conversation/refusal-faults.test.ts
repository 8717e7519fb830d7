import { describe, expect, test } from "vitest";
import { apiRequest, askLegacy, currentCall, legacyCall } from "../../testing/api-client.ts";
import { serversWithFault } from "../../testing/with-fault.ts";

const withServer = serversWithFault();

describe("a broken exchange of the conversation API", () => {
  test.each([
    { id: "conversation-status-500", status: 500, type: "text/plain; charset=utf-8", text: /^$/u },
    { id: "conversation-rate-limited", status: 429, type: "text/plain; charset=utf-8", text: /^$/u },
    { id: "conversation-html-200", status: 200, type: "text/html; charset=utf-8", text: /^<!doctype html>/u },
  ])("$id answers something else through both interfaces", async ({ id, status, text, type }) => {
    await withServer(id, async (server) => {
      for (const answer of [await legacyCall(server, ""), await currentCall(server, "ListConversationSummaries")]) {
        expect([answer.status, answer.headers["content-type"]]).toEqual([status, type]);
        expect(answer.text).toMatch(text);
      }
      expect(server.journal().map(({ faultApplied }) => faultApplied)).toEqual([true, true]);
    });
  });

  test.each(["conversation-reset", "conversation-truncated"])("%s ends the exchange before its end", async (id) => {
    await withServer(id, async (server) => {
      await expect(legacyCall(server, "")).rejects.toThrow(/ECONNRESET|socket hang up|aborted/u);
      expect(server.journal().at(-1)).toMatchObject({ faultApplied: true });
    });
  });

  test("conversation-silence sends nothing until the client leaves", async () => {
    await withServer("conversation-silence", async (server) => {
      const leave = new AbortController();
      const headers = { authorization: `token ${server.token}`, "x-requested-with": "test 1.0" };
      const waiting = fetch(`${server.url}/.api/deepsearch/v1`, { headers, signal: leave.signal });
      await expect.poll(() => server.journal().at(-1)).toMatchObject({ end: "open", faultApplied: true });
      leave.abort();
      await expect(waiting).rejects.toThrow(/abort/iu);
      await expect.poll(() => server.journal().at(-1)?.end).toBe("client-left");
    });
  });

  test("with an operation leaves the others alone", async () => {
    const fault = { id: "conversation-status-500", params: { operation: "get" } };
    await withServer(fault, async (server) => {
      const id = await askLegacy(server, "needle?");
      expect((await legacyCall(server, "")).status).toBe(200);
      expect((await legacyCall(server, `/${id}`)).status).toBe(500);
      expect(server.journal().map(({ faultApplied }) => faultApplied)).toEqual([false, false, true]);
    });
  });
});

test.each([
  { fault: "legacy-description-of-another-release", schema: "LegacyConversationAnswer" },
  { fault: "current-description-of-another-release", schema: "CurrentConversationAnswer" },
])("$fault adds a required member to $schema", async ({ fault, schema }) => {
  await withServer(fault, async (server) => {
    const { json } = await apiRequest(server.url, { path: "/api-reference/openapi.json" });
    expect(json).toMatchObject({
      components: { schemas: { [schema]: { required: expect.arrayContaining(["revision"]) } } },
    });
    expect(server.journal().at(-1)).toMatchObject({ faultApplied: true });
  });
});

test("a fault of conversations changes the answer of a real search", async () => {
  await withServer("legacy-source-malformed", async (server) => {
    const id = await askLegacy(server, "Where is needle?");
    await expect.poll(() => server.questionsInProgress()).toBe(0);
    const { text } = await legacyCall(server, `/${id}`);
    expect(text).toContain('"sources":[{"link"');
    expect(server.journal().at(-1)).toMatchObject({ faultApplied: true, fault: "legacy-source-malformed" });
  });
});
