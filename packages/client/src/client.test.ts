import { Buffer } from "node:buffer";
import { once } from "node:events";
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { createClient, type ClientOptions, type SearchDraft } from "./client.ts";
import { type Loopback, serveBytes, serveHttp } from "./loopback.ts";
import { createRunClock } from "./run-clock.ts";

const stream = "event: progress\ndata: {}\n\nevent: done\ndata: {}\n\n";
const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
const chunkOf = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

const clientOf = (server: Pick<Loopback, "url">, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: server.url, clock: createRunClock(), userAgent: "assay/test", ...options });

const search = (server: Pick<Loopback, "url">, options: Partial<ClientOptions> = {}): Promise<SearchDraft> =>
  clientOf(server, options).search({ parameters: { q: "x" }, credential: "none" });

const bodyOf = ({ response }: Pick<SearchDraft, "response">): string =>
  Buffer.concat((response?.chunks ?? []).map(({ bytes }) => bytes)).toString("latin1");

describe("a search", () => {
  test("sends what it says it sent", async () => {
    let received = "";
    await using server = await serveBytes((socket, request) => {
      received = request;
      socket.end(`${head}content-length: ${stream.length}\r\n\r\n${stream}`);
    });
    const client = clientOf({ url: `${server.url}/prefix/` }, { extraHeaders: [["x-proxy", "one"]] });
    const draft = await client.search({
      parameters: { q: "a b&c=ü", v: "V3" },
      credential: "access-token",
      token: "abcdefghij",
    });
    expect(received.split("\r\n")[0]).toBe("GET /prefix/.api/search/stream?q=a%20b%26c%3D%C3%BC&v=V3 HTTP/1.1");
    expect(draft.request.url).toBe(`${server.url}/prefix/.api/search/stream?q=a%20b%26c%3D%C3%BC&v=V3`);
    expect(draft.request.headers).toEqual([
      ["user-agent", "assay/test"],
      ["accept-encoding", "identity"],
      ["x-proxy", "one"],
      ["accept", "text/event-stream"],
      ["authorization", "token abcdefghij"],
    ]);
    expect(draft.request.headers.filter(([name, value]) => !received.includes(`${name}: ${value}\r\n`))).toEqual([]);
    expect(draft).toMatchObject({ interface: "stream", operation: "search", credential: "access-token" });
  });

  test.each([
    { credential: "access-token", token: "abcdefghij", sent: "token abcdefghij" },
    { credential: "invalid-token", token: "abcdefghij", sent: "token abcdefghij" },
    { credential: "oauth-token", token: "abcdefghij", sent: "Bearer abcdefghij" },
    { credential: "none", token: "abcdefghij", sent: undefined },
  ] as const)("identifies itself with $credential", async ({ credential, token, sent }) => {
    await using server = await serveHttp((_request, response) => response.end());
    const { request } = await clientOf(server).search({ parameters: { q: "x" }, credential, token });
    expect(Object.fromEntries(request.headers)["authorization"]).toBe(sent);
  });

  test("keeps status, raw headers and the body", async () => {
    await using server = await serveBytes((socket) =>
      socket.end(`HTTP/1.1 418 No\r\nX-A: 1\r\nx-a: \xe9\r\nContent-Length: 3\r\n\r\n\x00\xff\n`, "latin1"),
    );
    const draft = await search(server);
    expect(draft.response).toMatchObject({
      status: 418,
      headers: [["X-A", "1"], ["x-a", "é"], ["Content-Length", "3"]],
    });
    expect(bodyOf(draft)).toBe("\x00\xff\n");
    expect(draft.end).toEqual({ kind: "complete" });
  });

  test("keeps the chunks of the server apart and stamps them in order", async () => {
    await using server = await serveBytes((socket) => {
      void (async () => {
        socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
        for (const text of ["event: a\n", "data: 1\n", "\n"]) {
          socket.write(chunkOf(text));
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        socket.write("0\r\n\r\n");
      })();
    });
    const draft = await search(server);
    const { sentAtMicros, connectedAtMicros = -1, headersAtMicros = -1, endedAtMicros } = draft.times;
    const stamps = (draft.response?.chunks ?? []).map(({ atMicros }) => atMicros);
    const times = [sentAtMicros, connectedAtMicros, headersAtMicros, ...stamps, endedAtMicros];
    expect(draft.response?.chunks.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(["event: a\n", "data: 1\n", "\n"]);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect((stamps[2] ?? 0) - (stamps[0] ?? 0)).toBeGreaterThan(30_000);
  });

  test("reads on after the last event until the server closes", async () => {
    await using server = await serveBytes((socket) => {
      socket.write(`${head}connection: close\r\n\r\n${stream}`);
      setTimeout(() => socket.end("late"), 50);
    });
    const draft = await search(server);
    expect(bodyOf(draft)).toBe(`${stream}late`);
    expect(draft.end).toEqual({ kind: "complete" });
  });

  test("uses a connection of its own", async () => {
    await using server = await serveHttp((_request, response) => response.end("x"));
    const client = clientOf(server);
    const request = { parameters: { q: "x" }, credential: "none" } as const;
    await Promise.all([client.search(request), client.search(request)]);
    await client.search(request);
    expect(server.connections()).toBe(3);
  });

  test("closes its connection when it is done", async () => {
    let socket: Socket | undefined;
    await using server = await serveBytes((accepted) => {
      socket = accepted;
      accepted.write(`${head}content-length: 1\r\n\r\nx`);
    });
    expect((await search(server)).end).toEqual({ kind: "complete" });
    const [hadError] = (await once(socket!, "close")) as readonly unknown[];
    expect(hadError).toBe(false);
  });
});

describe("a redirect is an answer", () => {
  test.each(["http://127.0.0.1:1/", "https://other.invalid/x", "file:///etc/passwd", "javascript:alert(1)", "/.api/search/stream", "//[", "\t"])(
    "to %j",
    async (location) => {
      await using server = await serveBytes((socket) =>
        socket.end(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`),
      );
      const draft = await search(server);
      expect(draft).toMatchObject({ end: { kind: "complete" }, response: { status: 302 } });
      expect(server.connections()).toBe(1);
    },
  );
});

const limits = { connectTimeoutMs: 2000, firstByteTimeoutMs: 250, totalTimeoutMs: 500, maxHeaderBytes: 4096, maxBodyBytes: 1000 };

/** Writes something again and again until the connection is gone. */
const drip = (socket: Socket, text: string, everyMs = 10): void => {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.on("close", () => clearInterval(timer));
};

interface HostileCase {
  readonly name: string;
  readonly code: string;
  readonly body?: string;
  readonly answer: (socket: Socket) => void;
}

const hostile: readonly HostileCase[] = [
  { name: "2: a reset before the head", code: "reset", answer: (socket) => socket.resetAndDestroy() },
  { name: "2: a reset after the head", code: "reset", body: "", answer: (socket) => socket.write(`${head}content-length: 9\r\n\r\n`, () => setTimeout(() => socket.resetAndDestroy(), 30)) },
  { name: "2: a reset in the middle of a chunked body", code: "reset", body: "event: ma", answer: (socket) => socket.write(`${head}transfer-encoding: chunked\r\n\r\n${chunkOf("event: ma")}`, () => setTimeout(() => socket.resetAndDestroy(), 30)) },
  { name: "2: a reset in the middle of a body that only the end of the connection ends", code: "reset", body: "event: ma", answer: (socket) => socket.write(`${head}connection: close\r\n\r\nevent: ma`, () => setTimeout(() => socket.resetAndDestroy(), 30)) },
  { name: "2: a connection closed without an answer", code: "reset", answer: (socket) => socket.end() },
  { name: "3: no answer at all", code: "first-byte-timeout", answer: () => undefined },
  { name: "4: a head one byte after the other", code: "first-byte-timeout", answer: (socket) => { socket.write("HTTP/1.1 200 OK\r\nx: "); drip(socket, "a"); } },
  { name: "4: a head that never ends", code: "headers-overflow", answer: (socket) => socket.write(`${head}${"x-a: bbbbbbbbbbbbbbbb\r\n".repeat(400)}`) },
  { name: "4: one header line of a megabyte", code: "headers-overflow", answer: (socket) => socket.write(`${head}x: ${"a".repeat(2 ** 20)}`) },
  { name: "5: endless early hints", code: "first-byte-timeout", answer: (socket) => drip(socket, "HTTP/1.1 103 Early Hints\r\n\r\n") },
  { name: "6: a body one byte after the other", code: "total-timeout", answer: (socket) => { socket.write(`${head}\r\n`); drip(socket, "x"); } },
  { name: "6: a stream that is never closed", code: "total-timeout", body: stream, answer: (socket) => socket.write(`${head}\r\n${stream}`) },
  { name: "7: garbage", code: "protocol", answer: (socket) => socket.end("hello, I am not a web server\r\n\r\n") },
  { name: "7: a wrong chunk size", code: "protocol", body: "abc", answer: (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\n${chunkOf("abc")}zz\r\nx`) },
  { name: "7: two different lengths", code: "protocol", answer: (socket) => socket.end(`${head}content-length: 3\r\ncontent-length: 4\r\n\r\nabcd`) },
  { name: "7: a length beside chunks", code: "protocol", answer: (socket) => socket.end(`${head}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n${chunkOf("abc")}0\r\n\r\n`) },
  { name: "7: an upgrade that nobody asked for", code: "protocol", answer: (socket) => socket.end("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n") },
  { name: "8: a body shorter than its length", code: "truncated", body: "abc", answer: (socket) => socket.end(`${head}content-length: 9\r\n\r\nabc`) },
  { name: "8: a body shorter than its length on a connection to be closed", code: "truncated", body: "abc", answer: (socket) => socket.end(`${head}connection: close\r\ncontent-length: 9\r\n\r\nabc`) },
  { name: "8: chunks without the final one", code: "truncated", body: "abc", answer: (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\n${chunkOf("abc")}`) },
  { name: "8: chunks without the final one on a connection to be closed", code: "truncated", body: "abc", answer: (socket) => socket.end(`${head}connection: close\r\ntransfer-encoding: chunked\r\n\r\n${chunkOf("abc")}`) },
  { name: "9: a second response that nobody asked for", code: "protocol", body: "abc", answer: (socket) => socket.write(`${head}content-length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nevil`) },
  { name: "9: garbage after the response", code: "protocol", body: "abc", answer: (socket) => socket.write(`${head}content-length: 3\r\n\r\nabcGARBAGE\r\n`) },
  { name: "19: a body larger than the limit", code: "body-limit", body: "x".repeat(1000), answer: (socket) => socket.write(`${head}\r\n${"x".repeat(5000)}`) },
];

describe("the exchange ends within its deadlines, with a name and what had arrived", () => {
  test.concurrent.each(hostile)("$name", async ({ answer, code, body }) => {
    await using server = await serveBytes((socket) => answer(socket));
    const startedAt = performance.now();
    const draft = await search(server, { limits });
    expect(draft.end).toMatchObject({ kind: "failed", code });
    expect(draft.end).toMatchObject({ message: expect.stringMatching(new RegExp(`^127\\.0\\.0\\.1:${server.port}: [^\\n]+$`)) });
    expect(bodyOf(draft)).toEqual(body ?? expect.any(String));
    expect(draft.response === undefined).toBe(draft.times.headersAtMicros === undefined);
    expect(performance.now() - startedAt).toBeLessThan(1900);
  });

  test("a reset after a complete body means nothing", async () => {
    await using server = await serveBytes((socket) => {
      socket.write(`${head}content-length: 3\r\n\r\nabc`, () => socket.resetAndDestroy());
    });
    expect((await search(server, { limits })).end).toEqual({ kind: "complete" });
  });

  test("the caller can cancel", async () => {
    await using server = await serveBytes((socket) => socket.write(`${head}\r\nabc`));
    const abort = new AbortController();
    const pending = clientOf(server).search({ parameters: {}, credential: "none", signal: abort.signal });
    setTimeout(() => abort.abort(), 50);
    expect(await pending).toMatchObject({ end: { kind: "failed", code: "aborted" }, response: { status: 200 } });
  });

  test("what was cancelled before is not sent", async () => {
    await using server = await serveBytes((socket) => socket.end());
    const draft = await clientOf(server).search({ parameters: {}, credential: "none", signal: AbortSignal.abort() });
    expect(draft.end).toMatchObject({ code: "aborted" });
    expect(server.connections()).toBe(0);
  });
});

describe("a target that cannot be reached", () => {
  test.each([
    { url: "http://127.0.0.1:1", code: "refused", message: /^127\.0\.0\.1:1: the connection was refused \(ECONNREFUSED\)$/ },
    { url: "http://nowhere.invalid", code: "dns", message: /^nowhere\.invalid:80: its name could not be resolved/ },
  ])("$url", async ({ url, code, message }) => {
    const draft = await search({ url });
    expect(draft.end).toMatchObject({ kind: "failed", code, message: expect.stringMatching(message) });
    expect(draft.response).toBeUndefined();
  });

  test("by TLS, because it never shakes hands, ends at the connect deadline", async () => {
    await using server = await serveBytes(() => undefined);
    const draft = await search(
      { url: `https://127.0.0.1:${server.port}` },
      { limits: { connectTimeoutMs: 200, firstByteTimeoutMs: 4000 } },
    );
    expect(draft.end).toMatchObject({ code: "connect-timeout" });
  });

  test("by TLS, because it speaks plain HTTP", async () => {
    await using server = await serveHttp((_request, response) => response.end());
    expect((await search({ url: `https://127.0.0.1:${server.port}` })).end).toMatchObject({ code: "tls" });
  });
});

describe("any request", () => {
  test("goes out as it was asked for, extra headers only to the target", async () => {
    await using server = await serveHttp((request, response) => response.end(`${request.method} ${request.headers["x-proxy"]}`));
    await using other = await serveHttp((request, response) => response.end(`${request.headers["x-proxy"]}`));
    const client = clientOf(server, { extraHeaders: [["x-proxy", "secret"]] });
    expect(bodyOf(await client.send({ url: `${server.url}/openapi.json` }))).toBe("GET secret");
    expect(bodyOf(await client.send({ url: `${other.url}/openapi.json` }))).toBe("undefined");
    expect(bodyOf(await client.send({ url: server.url, method: "DELETE" }))).toBe("DELETE secret");
  });

  test.each(["ftp://h/", "nonsense", "http://user:hunter2@h/"])("to %j is refused without quoting it", async (url) => {
    const refused = clientOf({ url: "http://h" }).send({ url });
    await expect(refused).rejects.toMatchObject({ code: "bad-url", message: expect.not.stringContaining("hunter2") });
  });

  test("with a header that would split the request is refused", async () => {
    const refused = clientOf({ url: "http://h" }).send({ url: "http://h", headers: [["x-a", "b\r\nx-c: d"]] });
    await expect(refused).rejects.toMatchObject({ code: "bad-header" });
  });
});

test("a token and an extra authorization header are not sent together", async () => {
  const client = clientOf({ url: "http://h" }, { extraHeaders: [["authorization", "Bearer proxy"]] });
  await expect(client.search({ parameters: {}, credential: "access-token", token: "abcdefghij" })).rejects.toThrow(/^bad-header: /);
});
