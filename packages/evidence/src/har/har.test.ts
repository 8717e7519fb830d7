import { anyCharacter } from "@assay/tools/any-character";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exampleDraft, exampleManifest, exampleRedactor } from "../testing/exchange-example.ts";
import type { ExchangeDraft } from "../exchange.ts";
import { exportHar } from "./har-export.ts";
import { importHar } from "./har-import.ts";
import { type RecordedExchange, recordDraft } from "../recorded-exchange.ts";

const har = (...drafts: readonly ExchangeDraft[]): Buffer =>
  Buffer.from(exportHar({ manifest: exampleManifest, exchanges: drafts.map(recordDraft) }));

const bodyOf = (exchange: RecordedExchange | undefined): Buffer =>
  Buffer.concat(Array.from(exchange?.chunks() ?? [], ({ bytes }) => bytes));

const url = "https://h/prefix/.api/search/stream?q=x";
const entries = (...list: readonly unknown[]): Buffer => Buffer.from(JSON.stringify({ log: { entries: list } }));
const entry = (content: object, rest: object = {}): object => ({
  startedDateTime: "2026-01-02T03:04:05.000Z",
  time: 12.5,
  request: { method: "GET", url, headers: [] },
  response: { status: 200, headers: [], content, ...rest },
});

describe("export and import", () => {
  test("give the same request, status, headers, end and body", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ minLength: 1 })), fc.string({ unit: anyCharacter }), (chunks, value) => {
        const draft = exampleDraft("e0", [...chunks]);
        const request = {
          ...draft.request,
          headers: [
            ["X-A", value],
            ["X-A", "again"],
          ] as const,
        };
        const [imported] = importHar(har({ ...draft, request })).exchanges;
        expect(imported?.record.request).toEqual(request);
        expect(imported?.record.response).toMatchObject({ status: 200, headers: draft.response?.headers });
        expect(imported?.record.end).toEqual(draft.end);
        expect(bodyOf(imported).equals(Buffer.concat(chunks))).toBe(true);
      }),
    );
  });

  test("keep why an exchange failed, and its part of a body", () => {
    const end = { kind: "failed", code: "reset", message: "cut" } as const;
    const [imported] = importHar(har({ ...exampleDraft("e0", ["event: ma"]), end })).exchanges;
    expect(imported?.record.end).toEqual(end);
    expect(bodyOf(imported).toString()).toBe("event: ma");
  });

  test("keep that we closed the connection", () => {
    const end = { kind: "complete", closedBy: "client" } as const;
    expect(importHar(har({ ...exampleDraft("e0"), end })).exchanges[0]?.record.end).toEqual(end);
  });

  test("keep that a body could not be decoded", () => {
    const end = { kind: "failed", code: "decompression", message: "not gzip" } as const;
    const [imported] = importHar(har({ ...exampleDraft("e0", []), end })).exchanges;
    expect(imported).toMatchObject({ unreadable: "the body could not be decoded: not gzip", record: { end } });
  });

  test("keep a byte order mark at the start of a body", () => {
    const [imported] = importHar(har(exampleDraft("e0", ["\uFEFFdata"]))).exchanges;
    expect(bodyOf(imported).toString()).toBe("\uFEFFdata");
  });

  test("keep that an exchange had no response", () => {
    const { response: _response, ...silent } = exampleDraft("e0");
    const [imported] = importHar(har({ ...silent, end: { kind: "failed", code: "refused", message: "no" } })).exchanges;
    expect(imported?.record.response).toBeUndefined();
    expect(imported?.record.end).toMatchObject({ code: "refused" });
  });
});

describe("the recording of a browser", () => {
  test("becomes one chunk at the end of the exchange, with an unknown credential", () => {
    const [first, second] = importHar(
      entries(entry({ text: "abc" }), {
        ...entry({ text: "x", size: 1 }),
        startedDateTime: "2026-01-02T03:04:06.000Z",
      }),
    ).exchanges;
    expect(first?.record).toMatchObject({
      id: "har-0",
      probe: "import",
      credential: "unknown",
      times: { sentAtMicros: 0, endedAtMicros: 12_500 },
      response: { body: { bytes: 3, chunks: [[3, 12_500]] } },
    });
    expect(second?.record.times).toEqual({ sentAtMicros: 1_000_000, endedAtMicros: 1_012_500 });
  });

  test("with base64 content is decoded, in every spelling", () => {
    expect(bodyOf(importHar(entries(entry({ text: "/w\n ==", encoding: "Base64" }))).exchanges[0])).toEqual(
      Buffer.from([255]),
    );
    expect(bodyOf(importHar(entries(entry({ text: "/wA=", encoding: "base64" }))).exchanges[0])).toEqual(
      Buffer.from([0xff, 0]),
    );
  });

  test.each([
    { name: "without the text of a body", content: { size: 120 }, reason: /does not contain the response body/ },
    { name: "without anything about a body", content: {}, reason: /does not contain the response body/ },
    {
      name: "of a stream, with size 0 and no text",
      content: { size: 0 },
      reason: /does not contain the response body/,
    },
    { name: "of a stream, with size 0 and an empty text", content: { size: 0, text: "" }, reason: /does not contain/ },
    {
      name: "with a body in an unknown encoding",
      content: { text: "ZGF0YTo=", encoding: "quoted-printable" },
      reason: /in an unknown form: quoted-printable/,
    },
    {
      name: "with invalid base64",
      content: { text: "data: {}", encoding: "base64" },
      reason: /in an unknown form: not base64/,
    },
    { name: "with a truncated body", content: { size: 120, text: "abc" }, reason: /only part/ },
  ])("$name cannot be judged", ({ content, reason }) => {
    const [imported] = importHar(entries(entry(content))).exchanges;
    expect(imported?.unreadable).toMatch(reason);
    expect(() => imported?.chunks()).toThrow(/^body-unreadable: /);
  });

  test.each([
    { name: "status 204", rest: { status: 204 } },
    { name: "status 304", rest: { status: 304 } },
    { name: "a length of 0", rest: { headers: [{ name: "Content-Length", value: "0" }] } },
  ])("without a text can be judged where the response has $name", ({ rest }) => {
    const [imported] = importHar(entries(entry({ size: 0 }, rest))).exchanges;
    expect(imported?.unreadable).toBeUndefined();
    expect(bodyOf(imported)).toHaveLength(0);
  });

  test.each(["OPTIONS", "HEAD", "POST", "get", undefined])(
    "skips and counts a request with the method %s",
    (method) => {
      const other = { ...entry({ text: "abc" }), request: { method, url, headers: [] } };
      expect(importHar(entries(other, entry({ text: "abc" })))).toMatchObject({
        skippedEntries: 1,
        exchanges: [{ record: { id: "har-1", request: { method: "GET" } } }],
      });
    },
  );

  test.each([
    ["Authorization", "token sgp_0123456789abcdef0123", true],
    ["authorization", "Bearer [REDACTED]", false],
    ["Authorization", "token ********", false],
    ["Cookie", "sgs=0123456789", true],
    ["cookie", "<removed>", false],
    ["Cookie", "", false],
    ["X-Note", "redacted", true],
  ])("keeps a header %s: %s, unless somebody masked it: %s", (name, value, isKept) => {
    const request = { method: "GET", url, headers: [{ name, value }] };
    const [imported] = importHar(entries({ ...entry({ text: "abc" }), request })).exchanges;
    expect(imported?.record.request.headers).toEqual(isKept ? [[name, value]] : []);
  });

  test("with an error has failed", () => {
    const [imported] = importHar(entries(entry({ size: 0 }, { status: 0, _error: "net::ERR\u001b" }))).exchanges;
    expect(imported?.record.end).toEqual({
      kind: "failed",
      code: "aborted",
      message: "the recording reports: net::ERR\\x1b",
    });
  });

  test("counts entries about something else, and odd ones", () => {
    const other = { ...entry({}), request: { method: "GET", url: "https://h/.api/graphql", headers: [] } };
    const odd = [null, 1, {}, { request: { url: "file:///.api/search/stream" } }, { request: { url: "https://" } }];
    const imported = importHar(entries(other, ...odd, entry({ text: "abc" })));
    expect(imported).toMatchObject({ skippedEntries: 6, exchanges: [{ record: { id: "har-6" } }] });
  });

  test("loses its secrets when a redactor is given", () => {
    const secret = "sgp_0123456789abcdef0123";
    const recording = entries(entry({ text: `data: ${secret}` }));
    const [imported] = importHar(recording, { redactor: exampleRedactor() }).exchanges;
    expect(bodyOf(imported).toString()).not.toContain(secret);
    expect(bodyOf(imported)).toHaveLength(6 + secret.length);
  });

  test("began when the first of its exchanges did", () => {
    const later = entry({ text: "abc" });
    const first = { ...later, startedDateTime: "2026-01-02T01:04:05.000+02:00" };
    expect(importHar(entries(later, first)).startedAt).toBe("2026-01-01T23:04:05.000Z");
    expect(importHar(entries({ ...later, startedDateTime: "then" })).startedAt).toBeUndefined();
  });

  test("may begin with a byte order mark", () => {
    expect(importHar(Buffer.concat([Buffer.from("\uFEFF"), entries()]))).toEqual({ exchanges: [], skippedEntries: 0 });
  });
});

test.each([
  { name: "broken JSON", bytes: Buffer.from('{"log":'), message: /^not-a-har: the file is not JSON/ },
  { name: "other JSON", bytes: Buffer.from("[]"), message: /^not-a-har: the file is JSON without/ },
  { name: "entries that are not a list", bytes: Buffer.from('{"log":{"entries":{}}}'), message: /^not-a-har: / },
  { name: "a deep nest", bytes: Buffer.from("[".repeat(1_000_000)), message: /^not-a-har: / },
])("$name is refused with a sentence", ({ bytes, message }) => {
  expect(() => importHar(bytes)).toThrow(message);
});

test.each([
  { name: "too many bytes", options: { maxBytes: 5 } },
  { name: "too many entries", options: { maxEntries: 1 } },
])("$name are refused", ({ options }) => {
  expect(() => importHar(entries(1, 2), options)).toThrow(/^too-large: /);
});

describe("a call of the conversation API", () => {
  const legacyUrl = "https://h/.api/deepsearch/v1";
  const asked = '{"question":"where?"}';

  test("keeps what was sent, exported and imported", () => {
    const draft = exampleDraft("e0", ['{"id":1}']);
    const request = { method: "POST", url: legacyUrl, headers: [], body: asked };
    const [imported] = importHar(har({ ...draft, interface: "legacy", operation: "create", request })).exchanges;
    expect(imported?.record).toMatchObject({ interface: "legacy", operation: "create", request });
    expect(bodyOf(imported).toString()).toBe('{"id":1}');
  });

  test("is recognized by its method and URL among other entries", () => {
    const post = (address: string, postData: unknown): object => ({
      ...entry({ text: "{}" }),
      request: { method: "POST", url: address, headers: [], postData },
    });
    const { exchanges, skippedEntries } = importHar(
      entries(
        post(legacyUrl, { text: asked }),
        post("https://h/.api/graphql", { text: "{}" }),
        post("https://h/api/deepsearch.v1.Service/GetConversation", { text: "{}" }),
        entry({ text: "event: done\ndata: {}\n\n" }),
      ),
    );
    expect(exchanges.map(({ record }) => `${record.id} ${record.interface} ${record.operation}`)).toEqual([
      "har-0 legacy create",
      "har-2 current get",
      "har-3 stream search",
    ]);
    expect(skippedEntries).toBe(1);
  });

  test("without a readable date has no order", () => {
    const read = { ...entry({ text: "{}" }), request: { method: "GET", url: `${legacyUrl}/1`, headers: [] } };
    const later = { ...read, startedDateTime: "2026-01-02T03:04:06.000Z" };
    const { exchanges } = importHar(entries(read, later, { ...read, startedDateTime: "yesterday" }));
    expect(exchanges.map(({ record }) => record.times)).toEqual([
      { sentAtMicros: 0, endedAtMicros: 12_500 },
      { sentAtMicros: 1_000_000, endedAtMicros: 1_012_500 },
      { sentAtMicros: 0, endedAtMicros: 1_012_501 },
    ]);
  });

  test.each([
    { name: "a time of -1", time: -1, timings: { send: -1, wait: -1, receive: -1 }, endsAt: 5_000_001 },
    { name: "no time", time: undefined, timings: undefined, endsAt: 5_000_001 },
    { name: "a time of 0", time: 0, timings: { send: 0, wait: 0, receive: 0 }, endsAt: 5_000_001 },
    { name: "a time that is not a number", time: "12", timings: {}, endsAt: 5_000_001 },
    {
      name: "its parts only",
      time: -1,
      timings: { dns: 1, connect: 3, ssl: 2, send: 0, wait: 5, receive: 1 },
      endsAt: 10_000,
    },
    { name: "the time only", time: 12.5, timings: { send: -1, wait: -1, receive: -1 }, endsAt: 12_500 },
  ])("with $name ends where that leaves it open", ({ time, timings, endsAt }) => {
    const read = { ...entry({ text: "{}" }), request: { method: "GET", url: `${legacyUrl}/1`, headers: [] } };
    const last = { ...read, startedDateTime: "2026-01-02T03:04:10.000Z", time: -1 };
    const { exchanges } = importHar(entries({ ...read, time, timings }, last));
    expect(exchanges.map(({ record }) => record.times)).toEqual([
      { sentAtMicros: 0, endedAtMicros: endsAt },
      { sentAtMicros: 5_000_000, endedAtMicros: 5_000_001 },
    ]);
  });

  test.each([
    ["DELETE", `${legacyUrl}/1`, true],
    ["POST", `${legacyUrl}/1/questions/2/cancel`, true],
    ["GET", `${legacyUrl}/1`, false],
  ])("%s %s without a body was answered with none: %s", (method, address, isNone) => {
    const [imported] = importHar(
      entries({ ...entry({ size: 0, text: "" }), request: { method, url: address, headers: [] } }),
    ).exchanges;
    expect(imported?.unreadable === undefined).toBe(isNone);
  });

  test.each([
    ["of no text", { params: [] }],
    ["that is null", null],
    ["of more than a mebibyte", { text: "x".repeat(1024 * 1024 + 1) }],
  ])("has no body where the recording has one %s", (_, postData) => {
    const [imported] = importHar(
      entries({ ...entry({ text: "{}" }), request: { method: "POST", url: legacyUrl, headers: [], postData } }),
    ).exchanges;
    expect(imported?.record.request).not.toHaveProperty("body");
  });
});

test.each([
  { written: "HTTP/2", is: "2" },
  { written: "h2", is: "2" },
  { written: "http/2.0", is: "2" },
  { written: "HTTP/1.1", is: "1.1" },
  { written: "HTTP/1.0", is: undefined },
  { written: 7, is: undefined },
])("the version of HTTP that is written as $written is read, and written", ({ written, is }) => {
  const text = "event: done\ndata: {}\n\n";
  const { exchanges } = importHar(entries(entry({ text }, { httpVersion: written })));
  expect(exchanges.map(({ record }) => record.httpVersion)).toEqual([is]);
  expect(exportHar({ manifest: exampleManifest, exchanges })).toContain(`"httpVersion": "HTTP/${is ?? "1.1"}"`);
});
