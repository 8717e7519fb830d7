import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import type { ResponseHead } from "@assay/runner";

/** The decoded body of a response, or the reason it cannot be decoded. */
export type UnpackedBody =
  | { readonly bytes: Buffer; readonly head?: ResponseHead }
  /** Completes "FILE …". */
  | { readonly reason: string };

const bytesPerMiB = 1024 * 1024;
const maxUnpackedBytes = 256 * bytesPerMiB;
/** Far above the limits of servers for a response head, usually 8 to 64 KiB. */
const maxHeadBytes = 256 * 1024;

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
const isZstd = (bytes: Uint8Array): boolean => [0x28, 0xb5, 0x2f, 0xfd].every((byte, index) => bytes[index] === byte);
const isZip = (bytes: Uint8Array): boolean => [0x50, 0x4b, 0x03, 0x04].every((byte, index) => bytes[index] === byte);
const statusLine = /^HTTP\/\d(?:\.\d)? (\d{3})\b/u;
const decodeStart = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, 16)).toString("latin1");

/** Reports whether bytes are compressed, or begin with the head of an HTTP response as printed by `curl -i`. */
export const needsUnpacking = (prefix: Uint8Array): boolean =>
  isGzip(prefix) || isZstd(prefix) || isZip(prefix) || statusLine.test(decodeStart(prefix));

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;
// Functions, so that the bundle loads the module of Node only for a compressed file.
const decoders: Readonly<Record<string, Decode>> = {
  gzip: (bytes, options) => gunzipSync(bytes, options),
  "x-gzip": (bytes, options) => gunzipSync(bytes, options),
  br: (bytes, options) => brotliDecompressSync(bytes, options),
  deflate: (bytes, options) => inflateSync(bytes, options),
};

function decompress(bytes: Buffer, encoding: string): UnpackedBody {
  const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (decode === undefined) {
    return { reason: `uses an unsupported encoding (${encoding}); unpack it first` };
  }
  try {
    return { bytes: decode(bytes, { maxOutputLength: maxUnpackedBytes }) };
  } catch {
    return {
      reason: `cannot be unpacked: it is truncated, not ${encoding}, or larger than ${maxUnpackedBytes / bytesPerMiB} MiB`,
    };
  }
}

/** Splits bytes into the response head and the bytes after it. If redirects produced several heads, returns the last one. */
function splitHead(bytes: Buffer): { readonly head: ResponseHead; readonly body: Buffer } | undefined {
  const text = bytes.subarray(0, maxHeadBytes).toString("latin1");
  const headEnd = /\r?\n\r?\n/u.exec(text);
  const [firstLine = "", ...lines] = text.slice(0, headEnd?.index).split(/\r?\n/u);
  const [, status] = statusLine.exec(firstLine) ?? [];
  if (headEnd === null || status === undefined) {
    return undefined;
  }
  const headers = lines.map((line) => [line.split(":", 1)[0] ?? "", line.replace(/^[^:]*:/u, "").trim()] as const);
  const body = bytes.subarray(headEnd.index + headEnd[0].length);
  return splitHead(body) ?? { head: { status: Number(status), headers }, body };
}

const findHeader = ({ headers }: ResponseHead, name: string): string =>
  headers.find(([headerName]) => headerName.toLowerCase() === name)?.[1].toLowerCase() ?? "";

const chunkSizeLine = /^([0-9a-f]{1,8})[^\r\n]{0,200}\r\n/iu;

/** Removes the chunk sizes from a body recorded with `curl --raw`. Returns other bodies unchanged. */
function removeChunkSizes(body: Buffer): Buffer {
  const bodyParts: Buffer[] = [];
  for (let offset = 0; offset < body.length;) {
    const [line = "", hex] = chunkSizeLine.exec(body.subarray(offset, offset + 220).toString("latin1")) ?? [];
    if (hex === undefined) {
      return bodyParts.length === 0 ? body : Buffer.concat([...bodyParts, body.subarray(offset)]);
    }
    const start = offset + line.length;
    const size = Number.parseInt(hex, 16);
    if (size === 0) {
      break;
    }
    bodyParts.push(body.subarray(start, start + size));
    // CRLF follows each chunk.
    offset = start + size + 2;
  }
  return Buffer.concat(bodyParts);
}

/**
 * Removes compression and the response head printed by `curl -i`. Returns other bytes unchanged. Never throws: returns a reason if the bytes
 * cannot be decoded.
 */
export function unpack(bytes: Buffer): UnpackedBody {
  if (isZip(bytes)) {
    return { reason: "is a zip archive; unpack it and check the HAR file in it" };
  }
  if (isZstd(bytes)) {
    // Not supported by all Node versions, so `decompress` reports the reason.
    return decompress(bytes, "zstd");
  }
  if (isGzip(bytes)) {
    const decompressed = decompress(bytes, "gzip");
    return "reason" in decompressed ? decompressed : unpackHead(decompressed.bytes);
  }
  return unpackHead(bytes);
}

function unpackHead(bytes: Buffer): UnpackedBody {
  const splitResponse = statusLine.test(decodeStart(bytes)) ? splitHead(bytes) : undefined;
  if (splitResponse === undefined) {
    return { bytes };
  }
  const { head } = splitResponse;
  const body =
    findHeader(head, "transfer-encoding") === "chunked" ? removeChunkSizes(splitResponse.body) : splitResponse.body;
  const encoding = findHeader(head, "content-encoding");
  // curl may have decoded the body and still print the original Content-Encoding. A body that starts like an event
  // stream is already decoded.
  const isEncoded = encoding === "gzip" || encoding === "x-gzip" ? isGzip(body) : ["br", "deflate"].includes(encoding);
  const decompressed =
    isEncoded && !/^(?:event|data):/u.test(decodeStart(body)) ? decompress(body, encoding) : { bytes: body };
  return "reason" in decompressed ? decompressed : { ...decompressed, head };
}
