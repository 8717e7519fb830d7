import { Buffer } from "node:buffer";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { createClient, type ClientOptions, type SearchDraft } from "./client.ts";
import type { KeptConnection } from "./http/dispatcher.ts";
import { closeKeptConnection } from "./http/run-exchange.ts";
import { type Loopback, serveBytes, serveHttp, untilRead } from "./testing/loopback.ts";
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
  test("sends what it records", async () => {
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
      headers: [
        ["X-A", "1"],
        ["x-a", "é"],
        ["Content-Length", "3"],
      ],
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
          // Bytes that are available together form one chunk.
          await untilRead();
        }
        socket.write("0\r\n\r\n");
      })();
    });
    const draft = await search(server);
    const { sentAtMicros, connectedAtMicros = -1, headersAtMicros = -1, endedAtMicros } = draft.times;
    const stamps = (draft.response?.chunks ?? []).map(({ atMicros }) => atMicros);
    const times = [sentAtMicros, connectedAtMicros, headersAtMicros, ...stamps, endedAtMicros];
    expect(draft.response?.chunks.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([
      "event: a\n",
      "data: 1\n",
      "\n",
    ]);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(new Set(stamps).size).toBe(3);
  });

  test("has one chunk for pieces that arrived together", async () => {
    const pieces = 200_000;
    await using server = await serveBytes((socket) =>
      socket.end(`${head}transfer-encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(pieces)}0\r\n\r\n`),
    );
    const draft = await search(server);
    expect(draft.end).toEqual({ kind: "complete" });
    expect(bodyOf(draft)).toBe("x".repeat(pieces));
    expect(draft.response?.chunks.length).toBeLessThan(2000);
  });

  test("may have a shorter time limit than other searches of its client", async () => {
    await using server = await serveBytes((socket) => socket.write(`${head}\r\nevent: progress\n`));
    const client = clientOf(server, { limits: { totalTimeoutMs: 60_000 } });
    const draft = await client.search({ parameters: { q: "x" }, credential: "none", totalTimeoutMs: 200 });
    expect(draft.end).toMatchObject({ kind: "failed", code: "total-timeout" });
    expect(bodyOf(draft)).toBe("event: progress\n");
  });

  test("reads on after the last event until the server closes", async () => {
    await using server = await serveBytes((socket) => {
      socket.write(`${head}connection: close\r\n\r\n${stream}`);
      void untilRead().then(() => socket.end("late"));
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
    let closed: Promise<unknown[]> | undefined;
    await using server = await serveBytes((accepted) => {
      closed = once(accepted, "close");
      accepted.write(`${head}content-length: 1\r\n\r\nx`);
    });
    expect((await search(server)).end).toEqual({ kind: "complete" });
    expect(await closed).toEqual([false]);
  });
});

describe("a redirect is an answer", () => {
  test.each([
    "http://127.0.0.1:1/",
    "https://other.invalid/x",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "/.api/search/stream",
    "//[",
    "\t",
  ])("to %j", async (location) => {
    await using server = await serveBytes((socket) =>
      socket.end(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`),
    );
    const draft = await search(server);
    expect(draft).toMatchObject({ end: { kind: "complete" }, response: { status: 302 } });
    expect(server.connections()).toBe(1);
  });
});

describe("a target that cannot be reached", () => {
  test.each([
    {
      url: "http://127.0.0.1:1",
      code: "refused",
      message: /^cannot connect to 127\.0\.0\.1:1: the connection was refused \(ECONNREFUSED\)$/,
    },
    {
      url: "http://nowhere.invalid",
      code: "dns",
      message: /^cannot connect to nowhere\.invalid:80: its name could not be resolved/,
    },
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

  test("by TLS, because it uses plain HTTP", async () => {
    await using server = await serveHttp((_request, response) => response.end());
    expect((await search({ url: `https://127.0.0.1:${server.port}` })).end).toMatchObject({ code: "tls" });
  });
});

describe("any request", () => {
  test("is sent as requested, with extra headers only to the target", async () => {
    await using server = await serveHttp((request, response) =>
      response.end(`${request.method} ${String(request.headers["x-proxy"])}`),
    );
    await using other = await serveHttp((request, response) => response.end(String(request.headers["x-proxy"])));
    const client = clientOf(server, { extraHeaders: [["x-proxy", "secret"]] });
    const sent = await client.send({ url: `${server.url}/openapi.json` });
    const sentElsewhere = await client.send({ url: `${other.url}/openapi.json` });
    expect([bodyOf(sent), sent.givenHeaders]).toEqual(["GET secret", ["x-proxy"]]);
    expect([bodyOf(sentElsewhere), sentElsewhere.givenHeaders]).toEqual(["undefined", undefined]);
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
  await expect(client.search({ parameters: {}, credential: "access-token", token: "abcdefghij" })).rejects.toThrow(
    /^bad-header: /,
  );
});

describe("a kept connection", () => {
  const searchOn = (server: Loopback, connection: KeptConnection, q = "x"): Promise<SearchDraft> =>
    clientOf(server).search({ parameters: { q }, credential: "none", connection });

  test("carries the searches that name it, and no others", async () => {
    await using server = await serveHttp((request, response) => response.end(String(request.url)));
    const connection: KeptConnection = {};
    const first = await searchOn(server, connection, "1");
    const second = await searchOn(server, connection, "2");
    const other = await search(server);
    closeKeptConnection(connection);
    expect([first, second, other].map(({ reusesConnection }) => reusesConnection)).toEqual([
      undefined,
      true,
      undefined,
    ]);
    expect([first, second].map(({ times }) => times.connectedAtMicros === undefined)).toEqual([false, true]);
    expect([bodyOf(first), bodyOf(second)]).toEqual([1, 2].map((q) => `/.api/search/stream?q=${q}`));
    expect(server.connections()).toBe(2);
  });

  test("is used again after a refusal", async () => {
    await using server = await serveHttp((request, response) => {
      response.statusCode = request.url?.endsWith("=1") === true ? 401 : 200;
      response.end("no");
    });
    const connection: KeptConnection = {};
    const drafts = [await searchOn(server, connection, "1"), await searchOn(server, connection, "2")];
    closeKeptConnection(connection);
    expect(drafts.map(({ response }) => response?.status)).toEqual([401, 200]);
    expect(server.connections()).toBe(1);
  });

  test("is opened again if the server closed it, before or after the next request", async () => {
    await using server = await serveBytes((socket) => {
      socket.write(`${head}content-length: 2\r\n\r\nok`);
      // A second request on the connection is not answered.
      socket.once("data", () => socket.destroy());
    });
    const connection: KeptConnection = {};
    const drafts = [await searchOn(server, connection), await searchOn(server, connection)];
    closeKeptConnection(connection);
    expect(drafts.map(({ end, reusesConnection }) => [end.kind, reusesConnection])).toEqual([
      ["complete", undefined],
      ["complete", undefined],
    ]);
    expect(server.connections()).toBe(2);
  });

  test.each([
    { name: "is cut off", answer: `${head}content-length: 20\r\n\r\nok`, kind: "failed" },
    { name: "is followed by more bytes", answer: `${head}content-length: 2\r\n\r\nok, and more`, kind: "failed" },
    { name: "asks to close", answer: `${head}connection: close\r\ncontent-length: 2\r\n\r\nok`, kind: "complete" },
  ])("ends with a response that $name", async ({ answer, kind }) => {
    await using server = await serveBytes((socket) => void socket.end(answer));
    const connection: KeptConnection = {};
    const drafts = [await searchOn(server, connection), await searchOn(server, connection)];
    closeKeptConnection(connection);
    expect(drafts.map(({ end }) => end.kind)).toEqual([kind, kind]);
    expect(drafts.map(({ reusesConnection }) => reusesConnection)).toEqual([undefined, undefined]);
    expect(server.connections()).toBe(2);
  });
});
