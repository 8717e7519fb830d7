import { Buffer } from "node:buffer";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import type { CallDraft, CallRequest } from "./call.ts";
import { type Client, type ClientOptions, createClient } from "./client.ts";
import { serveBytes, serveHttp } from "./testing/loopback.ts";
import { createRunClock } from "./run-clock.ts";

/** A request as received by the server. */
interface Received {
  readonly line: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

async function received(request: IncomingMessage): Promise<Received> {
  const pieces: Buffer[] = [];
  request.on("data", (piece: Buffer) => pieces.push(piece));
  await once(request, "end");
  const body = Buffer.concat(pieces).toString("utf8");
  return { line: `${request.method} ${request.url}`, headers: request.headers, body };
}

const clientOf = (url: string, options: Partial<ClientOptions> = {}): Client =>
  createClient({ baseUrl: url, clock: createRunClock(), userAgent: "assay/1.2.3", ...options });

const create: CallRequest = {
  interface: "legacy",
  operation: "create",
  method: "POST",
  path: "/.api/deepsearch/v1",
  body: '{"question":"wo? ü"}',
  credential: "access-token",
  token: "abcdefghij",
};

/** What the server received, and the draft of the client. */
async function exchange(
  request: Partial<CallRequest>,
  options: Partial<ClientOptions> = {},
  prefix = "",
): Promise<{ readonly seen: Received; readonly draft: CallDraft; readonly url: string }> {
  const requests: Promise<Received>[] = [];
  await using server = await serveHttp((incoming, response) => {
    const reading = received(incoming);
    requests.push(reading);
    void reading.then(() => response.writeHead(202, { "content-type": "application/json" }).end('{"id":1}'));
  });
  const draft = await clientOf(server.url + prefix, options).call({ ...create, ...request });
  const [seen] = await Promise.all(requests);
  expect(seen).toBeDefined();
  return { seen: seen!, draft, url: server.url };
}

const bodyOf = ({ response }: Pick<CallDraft, "response">): Buffer =>
  Buffer.concat((response?.chunks ?? []).map(({ bytes }) => bytes));

describe("a call", () => {
  test("sends what it records", async () => {
    const { seen, draft, url } = await exchange({ session: "legacy-poller-1" }, {}, "/prefix/");
    expect(seen).toMatchObject({ line: "POST /prefix/.api/deepsearch/v1", body: create.body });
    expect(draft).toMatchObject({
      interface: "legacy",
      operation: "create",
      credential: "access-token",
      session: "legacy-poller-1",
      request: { method: "POST", url: `${url}/prefix/.api/deepsearch/v1`, body: create.body },
      end: { kind: "complete" },
      response: { status: 202 },
    });
    expect(bodyOf(draft).toString()).toBe('{"id":1}');
    expect(draft.request.headers).toEqual([
      ["user-agent", "assay/1.2.3"],
      ["accept-encoding", "identity"],
      ["accept", "application/json"],
      ["authorization", "token abcdefghij"],
      ["content-type", "application/json"],
      ["x-requested-with", "assay 1.2.3"],
    ]);
    expect(seen.headers).toMatchObject(Object.fromEntries(draft.request.headers));
  });

  test("without a body has no content type, and only a given session", async () => {
    const { body: _body, ...rest } = create;
    await using server = await serveHttp((_request, response) => response.end("[]"));
    const draft = await clientOf(server.url).call({ ...rest, operation: "list", method: "GET" });
    expect(Object.keys(draft)).not.toContain("session");
    expect(Object.keys(draft.request)).not.toContain("body");
    expect(draft.request.headers.map(([name]) => name)).not.toContain("content-type");
  });

  test.each([
    { credential: "access-token", sent: "token abcdefghij" },
    { credential: "other-token", sent: "token abcdefghij" },
    { credential: "read-token", sent: "token abcdefghij" },
    { credential: "invalid-token", sent: "token abcdefghij" },
    { credential: "oauth-token", sent: "Bearer abcdefghij" },
    { credential: "shortened-token", sent: "token abcdefghij" },
    { credential: "empty-token", sent: "token" },
    { credential: "other-scheme", sent: "Assay abcdefghij" },
    { credential: "none", sent: undefined },
    { credential: "access-token", scheme: "Bearer", sent: "Bearer abcdefghij" },
    { credential: "oauth-token", scheme: "token", sent: "token abcdefghij" },
    { credential: "empty-token", scheme: "Bearer", sent: "Bearer" },
    { credential: "other-scheme", scheme: "Bearer", sent: "Assay abcdefghij" },
  ] as const)("identifies itself with $credential as $sent", async ({ sent, ...identity }) => {
    const { credential } = identity;
    const { seen, draft } = await exchange(identity);
    expect([seen.headers.authorization, draft.credential]).toEqual([sent, credential]);
  });

  test.each([
    { name: "its name and version to the legacy interface", request: {}, sent: "assay 1.2.3" },
    { name: "another name if given", request: { clientHeader: "assay" }, sent: "assay" },
    { name: "no name if omitted", request: { clientHeader: null }, sent: undefined },
    { name: "no name to the current interface", request: { interface: "current" }, sent: undefined },
    {
      name: "a name to the current interface if given",
      request: { interface: "current", clientHeader: "a 1" },
      sent: "a 1",
    },
    { name: "a header of the call before its own", request: { headers: [["X-Requested-With", "b 2"]] }, sent: "b 2" },
  ] as const)("gives $name", async ({ request, sent }) => {
    const { seen } = await exchange(request);
    expect(seen.headers["x-requested-with"]).toBe(sent);
  });

  test("omits a header that every request has", async () => {
    const { seen } = await exchange(
      { clientHeader: null },
      {
        extraHeaders: [
          ["x-requested-with", "other 1"],
          ["x-proxy", "p"],
        ],
      },
    );
    expect([seen.headers["x-requested-with"], seen.headers["x-proxy"]]).toEqual([undefined, "p"]);
  });

  test("encodes its query", async () => {
    const query = [
      ["filter_read_token", "a b&c=ü"],
      ["sort", "-id"],
    ] as const;
    const { seen } = await exchange({ query, method: "GET", operation: "list" });
    expect(seen.line).toBe("GET /.api/deepsearch/v1?filter_read_token=a%20b%26c%3D%C3%BC&sort=-id");
  });

  test("may be DELETE", async () => {
    const { seen } = await exchange({ method: "DELETE", operation: "delete", path: "/.api/deepsearch/v1/7" });
    expect(seen.line).toBe("DELETE /.api/deepsearch/v1/7");
  });

  test("ends at its own deadline", async () => {
    await using server = await serveBytes(() => undefined);
    const draft = await clientOf(server.url).call({ ...create, totalTimeoutMs: 100 });
    expect(draft.end).toMatchObject({ kind: "failed", code: "total-timeout" });
  });

  test("ends when it is cancelled", async () => {
    const controller = new AbortController();
    await using server = await serveBytes(() => controller.abort());
    const draft = await clientOf(server.url).call({ ...create, signal: controller.signal });
    expect(draft.end).toMatchObject({ kind: "failed", code: "aborted" });
  });

  test.each([
    { name: "a path that climbs", request: { path: "/.api/deepsearch/v1/../x" }, code: "bad-url" },
    { name: "a path that climbs in disguise", request: { path: "/.api/deepsearch/v1/%2e%2E" }, code: "bad-url" },
    { name: "a path with a query", request: { path: "/.api/deepsearch/v1/1?x=1" }, code: "bad-url" },
    { name: "a path with a fragment", request: { path: "/.api/deepsearch/v1/1#x" }, code: "bad-url" },
    { name: "a path with a space", request: { path: "/.api/deepsearch/v1/1 2" }, code: "bad-url" },
    { name: "a path that starts a host", request: { path: "@other.example/" }, code: "bad-url" },
    { name: "a path without a slash", request: { path: ".api" }, code: "bad-url" },
    { name: "a body over the limit of a record", request: { body: "x".repeat(1024 * 1024 + 1) }, code: "bad-body" },
    { name: "a header that frames", request: { headers: [["Content-Length", "1"]] }, code: "bad-header" },
    { name: "a client name with a line break", request: { clientHeader: "a\r\nb: c" }, code: "bad-header" },
  ] as const)("with $name is refused", async ({ request, code }) => {
    await expect(clientOf("http://h").call({ ...create, ...request })).rejects.toMatchObject({ code });
  });

  test("keeps a path with encoded slashes unchanged", async () => {
    const { seen } = await exchange({ path: "/.api/deepsearch/v1/..%2F..%2Fx" }, {}, "/a/b");
    expect(seen.line).toBe("POST /a/b/.api/deepsearch/v1/..%2F..%2Fx");
  });
});

const maxDocumentBytes = 16 * 1024 * 1024;

describe("fetching the OpenAPI document", () => {
  test("requests the reference of the target without credentials", async () => {
    const requests: Promise<Received>[] = [];
    await using server = await serveHttp((request, response) => {
      requests.push(received(request));
      response.end("openapi: 3.1.0\n");
    });
    const draft = await clientOf(`${server.url}/prefix`).describe();
    const [seen] = await Promise.all(requests);
    expect(seen).toMatchObject({
      line: "GET /prefix/api-reference",
      headers: { accept: expect.stringContaining("yaml") },
    });
    expect(seen?.headers.authorization).toBeUndefined();
    expect(draft).toMatchObject({ interface: "reference", operation: "describe", credential: "none" });
    expect(bodyOf(draft).toString()).toBe("openapi: 3.1.0\n");
  });

  test("follows no redirect", async () => {
    await using server = await serveHttp((_request, response) => response.writeHead(302, { location: "/x" }).end());
    const draft = await clientOf(server.url).describe({ url: `${server.url}/openapi.yml` });
    expect([draft.response?.status, server.connections()]).toEqual([302, 1]);
  });

  test.each([
    { name: "16 MiB and a byte", bytes: maxDocumentBytes + 1, end: { kind: "complete" } },
    { name: "more", bytes: maxDocumentBytes + 100_000, end: { kind: "failed", code: "body-limit" } },
  ])("keeps of $name no more than a byte over 16 MiB", async ({ bytes, end }) => {
    await using server = await serveHttp((_request, response) => response.end(Buffer.alloc(bytes, 32)));
    const draft = await clientOf(server.url).describe();
    expect(draft.end).toMatchObject(end);
    expect(bodyOf(draft).length).toBe(maxDocumentBytes + 1);
  });
});
