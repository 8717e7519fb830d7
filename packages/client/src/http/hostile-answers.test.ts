import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createClient, type ClientOptions, type SearchDraft } from "../client.ts";
import { type Loopback, serveBytes, untilRead } from "../testing/loopback.ts";
import { createRunClock } from "../run-clock.ts";

const stream = "event: progress\ndata: {}\n\nevent: done\ndata: {}\n\n";
const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
const chunkOf = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

const clientOf = (server: Pick<Loopback, "url">, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: server.url, clock: createRunClock(), userAgent: "assay/test", ...options });

const search = (server: Pick<Loopback, "url">, options: Partial<ClientOptions> = {}): Promise<SearchDraft> =>
  clientOf(server, options).search({ parameters: { q: "x" }, credential: "none" });

const bodyOf = ({ response }: Pick<SearchDraft, "response">): string =>
  Buffer.concat((response?.chunks ?? []).map(({ bytes }) => bytes)).toString("latin1");

// Exchanges that end by a deadline hit exactly that one. On a busy machine no other deadline may fire.
const limits = {
  connectTimeoutMs: 60_000,
  firstByteTimeoutMs: 60_000,
  totalTimeoutMs: 60_000,
  maxHeaderBytes: 4096,
  maxBodyBytes: 1000,
};

/** Writes a text repeatedly until the connection closes. */
const drip = (socket: Socket, text: string, everyMs = 10): void => {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.on("close", () => clearInterval(timer));
};

/** Resets a connection. Node's own method ends it first, and a fast reader sees the end instead of the reset. */
const reset = (socket: Socket): void => void Object.assign(socket, { resetAndClosing: true }).destroy();

const resetOnceRead = (socket: Socket): void => void untilRead().then(() => reset(socket));

interface HostileCase {
  readonly name: string;
  readonly code: string;
  readonly body?: string;
  readonly answer: (socket: Socket) => void;
}

const hostile: readonly HostileCase[] = [
  { name: "2: a reset before the head", code: "reset", answer: reset },
  {
    name: "2: a reset after the head",
    code: "reset",
    body: "",
    answer: (socket) => socket.write(`${head}content-length: 9\r\n\r\n`, () => resetOnceRead(socket)),
  },
  {
    name: "2: a reset in the middle of a chunked body",
    code: "reset",
    body: "event: ma",
    answer: (socket) =>
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n${chunkOf("event: ma")}`, () => resetOnceRead(socket)),
  },
  {
    name: "2: a reset in the middle of a body that ends with the connection",
    code: "reset",
    body: "event: ma",
    answer: (socket) => socket.write(`${head}connection: close\r\n\r\nevent: ma`, () => resetOnceRead(socket)),
  },
  { name: "2: a connection closed without an answer", code: "reset", answer: (socket) => socket.end() },
  { name: "3: no answer at all", code: "first-byte-timeout", answer: () => undefined },
  {
    name: "4: a head byte by byte",
    code: "first-byte-timeout",
    answer: (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nx: ");
      drip(socket, "a");
    },
  },
  {
    name: "4: a head that never ends",
    code: "headers-overflow",
    answer: (socket) => socket.write(`${head}${"x-a: bbbbbbbbbbbbbbbb\r\n".repeat(400)}`),
  },
  {
    name: "4: one header line of a megabyte",
    code: "headers-overflow",
    answer: (socket) => socket.write(`${head}x: ${"a".repeat(2 ** 20)}`),
  },
  {
    name: "5: endless early hints",
    code: "first-byte-timeout",
    answer: (socket) => drip(socket, "HTTP/1.1 103 Early Hints\r\n\r\n"),
  },
  {
    name: "6: a body byte by byte",
    code: "total-timeout",
    answer: (socket) => {
      socket.write(`${head}\r\n`);
      drip(socket, "x");
    },
  },
  { name: "7: garbage", code: "protocol", answer: (socket) => socket.end("hello, I am not a web server\r\n\r\n") },
  {
    name: "7: a wrong chunk size",
    code: "protocol",
    body: "abc",
    answer: (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\n${chunkOf("abc")}zz\r\nx`),
  },
  {
    name: "7: two different lengths",
    code: "protocol",
    answer: (socket) => socket.end(`${head}content-length: 3\r\ncontent-length: 4\r\n\r\nabcd`),
  },
  {
    name: "7: a length and chunks",
    code: "protocol",
    answer: (socket) =>
      socket.end(`${head}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n${chunkOf("abc")}0\r\n\r\n`),
  },
  {
    name: "7: an unrequested upgrade",
    code: "protocol",
    answer: (socket) => socket.end("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
  },
  {
    name: "8: a body shorter than its length",
    code: "truncated",
    body: "abc",
    answer: (socket) => socket.end(`${head}content-length: 9\r\n\r\nabc`),
  },
  {
    name: "8: a body shorter than its length on a connection to be closed",
    code: "truncated",
    body: "abc",
    answer: (socket) => socket.end(`${head}connection: close\r\ncontent-length: 9\r\n\r\nabc`),
  },
  {
    name: "8: chunks without the final one",
    code: "truncated",
    body: "abc",
    answer: (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\n${chunkOf("abc")}`),
  },
  {
    name: "8: chunks without the final one on a connection to be closed",
    code: "truncated",
    body: "abc",
    answer: (socket) => socket.end(`${head}connection: close\r\ntransfer-encoding: chunked\r\n\r\n${chunkOf("abc")}`),
  },
  {
    name: "9: an unrequested second response",
    code: "protocol",
    body: "abc",
    answer: (socket) =>
      socket.write(`${head}content-length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nevil`),
  },
  {
    name: "9: garbage after the response",
    code: "protocol",
    body: "abc",
    answer: (socket) => socket.write(`${head}content-length: 3\r\n\r\nabcGARBAGE\r\n`),
  },
  {
    name: "19: a body larger than the limit",
    code: "body-limit",
    body: "x".repeat(1000),
    answer: (socket) => socket.write(`${head}\r\n${"x".repeat(5000)}`),
  },
];

const deadlines: Readonly<Record<string, Partial<typeof limits>>> = {
  "first-byte-timeout": { firstByteTimeoutMs: 250 },
  "total-timeout": { totalTimeoutMs: 1500 },
};

describe("the exchange ends within its deadlines, with a code and everything received", () => {
  test.concurrent.each(hostile)("$name", async ({ answer, code, body }) => {
    await using server = await serveBytes((socket) => answer(socket));
    const draft = await search(server, { limits: { ...limits, ...deadlines[code] } });
    expect(draft.end).toMatchObject({ kind: "failed", code });
    expect(draft.end).toMatchObject({
      message: expect.stringMatching(new RegExp(`^127\\.0\\.0\\.1:${server.port}: [^\\n]+$`)),
    });
    expect(body ?? bodyOf(draft)).toBe(bodyOf(draft));
    expect(draft.response === undefined).toBe(draft.times.headersAtMicros === undefined);
  });

  test("6: a stream that is never closed", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await using server = await serveBytes((socket) => {
      socket.write(`${head}\r\n${stream}`);
      void untilRead().then(() => vi.advanceTimersByTime(limits.totalTimeoutMs));
    });
    const draft = await search(server, { limits });
    expect([draft.end, bodyOf(draft)]).toMatchObject([{ kind: "failed", code: "total-timeout" }, stream]);
  });

  test("a reset after a complete body is harmless", async () => {
    await using server = await serveBytes((socket) => {
      socket.write(`${head}content-length: 3\r\n\r\nabc`, () => reset(socket));
    });
    expect((await search(server, { limits })).end).toEqual({ kind: "complete" });
  });

  test("the caller can cancel", async () => {
    const abort = new AbortController();
    await using server = await serveBytes((socket) => {
      socket.write(`${head}\r\nabc`);
      void untilRead().then(() => abort.abort());
    });
    const pending = clientOf(server).search({ parameters: {}, credential: "none", signal: abort.signal });
    expect(await pending).toMatchObject({ end: { kind: "failed", code: "aborted" }, response: { status: 200 } });
  });

  test("a cancelled request is not sent", async () => {
    await using server = await serveBytes((socket) => socket.end());
    const draft = await clientOf(server).search({ parameters: {}, credential: "none", signal: AbortSignal.abort() });
    expect(draft.end).toMatchObject({ code: "aborted" });
    expect(server.connections()).toBe(0);
  });
});
