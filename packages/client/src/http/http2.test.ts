import { Buffer } from "node:buffer";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createProxyServer } from "node:http";
import { constants, createSecureServer } from "node:http2";
import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Stream } from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import { connect, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer, TLSSocket } from "node:tls";
import { createCertificateMaker } from "@assay/tools/certificates";
import type { ExchangeDraft, HeaderField } from "@assay/evidence";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readClientCertificate } from "../tls/client-certificate.ts";
import { createClient, type ClientOptions } from "../client.ts";
import { createRunClock } from "../run-clock.ts";
import { serve } from "../testing/loopback.ts";

let folder = "";
const read = (name: string): string => readFileSync(join(folder, name), "utf8");
const identity = () => ({ key: read("server.key"), cert: read("server.pem") });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-http2-"));
  const make = createCertificateMaker(folder);
  make.authority("ca");
  make.issue("alice", { authority: "ca" });
  make.issue("server", { authority: "ca", names: "IP:127.0.0.1,DNS:search.invalid" });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Answer = (request: Http2ServerRequest, response: Http2ServerResponse) => unknown;

const http2Server = (answer: Answer): Server =>
  createSecureServer({ ...identity(), allowHTTP1: true }, (request, response) => void answer(request, response));

const textOf = ({ response }: Pick<ExchangeDraft, "response">): string =>
  Buffer.concat((response?.chunks ?? []).map(({ bytes }) => bytes)).toString();

async function create(baseUrl: string, body: string) {
  const env = { SSL_CERT_FILE: join(folder, "ca.pem") };
  const client = createClient({ baseUrl, clock: createRunClock(), userAgent: "assay/1", env, http: "2" });
  const call = { interface: "current", operation: "create", method: "POST", path: "/api/x" } as const;
  const draft = await client.call({ ...call, body, credential: "none" });
  return { ...draft, body: textOf(draft) };
}

async function ask(baseUrl: string, options: Partial<ClientOptions> & { readonly signal?: AbortSignal } = {}) {
  const { signal, env, ...others } = options;
  const client = createClient({
    baseUrl,
    clock: createRunClock(),
    userAgent: "assay/test",
    env: { SSL_CERT_FILE: join(folder, "ca.pem"), ...env },
    http: "2",
    ...others,
  });
  const draft = await client.search({ parameters: { q: "x y" }, credential: "none", ...(signal && { signal }) });
  return { ...draft, body: textOf(draft) };
}

describe("over HTTP/2", () => {
  test("requests and responses are recorded unchanged", async () => {
    const seen: unknown[] = [];
    await using server = await serve(
      http2Server((request, response) => {
        seen.push([request.httpVersion, request.method, request.url, request.headers["accept"], request.authority]);
        response.stream.respond({ ":status": 200, "x-b": "1", "x-a": "2", "set-cookie": ["c=1", "d=2"] });
        response.stream.end("hello");
      }),
    );
    const baseUrl = `https://127.0.0.1:${server.port}`;
    const { body, end, httpVersion, response, times } = await ask(`${baseUrl}/prefix`);
    const path = "/prefix/.api/search/stream?q=x%20y";
    expect(seen).toEqual([["2.0", "GET", path, "text/event-stream", `127.0.0.1:${server.port}`]]);
    expect([httpVersion, end, body, response?.status]).toEqual(["2", { kind: "complete" }, "hello", 200]);
    expect(response?.headers.slice(0, 4)).toEqual([
      ["x-b", "1"],
      ["x-a", "2"],
      ["set-cookie", "c=1"],
      ["set-cookie", "d=2"],
    ]);
    const { sentAtMicros, connectedAtMicros = 0, headersAtMicros = 0, endedAtMicros } = times;
    const order = [sentAtMicros, connectedAtMicros, headersAtMicros, endedAtMicros];
    expect(order.toSorted((one, other) => one - other)).toEqual(order);
  });

  test("a call with a body arrives whole", async () => {
    await using server = await serve(
      http2Server(async (request, response) => {
        const pieces = await request.toArray();
        response.end(`${request.headers["content-length"]} ${Buffer.concat(pieces).toString()}`);
      }),
    );
    const { body, httpVersion } = await create(`https://127.0.0.1:${server.port}`, '{"q":"ü"}');
    expect([body, httpVersion]).toEqual(['10 {"q":"ü"}', "2"]);
  });

  test("each chunk has its arrival time", async () => {
    await using server = await serve(
      http2Server((_request, response) => {
        response.write("first");
        // The client answers a ping after reading everything before it.
        response.stream.session?.ping(() => setTimeout(() => response.end("second"), 50));
      }),
    );
    const clock = createRunClock();
    const asking = ask(`https://127.0.0.1:${server.port}`, { clock });
    const headAtMicros = clock.nowMicros();
    const { response } = await asking;
    const [first, second] = response?.chunks ?? [];
    expect(first?.atMicros).toBeGreaterThan(headAtMicros);
    expect((second?.atMicros ?? 0) - (first?.atMicros ?? 0)).toBeGreaterThan(10_000);
  });

  test("a large body is not delayed", async () => {
    const text = "x".repeat(8 * 1024 * 1024);
    await using server = await serve(http2Server((_request, response) => response.end(text)));
    const { body, end } = await ask(`https://127.0.0.1:${server.port}`);
    expect([body.length, end]).toEqual([text.length, { kind: "complete" }]);
  });

  test("goes through the tunnel of a proxy", async () => {
    await using server = await serve(http2Server((request, response) => response.end(request.httpVersion)));
    const proxy = createProxyServer().on("connect", (_request, socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const onward = connect(server.port, "127.0.0.1").on("error", () => socket.destroy());
      socket.on("error", () => onward.destroy());
      socket.pipe(onward).pipe(socket);
    });
    await using running = await serve(proxy);
    expect(await ask("https://search.invalid", { env: { HTTPS_PROXY: running.url } })).toMatchObject({ body: "2.0" });
  });

  test.each<{ name: string; limits: ClientOptions["limits"]; code: string }>([
    { name: "first byte", limits: { firstByteTimeoutMs: 100 }, code: "first-byte-timeout" },
    { name: "whole answer", limits: { totalTimeoutMs: 100 }, code: "total-timeout" },
  ])("the deadline for the $name holds", async ({ limits = {}, code }) => {
    await using server = await serve(http2Server(() => undefined));
    const { end } = await ask(`https://127.0.0.1:${server.port}`, { limits });
    expect(end).toMatchObject({ kind: "failed", code });
  });

  test("limits of head and body hold", async () => {
    await using server = await serve(
      http2Server((request, response) => {
        response.setHeader("x-long", "y".repeat(3000));
        response.end("z".repeat(5000));
        return request;
      }),
    );
    const baseUrl = `https://127.0.0.1:${server.port}`;
    const codeOf = async (limits: ClientOptions["limits"] = {}) => (await ask(baseUrl, { limits })).end;
    expect(await codeOf({ maxHeaderBytes: 1000 })).toMatchObject({ code: "headers-overflow" });
    expect(await codeOf({ maxBodyBytes: 1000 })).toMatchObject({ code: "body-limit" });
  });

  test("a head may have many fields", async () => {
    const fields = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`x-${index}`, "1"]));
    await using server = await serve(
      http2Server((_request, response) => {
        response.stream.respond({ ":status": 200, ...fields }, { endStream: true });
      }),
    );
    const { response, end: ended } = await ask(`https://127.0.0.1:${server.port}`);
    expect([response?.headers.length, ended]).toEqual([301, { kind: "complete" }]);
  });

  test("a target that asks for a client certificate gets it", async () => {
    const asking = createSecureServer(
      { ...identity(), ca: read("ca.pem"), requestCert: true, rejectUnauthorized: false },
      ({ stream }, response) => {
        const { socket } = stream.session ?? {};
        response.end(socket instanceof TLSSocket ? String(socket.getPeerCertificate().subject.CN) : "nobody");
      },
    );
    await using server = await serve(asking);
    const [certificateFile, keyFile] = ["alice.pem", "alice.key"].map((name) => join(folder, name));
    const clientCertificate = await readClientCertificate({ certificateFile, keyFile }, {});
    const { body } = await ask(`https://127.0.0.1:${server.port}`, { clientCertificate });
    expect(body).toBe("alice");
  });

  test("an aborted exchange ends at once", async () => {
    await using server = await serve(http2Server(() => undefined));
    const abort = new AbortController();
    const asking = ask(`https://127.0.0.1:${server.port}`, { signal: abort.signal });
    abort.abort();
    expect((await asking).end).toMatchObject({ code: "aborted" });
  });
});

describe("a target without HTTP/2 gets no request", () => {
  const says = /it does not offer HTTP\/2, which is required; remove --http 2/;
  test.each([
    { name: "by an alert", options: {} },
    { name: "by ignoring the request for a certificate", options: { ALPNProtocols: [] } },
  ])("$name", async ({ options }) => {
    const asked: string[] = [];
    await using server = await serve(
      createHttpsServer({ ...identity(), ...options }, ({ url = "" }, response) => {
        asked.push(url);
        response.end();
      }),
    );
    const { end, httpVersion } = await ask(`https://127.0.0.1:${server.port}`);
    expect([end, asked, httpVersion]).toEqual([
      { kind: "failed", code: "tls", message: expect.stringMatching(says) },
      [],
      "2",
    ]);
  });

  test("nor by http", async () => {
    await expect(ask("http://127.0.0.1:1")).rejects.toThrow(/^bad-base-url: HTTP\/2 requires https.*; use an https/);
  });
});

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** Start of a frame. Source: RFC 9113, section 4.1. */
type Head = readonly [type: number, flags: number, stream: number];

function frame([type, flags, stream]: Head, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

const settings = Buffer.concat([frame([4, 0, 0]), frame([4, 1, 0])]);
/** Only `:status: 200`, from the static table. */
const ok = frame([1, 4, 1], Buffer.from([0x88]));
const data = frame([0, 0, 1], Buffer.from("hello"));
const end = frame([0, 1, 1]);
const reset = (code: number): Buffer => frame([3, 0, 1], u32(code));

/** A server that answers the first bytes with frames, and closes the connection. */
const frameServer = (frames: readonly Buffer[]): Server =>
  createTlsServer({ ...identity(), ALPNProtocols: ["h2"] }, (socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(Buffer.concat([settings, ...frames])));
  });

const complete = { kind: "complete" } as const;
const failed = (code: string) => ({ kind: "failed", code });

describe("the fate of a stream is reported exactly:", () => {
  test.each<{ name: string; frames: readonly Buffer[]; end: object; body: string }>([
    { name: "ended", frames: [ok, data, end], end: complete, body: "hello" },
    {
      name: "ended with trailers",
      frames: [ok, data, frame([1, 5, 1], Buffer.from([0, 1, 97, 1, 98]))],
      end: complete,
      body: "hello",
    },
    { name: "cancelled in the middle", frames: [ok, data, reset(8)], end: failed("truncated"), body: "hello" },
    {
      name: "reset without an error in the middle",
      frames: [ok, data, reset(0)],
      end: failed("truncated"),
      body: "hello",
    },
    { name: "reset without an error after its head", frames: [ok, reset(0)], end: failed("truncated"), body: "" },
    { name: "reset without an error after its end", frames: [ok, data, end, reset(0)], end: complete, body: "hello" },
    { name: "ended by its head", frames: [frame([1, 5, 1], Buffer.from([0x88])), reset(0)], end: complete, body: "" },
    { name: "broken in the middle", frames: [ok, data, reset(2)], end: failed("truncated"), body: "hello" },
    { name: "left in the middle", frames: [ok, data], end: failed("truncated"), body: "hello" },
    { name: "refused", frames: [reset(7)], end: failed("reset"), body: "" },
    { name: "cancelled before a head", frames: [reset(8)], end: failed("reset"), body: "" },
    { name: "left before a head", frames: [], end: failed("reset"), body: "" },
    {
      name: "an abandoned connection",
      frames: [frame([7, 0, 0], Buffer.concat([u32(0), u32(0)]))],
      end: failed("reset"),
      body: "",
    },
    {
      name: "invalid frames",
      frames: [frame([99, 0, 0], u32(1)), frame([0, 0, 0], u32(1))],
      end: failed("reset"),
      body: "",
    },
  ])("$name", async ({ frames, end: expected, body }) => {
    await using server = await serve(frameServer(frames));
    expect(await ask(`https://127.0.0.1:${server.port}`)).toMatchObject({ end: expected, body });
  });

  test("a response sent before the request was read, and then reset without an error, is complete", async () => {
    const codes: number[] = [];
    const server = createSecureServer(identity()).on("stream", (stream: ServerHttp2Stream) => {
      stream.on("close", () => codes.push(stream.rstCode));
      stream.respond({ ":status": 200 });
      stream.end("hello");
    });
    await using running = await serve(server);
    // Larger than the server accepts without reading.
    const { body, end: ended } = await create(`https://127.0.0.1:${running.port}`, "x".repeat(1_000_000));
    expect([body, ended, codes]).toEqual(["hello", complete, [constants.NGHTTP2_NO_ERROR]]);
  });

  test("an informational head is not the head", async () => {
    await using server = await serve(
      http2Server((_request, response) => {
        response.stream.additionalHeaders({ ":status": 103, link: "<x>" });
        response.stream.respond({ ":status": 204 }, { endStream: true });
      }),
    );
    const { response, end: ended } = await ask(`https://127.0.0.1:${server.port}`);
    const names = response?.headers.map(([name]: HeaderField) => name);
    expect([response?.status, ended, names]).toEqual([204, complete, ["date"]]);
  });
});
