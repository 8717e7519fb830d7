import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createClient, type SearchDraft, type SearchRequest } from "../client.ts";
import { serveBytes, untilRead } from "../testing/loopback.ts";
import { createRunClock } from "../run-clock.ts";

const done = "event: done\ndata: {}\n\n";
const stream = `event: progress\ndata: {}\n\n${done}`;
const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
const linger = { lingerAfter: Buffer.from(done), lingerMs: 300 } as const;

/** Longer than the test timeout. */
const waiting = { ...linger, lingerMs: 600_000 };

interface Answered {
  readonly draft: SearchDraft;
  readonly tookMs: number;
  readonly body: string;
}

/** Deadline of exchanges that must not end by themselves. */
const shortMs = 900;

/** A search. An exchange that must end by itself gets plenty of time, for busy machines. */
async function search(
  answer: (socket: Socket) => void,
  request: Partial<SearchRequest> = linger,
  totalTimeoutMs = 60_000,
): Promise<Answered> {
  await using server = await serveBytes(answer);
  const limits = { totalTimeoutMs };
  const client = createClient({ baseUrl: server.url, clock: createRunClock(), userAgent: "assay/test", limits });
  const startedAt = performance.now();
  const draft = await client.search({ parameters: { q: "x" }, credential: "none", ...request });
  const body = Buffer.concat((draft.response?.chunks ?? []).map(({ bytes }) => bytes)).toString("latin1");
  return { draft, tookMs: performance.now() - startedAt, body };
}

/** Writes texts at the given intervals in milliseconds, and leaves the connection open. */
const inTime =
  (...parts: readonly (readonly [afterMs: number, text: string | Uint8Array])[]) =>
  (socket: Socket): void => {
    const [part, ...rest] = parts;
    const next = (): unknown => part && socket.write(part[1]) && inTime(...rest)(socket);
    setTimeout(next, part?.[0] ?? 0);
  };

/** A connection that the client closes in the end. */
interface Staying {
  readonly name: string;
  readonly parts: readonly (readonly [afterMs: number, text: string | Uint8Array])[];
  readonly body: string;
  readonly lingerMs?: number;
}

const closedByUs = { kind: "complete", closedBy: "client" };
const timedOut = { kind: "failed", code: "total-timeout" };

describe.concurrent("a connection that stays open", () => {
  test.each<Staying>([
    { name: "after the marker is closed", parts: [[0, `${head}\r\n${stream}`]], body: stream },
    {
      name: "after a marker in pieces is closed",
      parts: [
        [0, `${head}\r\n${stream.slice(0, -15)}`],
        [30, stream.slice(-15, -3)],
        [30, stream.slice(-3)],
      ],
      body: stream,
    },
    {
      name: "after a marker in an encoded body is closed",
      parts: [
        [0, Buffer.concat([Buffer.from(`${head}content-encoding: gzip\r\n\r\n`), gzipSync(stream).subarray(0, -4)])],
      ],
      body: stream,
    },
    {
      name: "and sends more soon after the marker is waited for again",
      parts: [
        [0, `${head}\r\n${stream}`],
        [200, "event: late"],
        [200, `\n\n${done}`],
      ],
      body: `${stream}event: late\n\n${done}`,
      // Longer than the delay of a busy machine between two pieces.
      lingerMs: 2000,
    },
  ])("$name", async ({ parts, body, lingerMs = linger.lingerMs }) => {
    const answered = await search(inTime(...parts), { ...linger, lingerMs });
    expect(answered.draft.end).toEqual(closedByUs);
    expect(answered.body).toBe(body);
    expect(answered.tookMs).toBeGreaterThan(290);
  });

  test.each([
    { name: "after bytes that only contain the marker", text: `${head}\r\n${stream}x` },
    { name: "after a part of the marker", text: `${head}\r\n${stream.slice(0, -1)}` },
    { name: "although it promised more bytes", text: `${head}content-length: 999\r\n\r\n${stream}` },
  ])("$name is waited for until the deadline", async ({ text }) => {
    expect((await search(inTime([0, text]), linger, shortMs)).draft.end).toMatchObject(timedOut);
  });

  test.each([{ request: {} }, { request: { lingerAfter: new Uint8Array(0), lingerMs: 10 } }])(
    "is waited for until the deadline without a marker ($request)",
    async ({ request }) => {
      expect((await search(inTime([0, `${head}\r\n${stream}`]), request, shortMs)).draft.end).toMatchObject(timedOut);
    },
  );

  test("is waited for 2 s by default", async () => {
    await using server = await serveBytes(inTime([0, `${head}\r\n${stream}`]));
    const client = createClient({ baseUrl: server.url, clock: createRunClock(), userAgent: "assay/test" });
    const { times, end } = await client.search({ parameters: {}, credential: "none", lingerAfter: Buffer.from(done) });
    expect(end).toEqual(closedByUs);
    expect(times.endedAtMicros - (times.headersAtMicros ?? 0)).toBeGreaterThan(1_900_000);
  });
});

describe("with the clock of the test", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  test("a connection is closed at a deadline during the wait", async () => {
    const answered = await search((socket) => {
      socket.write(`${head}\r\n${stream}`);
      void untilRead().then(() => vi.advanceTimersByTime(60_000));
    }, waiting);
    expect([answered.draft.end, answered.body]).toEqual([closedByUs, stream]);
  });

  test("everything received by the end of the wait was read, however late the timer fires", async () => {
    const answered = await search((socket) => {
      socket.write(`${head}\r\n${stream}`);
      void untilRead().then(() => {
        socket.end("event: late\n\n");
        return vi.advanceTimersByTime(linger.lingerMs);
      });
    });
    expect([answered.draft.end, answered.body]).toEqual([{ kind: "complete" }, `${stream}event: late\n\n`]);
  });
});

test("an end by the server during the wait is the end", async () => {
  const answered = await search((socket) => {
    socket.write(`${head}connection: close\r\n\r\n${stream}`);
    void untilRead().then(() => socket.end("late"));
  }, waiting);
  expect(answered.draft.end).toEqual({ kind: "complete" });
  expect(answered.body).toBe(`${stream}late`);
});

test("a connection that breaks during the wait has failed", async () => {
  const answered = await search((socket) => {
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n${stream.length.toString(16)}\r\n${stream}\r\n`);
    void untilRead().then(() => socket.resetAndDestroy());
  }, waiting);
  expect(answered.draft.end).toMatchObject({ kind: "failed", code: "reset" });
});
