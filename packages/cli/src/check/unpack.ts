import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import type { AnswerHead } from "@assay/runner";

/** The unpacked bytes of a response. */
export type Unpacked =
  | { readonly bytes: Buffer; readonly head?: AnswerHead }
  /** A clause that follows the name of the file. */
  | { readonly flaw: string };

const maxUnpackedBytes = 256 * 1024 * 1024;
const maxHeadBytes = 256 * 1024;

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
const isZstd = (bytes: Uint8Array): boolean => [0x28, 0xb5, 0x2f, 0xfd].every((byte, index) => bytes[index] === byte);
const isZip = (bytes: Uint8Array): boolean => [0x50, 0x4b, 0x03, 0x04].every((byte, index) => bytes[index] === byte);
const statusLine = /^HTTP\/\d(?:\.\d)? (\d{3})\b/u;
const startOf = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, 16)).toString("latin1");

/** Whether bytes are compressed, or begin with the head of an HTTP response as `curl -i` prints it. */
export const isPacked = (beginning: Uint8Array): boolean =>
  isGzip(beginning) || isZstd(beginning) || isZip(beginning) || statusLine.test(startOf(beginning));

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;
const decoders: Readonly<Record<string, Decode>> = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
};

function decoded(bytes: Buffer, encoding: string): Unpacked {
  const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (decode === undefined) {
    return { flaw: `is compressed in a way that is not read here (${encoding}); unpack it first` };
  }
  try {
    return { bytes: decode(bytes, { maxOutputLength: maxUnpackedBytes }) };
  } catch {
    return { flaw: `cannot be unpacked: it is not whole, no ${encoding}, or larger than ${maxUnpackedBytes} bytes` };
  }
}

/** The head of a response and the bytes after it. Redirects have several heads; the last one counts. */
function splitHead(bytes: Buffer): { readonly head: AnswerHead; readonly rest: Buffer } | undefined {
  const text = bytes.subarray(0, maxHeadBytes).toString("latin1");
  const end = /\r?\n\r?\n/u.exec(text);
  const [first = "", ...lines] = text.slice(0, end?.index).split(/\r?\n/u);
  const [, status] = statusLine.exec(first) ?? [];
  if (end === null || status === undefined) {
    return undefined;
  }
  const headers = lines.map((line) => [line.split(":", 1)[0] ?? "", line.replace(/^[^:]*:/u, "").trim()] as const);
  const rest = bytes.subarray(end.index + end[0].length);
  return splitHead(rest) ?? { head: { status: Number(status), headers }, rest };
}

const valueOf = ({ headers }: AnswerHead, name: string): string =>
  headers.find(([other]) => other.toLowerCase() === name)?.[1].toLowerCase() ?? "";

const chunkSize = /^([0-9a-f]{1,8})[^\r\n]{0,200}\r\n/iu;

/** Removes the chunk sizes of a body that `curl --raw` recorded; other bodies stay unchanged. */
function withoutChunkSizes(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const [line = "", hex] = chunkSize.exec(body.subarray(at, at + 220).toString("latin1")) ?? [];
    if (hex === undefined) {
      return parts.length === 0 ? body : Buffer.concat([...parts, body.subarray(at)]);
    }
    const start = at + line.length;
    const size = Number.parseInt(hex, 16);
    if (size === 0) {
      break;
    }
    parts.push(body.subarray(start, start + size));
    at = start + size + 2;
  }
  return Buffer.concat(parts);
}

/**
 * Removes compression, and a head as `curl -i` prints it, from a response. Other bytes stay unchanged. Never fails: bytes that cannot be
 * unpacked have a flaw.
 */
export function unpack(bytes: Buffer): Unpacked {
  if (isZip(bytes)) {
    return { flaw: "is a zip archive; unpack it and check the HAR file in it" };
  }
  if (isZstd(bytes)) {
    return decoded(bytes, "zstd");
  }
  if (isGzip(bytes)) {
    const plain = decoded(bytes, "gzip");
    return "flaw" in plain ? plain : unpackHead(plain.bytes);
  }
  return unpackHead(bytes);
}

function unpackHead(bytes: Buffer): Unpacked {
  const split = statusLine.test(startOf(bytes)) ? splitHead(bytes) : undefined;
  if (split === undefined) {
    return { bytes };
  }
  const { head } = split;
  const body = valueOf(head, "transfer-encoding") === "chunked" ? withoutChunkSizes(split.rest) : split.rest;
  const encoding = valueOf(head, "content-encoding");
  // The body may have been decoded before it was printed, although its head declares a compression.
  const isEncoded = encoding === "gzip" || encoding === "x-gzip" ? isGzip(body) : ["br", "deflate"].includes(encoding);
  const plain = isEncoded && !/^(?:event|data):/u.test(startOf(body)) ? decoded(body, encoding) : { bytes: body };
  return "flaw" in plain ? plain : { ...plain, head };
}
