import { get } from "node:http";
import { createGunzip, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer, ServerOptions } from "../server-options.ts";
import { startServer } from "../start-server.ts";
import { createGitFixture, type GitFixture } from "../testing/git-fixture.ts";
import { outputs } from "../testing/known-outputs.ts";
import { rawRequest, type RawAnswer } from "../testing/raw-client.ts";
import { objectsOf } from "../testing/strict-events.ts";

let fixture: GitFixture;
let server: RunningServer;

beforeAll(async () => {
  fixture = createGitFixture({ files: { "a.txt": "needle\n".repeat(50), "b.txt": "a needle\n" } });
  server = await startServer({ repos: [fixture.directory], access: "public", seed: 3, outputs });
});

afterAll(async () => {
  await server.close();
  fixture.remove();
});

const ask = (
  headers: Readonly<Record<string, string>>,
  parameters: Readonly<Record<string, string>> = {},
  from: RunningServer = server,
): Promise<RawAnswer> => rawRequest(from.url, { parameters: { q: "needle", ...parameters }, headers });

const withoutDurations = (body: Buffer): string => body.toString("utf8").replaceAll(/"durationMs":\d+/gu, "");

describe("gzip", () => {
  test("is sent to clients that accept it, with the same events", async () => {
    const packed = await ask({ "accept-encoding": "gzip" });
    const plain = await ask({});
    expect(packed.headers).toMatchObject({
      "content-encoding": "gzip",
      "content-type": "text/event-stream",
      vary: "Authorization, Accept-Encoding",
    });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(withoutDurations(gunzipSync(packed.body))).toBe(withoutDurations(plain.body));
    expect(packed.body.length).toBeLessThan(plain.body.length);
  });

  test("delays nothing: everything sent before a pause can be read", async () => {
    const options: ServerOptions = { repos: [fixture.directory], access: "public", fault: "stall" };
    const stalling = await startServer(options);
    const gunzip = createGunzip();
    let text = "";
    gunzip.on("data", (part: Buffer) => {
      text += part.toString("latin1");
    });
    const headers = { "accept-encoding": "gzip" };
    const request = get(`${stalling.url}/.api/search/stream?q=needle`, { headers, agent: false }, (response) => {
      response.on("data", (piece: Buffer) => gunzip.write(piece)).on("error", () => gunzip.destroy());
    });
    await expect.poll(() => /^event: filters\ndata: .*\n\nevent: matches\ndata: \[\{/u.test(text)).toBe(true);
    expect(stalling.journal().at(-1)).toMatchObject({ end: "open", faultApplied: true });
    request.destroy();
    await stalling.close();
  });

  test("of a stream that is cut off stays valid up to the cut", async () => {
    const cutting = await startServer({ repos: [fixture.directory], access: "public", fault: "truncate", outputs });
    const { body, end, headers } = await ask({ "accept-encoding": "gzip" }, {}, cutting);
    expect({ end, encoding: headers["content-encoding"] }).toEqual({ end: "ECONNRESET", encoding: "gzip" });
    expect(body.subarray(0, 2)).toEqual(Buffer.of(0x1f, 0x8b));
    await cutting.close();
  });
});

describe("a trace", () => {
  test.each([
    { name: "the parameter", headers: {}, parameters: { trace: "1" } },
    { name: "the header", headers: { "x-sourcegraph-should-trace": "true" }, parameters: {} },
  ])("requested by $name is in the head and in every progress", async ({ headers, parameters }) => {
    const answer = await ask(headers, parameters);
    const id = String(answer.headers["x-trace"]);
    expect(id).toMatch(/^[0-9a-f]{32}$/u);
    const traces = objectsOf(answer.body, "progress").map(({ trace }) => trace);
    expect(traces.length).toBeGreaterThan(1);
    expect(new Set(traces)).toEqual(new Set([`${server.url}/-/debug/jaeger/trace/${id}`]));
    expect((await ask(headers, parameters)).headers["x-trace"]).toBe(id);
  });

  test.each([
    { name: "nothing", headers: {}, parameters: {} },
    { name: "an empty parameter", headers: {}, parameters: { trace: "" } },
    { name: "a header that says no", headers: { "x-sourcegraph-should-trace": "false" }, parameters: {} },
  ])("is absent with $name", async ({ headers, parameters }) => {
    const answer = await ask(headers, parameters);
    expect(answer.headers["x-trace"]).toBeUndefined();
    expect(answer.body.includes('"trace"')).toBe(false);
  });

  test("never contains the host that the client sent", async () => {
    const { body } = await ask({ host: "attacker.example" }, { trace: "1" });
    expect(body.includes("attacker")).toBe(false);
  });
});
