import { once } from "node:events";
import { createServer } from "node:http";
import { createClient, createRunClock } from "@assay/client";
import { expect, test } from "vitest";
import { runDoctorProbes } from "./drive-doctor.ts";

/** A server that counts requests and concurrent searches. */
async function countingServer() {
  const counts = { requests: 0, searches: 0, maxSearches: 0 };
  const server = createServer((request, response) => {
    counts.requests += 1;
    if (request.url?.startsWith("/.api/search/stream") !== true) {
      response.end('{"conversations":[]}');
      return;
    }
    counts.searches += 1;
    counts.maxSearches = Math.max(counts.maxSearches, counts.searches);
    response.once("close", () => (counts.searches -= 1));
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('event: progress\ndata: {"done":true,"matchCount":0,"durationMs":1}\n\n');
    setImmediate(() => response.end("event: done\ndata: {}\n\n"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return { counts, server, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}` };
}

/** Runs the doctor with short timeouts. Returns the requests of the target, as method and path. */
async function seenBy(isAnswered: (path: string) => boolean) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url?.replace(/\?.*/u, "") ?? "";
    asked.push(`${path} ${request.headers.authorization === undefined ? "anonymous" : "token"}`);
    if (isAnswered(path)) {
      response.writeHead(401).end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const clock = createRunClock();
  const client = createClient({ baseUrl, clock, userAgent: "test", limits: { firstByteTimeoutMs: 200 } });
  const { exchanges } = await runDoctorProbes({
    shortTimeoutClient: client,
    longTimeoutClient: client,
    tokens: { "access-token": "a-token-that-is-one", "invalid-token": "a-token-that-is-none" },
    access: "undeclared",
    sharing: "undeclared",
    extraHeaders: [],
    query: "test",
    isUserQuery: true,
    env: {},
    clockStartedAtMs: 0,
    maxStreamMs: 1000,
    nowMicros: () => clock.nowMicros(),
    pace: { waitForTurn: () => Promise.resolve(), adviceAfter: () => "continue" },
    maxConcurrentSearches: 4,
    deadlineMicros: Number.MAX_SAFE_INTEGER,
    signal: new AbortController().signal,
  });
  server.closeAllConnections();
  server.close();
  return { asked, exchanges };
}

test("a target that answers nothing gets four requests and no token", async () => {
  const { asked, exchanges } = await seenBy(() => false);
  expect(asked.filter((each) => each.endsWith("token"))).toEqual([]);
  expect([asked.length, exchanges.map(({ end }) => end.kind)]).toEqual([4, Array.from({ length: 4 }, () => "failed")]);
});

test("a target whose searches hang gets all requests", async () => {
  const { asked } = await seenBy((path) => !path.endsWith("/search/stream"));
  expect(asked.filter((each) => each.endsWith("token")).length).toBeGreaterThan(3);
});

test("every request waits for its turn, and all are sequential if searches are", async () => {
  const { counts, server, url } = await countingServer();
  const clock = createRunClock();
  const client = createClient({ baseUrl: url, clock, userAgent: "test" });
  let turns = 0;
  const looked = { answers: 0 };
  await runDoctorProbes({
    shortTimeoutClient: client,
    longTimeoutClient: client,
    tokens: { "access-token": "a-token-that-is-one", "invalid-token": "a-token-that-is-none" },
    access: "undeclared",
    sharing: "undeclared",
    extraHeaders: [],
    query: "test",
    isUserQuery: true,
    env: {},
    clockStartedAtMs: 0,
    maxStreamMs: 60_000,
    nowMicros: () => clock.nowMicros(),
    pace: {
      waitForTurn: async () => void (turns += 1),
      adviceAfter() {
        looked.answers += 1;
        return "continue";
      },
    },
    maxConcurrentSearches: 1,
    deadlineMicros: Number.MAX_SAFE_INTEGER,
    signal: new AbortController().signal,
  });
  server.close();
  expect([looked.answers, counts.maxSearches]).toEqual([turns, 1]);
  expect(counts.requests).toBeLessThanOrEqual(turns);
  expect(counts.requests).toBeGreaterThan(8);
});
