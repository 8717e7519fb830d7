import { Buffer } from "node:buffer";
import { once } from "node:events";
import * as zlib from "node:zlib";
import { recordDraft } from "@assay/evidence";
import { describe, expect, test } from "vitest";
import { createClient } from "../client.ts";
import type { ClientLimits } from "../limits.ts";
import { serveBytes, serveHttp, untilRead } from "../testing/loopback.ts";
import { createRunClock } from "../run-clock.ts";

interface Encoded {
  readonly encoding: string;
  readonly parts: readonly Uint8Array[];
  readonly limits?: Partial<ClientLimits>;
}

/** The draft of a client for a body with this encoding, sent in these parts. */
async function receive({ encoding, parts, limits = {} }: Encoded) {
  await using server = await serveHttp((_request, response) => {
    response.setHeader("content-encoding", encoding);
    void (async () => {
      for (const part of parts) {
        response.write(part);
        await untilRead();
      }
      response.end();
    })();
  });
  const client = createClient({ baseUrl: server.url, clock: createRunClock(), userAgent: "assay/test", limits });
  const draft = await client.search({ parameters: {}, credential: "none" });
  const { response, end } = draft;
  const chunks = response?.chunks ?? [];
  const recorded = recordDraft({ ...draft, id: "e0", probe: "example" });
  return { end, headers: response?.headers, chunks, body: Buffer.concat(chunks.map(({ bytes }) => bytes)), recorded };
}

/** The compressed parts of a stream that is flushed after each text. */
async function flushed(
  compressor: zlib.Gzip | zlib.BrotliCompress,
  texts: readonly string[],
): Promise<readonly Buffer[]> {
  let pending: Buffer[] = [];
  compressor.on("data", (bytes: Buffer) => pending.push(bytes));
  const take = (): Buffer => {
    const taken = Buffer.concat(pending);
    pending = [];
    return taken;
  };
  const parts: Buffer[] = [];
  for (const text of texts) {
    compressor.write(text);
    await new Promise<void>((resolve) => compressor.flush(resolve));
    parts.push(take());
  }
  await once(compressor.end(), "end");
  return [...parts, take()];
}

const text = "event: done\ndata: {}\n\n";

describe("a body encoded without a request for it", () => {
  test.each([
    { encoding: "gzip", encode: zlib.gzipSync },
    { encoding: "X-GZIP", encode: zlib.gzipSync },
    { encoding: "br", encode: zlib.brotliCompressSync },
    { encoding: "deflate", encode: zlib.deflateSync },
    { encoding: "deflate", encode: zlib.deflateRawSync },
    { encoding: "identity", encode: (body: string) => Buffer.from(body) },
    { encoding: "gzip, br", encode: (body: string) => zlib.brotliCompressSync(zlib.gzipSync(body)) },
  ])("with $encoding is stored decoded, its header stays", async ({ encoding, encode }) => {
    const { end, body, headers } = await receive({ encoding, parts: [encode(text)] });
    expect(end).toEqual({ kind: "complete" });
    expect(body.toString()).toBe(text);
    expect(headers).toContainEqual(["content-encoding", encoding]);
  });

  test.each([
    { encoding: "gzip", compressor: () => zlib.createGzip() },
    { encoding: "br", compressor: () => zlib.createBrotliCompress() },
  ])("with $encoding has the stamps of the chunks that released it", async ({ encoding, compressor }) => {
    const texts = ["event: a\ndata: 1\n\n", "event: b\ndata: 2\n\n", "event: c\ndata: 3\n\n"];
    const { chunks } = await receive({ encoding, parts: await flushed(compressor(), texts) });
    expect(chunks.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(texts);
    const stamps = chunks.map(({ atMicros }) => atMicros);
    expect((stamps[1] ?? 0) - (stamps[0] ?? 0)).toBeGreaterThan(0);
    expect((stamps[2] ?? 0) - (stamps[1] ?? 0)).toBeGreaterThan(0);
  });

  test("may be empty", async () => {
    expect(await receive({ encoding: "gzip", parts: [] })).toMatchObject({ end: { kind: "complete" }, chunks: [] });
  });
});

const zeros = (bytes: number): Buffer => Buffer.alloc(bytes);

describe("11: a body that cannot be decoded ends the exchange", () => {
  test.each([
    {
      name: "a bomb, by its ratio",
      encoding: "gzip",
      parts: [zlib.gzipSync(zeros(20 * 2 ** 20))],
      code: "decompression-limit",
    },
    {
      name: "a brotli bomb, by its ratio",
      encoding: "br",
      parts: [zlib.brotliCompressSync(zeros(20 * 2 ** 20))],
      code: "decompression-limit",
    },
    {
      name: "a bomb in a bomb",
      encoding: "gzip, gzip",
      parts: [zlib.gzipSync(zlib.gzipSync(zeros(50 * 2 ** 20)))],
      code: "decompression-limit",
    },
    {
      name: "more than the limit",
      encoding: "gzip",
      parts: [zlib.gzipSync(text.repeat(100))],
      limits: { maxDecodedBytes: 1000 },
      code: "decompression-limit",
    },
    { name: "a wrong label", encoding: "gzip", parts: [Buffer.from(text)], code: "decompression" },
    { name: "a truncated body", encoding: "gzip", parts: [zlib.gzipSync(text).subarray(0, -6)], code: "decompression" },
    { name: "an unknown encoding", encoding: "rot13\u00e9", parts: [Buffer.from(text)], code: "decompression" },
    {
      name: "a long chain",
      encoding: "gzip,gzip,gzip,gzip,gzip,gzip",
      parts: [Buffer.from(text)],
      code: "decompression",
    },
  ])("$name", async ({ code, ...encoded }) => {
    const { end, body } = await receive(encoded);
    expect(end).toMatchObject({ kind: "failed", code });
    expect(body.length).toBeLessThan(3 * 2 ** 20);
  });

  test("and keeps what had been decoded", async () => {
    const truncated = await receive({ encoding: "gzip", parts: [zlib.gzipSync(text).subarray(0, -6)] });
    expect(truncated.body.toString()).toBe(text);
    expect(truncated.recorded.unreadable).toBeUndefined();
  });

  const lessThanNode22 = !("createZstdDecompress" in zlib);
  const zstdFrame = Buffer.from("28b52ffd2416b10000" + Buffer.from(text).toString("hex"), "hex");

  test.runIf(lessThanNode22)("and no judge reads the bytes of an encoding that this Node does not know", async () => {
    const { end, body, recorded } = await receive({ encoding: "zstd", parts: [zstdFrame] });
    expect(end).toMatchObject({ kind: "failed", code: "decompression" });
    expect(body).toHaveLength(0);
    expect(recorded.unreadable).toMatch(/^the body could not be decoded: .*content encoding zstd is not supported/);
  });

  test.each([
    { name: "a wrong label", encoding: "br", parts: [Buffer.from(text)] },
    { name: "an unknown second encoding", encoding: "rot13", parts: [Buffer.from(text)] },
    {
      name: "a body that ends in the header of its encoding",
      encoding: "gzip",
      parts: [zlib.gzipSync(text).subarray(0, 5)],
    },
    {
      name: "more than the limit at once",
      encoding: "gzip",
      parts: [zlib.gzipSync(text)],
      limits: { maxDecodedBytes: 5 },
    },
  ])("and no judge reads what arrived: $name", async (encoded) => {
    const { body, recorded } = await receive(encoded);
    expect(body).toHaveLength(0);
    expect(recorded.unreadable).toMatch(/^the body could not be decoded: /);
    expect(() => recorded.chunks()).toThrow(/^body-unreadable: /);
  });

  test("nor bytes of an encoding that a broken connection left", async () => {
    const part = zlib.gzipSync(text).subarray(0, 10);
    await using server = await serveBytes((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 999\r\n\r\n`);
      socket.end(part);
    });
    const client = createClient({ baseUrl: server.url, clock: createRunClock(), userAgent: "assay/test" });
    const { response, end } = await client.search({ parameters: {}, credential: "none" });
    expect(end).toMatchObject({ kind: "failed", code: "truncated" });
    expect(response?.chunks).toEqual([]);
  });
});
