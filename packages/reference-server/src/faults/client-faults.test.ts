import { searchPath } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { legacyCall } from "../testing/api-client.ts";
import { rawRequest, rawSearch } from "../testing/raw-client.ts";
import { eventNamesOf } from "../testing/strict-events.ts";
import { serversWithFault } from "../testing/with-fault.ts";

const withFault = serversWithFault();

test("late-end keeps the response open after `done`, and then ends it normally", async () => {
  const entry = await withFault({ id: "late-end", params: { ms: 60 } }, async (server) => {
    const { end } = await rawSearch(server, "needle");
    expect(end).toBe("complete");
    return server.journal()[0];
  });
  const { done = 0, lastByte = 0 } = entry?.micros ?? {};
  expect(lastByte - done).toBeGreaterThan(55_000);
});

test("error-event puts an error between the final progress and `done`", async () => {
  const { body } = await withFault("error-event", (server) => rawSearch(server, "needle"));
  expect(eventNamesOf(body).slice(-3)).toEqual(["progress", "error", "done"]);
});

describe("busy", () => {
  test.each(["429", "503"])("refuses the first searches with status %s", async (status) => {
    const fault = { id: "busy", params: { status, seconds: 7, times: 2 } };
    const answers = await withFault(fault, async (server) => [
      await rawSearch(server, "needle"),
      await rawSearch(server, "needle"),
      await rawSearch(server, "needle"),
    ]);
    expect(answers.map((answer) => [answer.status, answer.headers["retry-after"]])).toEqual([
      [Number(status), "7"],
      [Number(status), "7"],
      [200, undefined],
    ]);
  });
});

describe("redirect-elsewhere", () => {
  test("sends a search with a token to another host, with all its parameters", async () => {
    const fault = { id: "redirect-elsewhere", params: { port: 1234 } };
    const { headers, status } = await withFault(fault, (server) => rawSearch(server, "needle", { v: "V3" }));
    expect([status, headers.location]).toEqual([307, `http://localhost:1234${searchPath}?q=needle&v=V3`]);
  });

  test("refuses other searches as usual", async () => {
    const { status } = await withFault("redirect-elsewhere", ({ url }) => rawRequest(url, { parameters: { q: "x" } }));
    expect(status).toBe(401);
  });
});

test("conversation-busy refuses the second read", async () => {
  const fault = { id: "conversation-busy", params: { seconds: 3 } };
  const statuses = await withFault(fault, async (server) => {
    const { json } = await legacyCall(server, "", { method: "POST", body: { question: "needle?" } });
    const read = async () => {
      const { headers, status } = await legacyCall(server, `/${String(json["id"])}`);
      return [status, headers["retry-after"]];
    };
    return [await read(), await read(), await read()];
  });
  expect(statuses).toEqual([
    [200, undefined],
    [429, "3"],
    [200, undefined],
  ]);
});
