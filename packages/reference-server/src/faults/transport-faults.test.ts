import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listFaults } from "./fault-registry.ts";
import type { ServerOptions } from "../server-options.ts";
import { createGitFixture, type GitFixture } from "../testing/git-fixture.ts";
import { type RawAnswer, rawRequest, rawSearch } from "../testing/raw-client.ts";
import { sampleFiles } from "../testing/sample-files.ts";
import { serversOver } from "../testing/servers-over.ts";
import { eventNamesOf, objectsOf } from "../testing/strict-events.ts";

let fixture: GitFixture;
let plain: RawAnswer;

const withServer = serversOver(() => fixture, { seed: 1 });

const answerWith = (fault: NonNullable<ServerOptions["fault"]>): Promise<RawAnswer & { readonly applied: unknown }> =>
  withServer({ fault }, async (server) => ({
    ...(await rawSearch(server, "needle")),
    applied: server.journal().at(-1)?.faultApplied,
  }));

/** The bytes that a client has read when a text arrives in an endless answer; then it leaves. */
const readUntil = (fault: NonNullable<ServerOptions["fault"]>, sign: RegExp): Promise<string> =>
  withServer({ fault }, async (server) => {
    const leave = new AbortController();
    const response = await fetch(`${server.url}/.api/search/stream?q=needle`, {
      headers: { authorization: `token ${server.token}`, "accept-encoding": "identity" },
      signal: leave.signal,
    });
    const reader = response.body?.getReader();
    let text = "";
    while (!sign.test(text)) {
      text += Buffer.from((await reader?.read())?.value ?? []).toString("latin1");
    }
    leave.abort();
    await expect.poll(() => server.journal().at(-1)).toMatchObject({ end: "client-left", faultApplied: true });
    return text;
  });

beforeAll(async () => {
  const few = Object.entries(sampleFiles).filter(([path]) => !path.startsWith("bulk/part-"));
  fixture = createGitFixture({ files: Object.fromEntries(few) });
  plain = await withServer({}, (server) => rawSearch(server, "needle"));
});

afterAll(() => {
  fixture.remove();
});

const textOf = (body: Buffer): string => body.toString("latin1").replaceAll(/("durationMs":)\d+/gu, "$10");

describe("an interruption", () => {
  test.each([
    { id: "reset-mid-event", percent: 0 },
    { id: "reset-mid-event", percent: 10 },
    { id: "truncate", percent: 90 },
    { id: "truncate", percent: 100 },
    { id: "truncate", percent: 5000 },
  ])("$id after $percent % of the first matches leaves an unfinished event", async ({ id, percent }) => {
    const { applied, body, end } = await answerWith({ id, params: { percent } });
    const [filters = "", matches = ""] = textOf(plain.body).split(/(?<=\n\n)/u);
    const rest = textOf(body).slice(filters.length);
    expect({ applied, end }).toEqual({ applied: true, end: "ECONNRESET" });
    expect(matches.startsWith(rest)).toBe(true);
    expect(rest.length).toBeGreaterThan(0);
    expect(rest.length).toBeLessThan(matches.length);
  });

  test("closed-after-done sends the whole stream without the end of the response", async () => {
    const { applied, body, end } = await answerWith("closed-after-done");
    expect({ applied, end, text: textOf(body) }).toEqual({
      applied: true,
      end: "ECONNRESET",
      text: textOf(plain.body),
    });
  });

  test("open-after-done sends the whole stream and waits until the client leaves", async () => {
    const text = await readUntil("open-after-done", /event: done\ndata: \{\}\n\n$/u);
    expect(textOf(Buffer.from(text, "latin1"))).toBe(textOf(plain.body));
  });

  test("no-answer sends nothing until the client gives up", async () => {
    await withServer({ fault: "no-answer" }, async (server) => {
      const leave = new AbortController();
      const headers = { authorization: `token ${server.token}` };
      const answer = fetch(`${server.url}/.api/search/stream?q=needle`, { headers, signal: leave.signal });
      await expect.poll(() => server.journal().at(-1)).toMatchObject({ end: "open", faultApplied: true });
      leave.abort();
      await expect(answer).rejects.toThrow(/abort/u);
      await expect.poll(() => server.journal().at(-1)?.end).toBe("client-left");
    });
  });
});

describe("pace", () => {
  test("late-headers delays the head too", async () => {
    await withServer({ fault: "late-headers" }, async (server) => {
      const leave = new AbortController();
      const headers = { authorization: `token ${server.token}` };
      const answer = fetch(`${server.url}/.api/search/stream?q=needle`, { headers, signal: leave.signal });
      await expect.poll(() => server.journal().at(-1)?.faultApplied).toBe(true);
      leave.abort();
      await expect(answer).rejects.toThrow(/abort/u);
    });
  });

  test("slow-first-match sends what precedes the first matches at once", async () => {
    const text = await readUntil({ id: "slow-first-match", params: { delayMs: 60_000 } }, /\n\n/u);
    expect(eventNamesOf(Buffer.from(text, "latin1"))).toEqual(["filters"]);
  });

  const durations = (body: Buffer): readonly number[] =>
    objectsOf(body, "progress").map(({ durationMs }) => Number(durationMs));

  test("slow-first-match reports the durations of a slow search", async () => {
    const { body } = await answerWith({ id: "slow-first-match", params: { delayMs: 60 } });
    const all = durations(body);
    expect(all[0]).toBeGreaterThanOrEqual(59);
    expect(all).toEqual(all.toSorted((one, other) => one - other));
  });

  test.each(["one-burst", "trickle"])("%s reports the durations of a long search", async (id) => {
    const all = durations((await answerWith({ id, params: { ms: 120 } })).body);
    expect((all.at(-1) ?? 0) - (all[0] ?? 0)).toBeGreaterThanOrEqual(120);
  });

  test("one-burst delays everything, including the head", async () => {
    await withServer({ fault: { id: "one-burst", params: { ms: 60_000 } } }, async (server) => {
      const leave = new AbortController();
      const headers = { authorization: `token ${server.token}` };
      const answer = fetch(`${server.url}/.api/search/stream?q=needle`, { headers, signal: leave.signal });
      await expect.poll(() => server.journal().at(-1)?.faultApplied).toBe(true);
      leave.abort();
      await expect(answer).rejects.toThrow(/abort/u);
    });
  });

  test("trickle sends what is available", async () => {
    const text = await readUntil({ id: "trickle", params: { ms: 60_000 } }, /event: progress\n.*\n\n$/u);
    expect(eventNamesOf(Buffer.from(text, "latin1"))).toEqual(["filters", "matches", "progress"]);
  });

  test("drip sends piece after piece", async () => {
    const { pieces } = await answerWith({ id: "drip", params: { bytes: 2000, intervalMs: 1 } });
    expect(Math.max(...pieces)).toBeLessThanOrEqual(2000);
    expect(pieces.length).toBeGreaterThan(50);
  });

  test("endless repeats one running progress", async () => {
    const sign = /(event: progress\n.*\n\n)\1\1\1$/u;
    const text = await readUntil({ id: "endless", params: { intervalMs: 1 } }, sign);
    expect(text).not.toContain("event: done");
    expect(text).not.toContain('"done":true');
  });
});

describe("a proxy", () => {
  test.each(["start", "middle"])("sends gzip with garbage from the %s, requested or not", async (from) => {
    const { applied, body, end, headers } = await answerWith({ id: "gzip-garbage", params: { from } });
    expect({ applied, end, encoding: headers["content-encoding"] }).toEqual({
      applied: true,
      end: "complete",
      encoding: "gzip",
    });
    expect(() => gunzipSync(body)).toThrow(/header|invalid|incorrect/u);
  });

  test("does not compress garbage again", async () => {
    const { body } = await withServer({ fault: "gzip-garbage", access: "public" }, (server) =>
      rawRequest(server.url, { parameters: { q: "needle" }, headers: { "accept-encoding": "gzip" } }),
    );
    expect(() => gunzipSync(body)).toThrow(/header|invalid|incorrect/u);
  });

  test("sends the stream under another content type", async () => {
    const fault = { id: "wrong-content-type", params: { type: "application/json" } };
    expect((await answerWith(fault)).headers["content-type"]).toBe("application/json");
  });
});

test("every fault below the stream has a parameter or ends at once", () => {
  const transport = listFaults().filter(({ kind, layer }) => kind === "transport" && layer !== "conversation");
  expect(Object.fromEntries(transport.map(({ id, parameters }) => [id, Object.keys(parameters)]))).toEqual({
    "reset-before-head": [],
    "reset-mid-event": ["percent"],
    truncate: ["percent"],
    stall: ["percent"],
    "no-answer": [],
    "html-200": [],
    "empty-body": [],
    "status-500": [],
    "gzip-garbage": ["from"],
    "redirect-to-login": ["how"],
    "search-rate-limited": [],
    "search-missing": [],
    "late-headers": ["delayMs"],
    drip: ["bytes", "intervalMs"],
    endless: ["intervalMs"],
    busy: ["status", "seconds", "times"],
  });
});

test("several faults act together, each after those before it", async () => {
  const both = await withServer({ fault: ["comment", "no-done", "crlf"] }, async (server) => {
    const { body } = await rawSearch(server, "needle");
    return { text: body.toString("utf8"), faults: server.journal().at(-1)?.fault };
  });
  expect(both.text).toContain(": ping\r\n");
  expect(both.text).not.toContain("event: done");
  expect(both.faults).toBe("comment no-done crlf");
});
