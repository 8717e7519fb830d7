import { isRecord, type JsonRecord } from "@assay/reading";
import { Buffer, isUtf8 } from "node:buffer";
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { visibleText } from "../visible-text.ts";

/** Reads a body file of a recording. Returns its bytes or the reason it cannot be read, as a clause. */
export type ReadAttachment = (name: string) => Uint8Array | { readonly reason: string };

/** The recorded part of the body of an entry. */
export interface HarBody {
  readonly bytes: Buffer;
  /** The reason these are not the bytes that the target sent, as a clause. */
  readonly reason?: string;
  /** The body was rebuilt from events that a browser had parsed. */
  readonly isFromEvents?: true;
  /** The body was decompressed or rebuilt, so a recorded length may differ. */
  readonly isConverted?: true;
}

/** Inputs of the body readers other than the entries. */
export interface BodySources {
  readonly readAttachment: ReadAttachment;
  /** Remaining number of bytes that may be decompressed, for all bodies together. */
  readonly decompressionBudget: { remainingBytes: number };
}

const textOrEmpty = (value: unknown): string => (typeof value === "string" ? value : "");
const createUnusableBody = (reason: string): HarBody => ({ bytes: Buffer.alloc(0), reason });

/** Base64 of either alphabet, with or without line breaks and padding. */
const base64 = /^[\w+/\s-]*={0,2}\s*$/;
const unknownEncoding = "the recording contains the body in an unknown form";

/** Decodes the text of a body. `base64` is the only known encoding. Without an encoding, the text is the body. */
function decodeText(text: string, encoding: string): HarBody {
  if (encoding === "") {
    return recoverBytes(text);
  }
  if (encoding !== "base64" || !base64.test(text)) {
    return createUnusableBody(
      `${unknownEncoding}: ${encoding === "base64" ? "not base64" : visibleText(encoding, 40)}`,
    );
  }
  return { bytes: Buffer.from(text, "base64") };
}

const gzipStart = 0x1f;

/** Recovers compressed bytes from text with one character per byte. If they were decoded as UTF-8, some are lost. */
function recoverBytes(text: string): HarBody {
  if (text.charCodeAt(0) !== gzipStart || (text[1] !== "\u008B" && text[1] !== "\uFFFD")) {
    return { bytes: Buffer.from(text, "utf8") };
  }
  const isLatin1 = Buffer.from(text.slice(0, 1024), "latin1").toString("latin1") === text.slice(0, 1024);
  return isLatin1
    ? { bytes: Buffer.from(text, "latin1") }
    : createUnusableBody("the recording contains the compressed body as text, so some of its bytes are lost");
}

/** Members in which tools store the chunks of a body, and the text of a chunk. */
const chunkListNames = ["text", "_content", "_chunks", "chunks"] as const;
const chunkTextNames = ["text", "data", "content", "body"] as const;

function decodePiece(piece: unknown, encoding: string): HarBody | undefined {
  if (typeof piece === "string") {
    return decodeText(piece, encoding);
  }
  const name = isRecord(piece) ? chunkTextNames.find((candidate) => typeof piece[candidate] === "string") : undefined;
  if (!isRecord(piece) || name === undefined) {
    return undefined;
  }
  const isBase64 = piece["isBase64"] === true || piece["base64Encoded"] === true;
  return decodeText(
    textOrEmpty(piece[name]),
    isBase64 ? "base64" : textOrEmpty(piece["encoding"] ?? encoding).toLowerCase(),
  );
}

/** Joins the chunks of a body. Returns undefined if there are none. */
function joinPieces(content: JsonRecord, encoding: string): HarBody | undefined {
  for (const name of chunkListNames) {
    const list = content[name];
    const pieces = Array.isArray(list) ? list.map((piece) => decodePiece(piece, encoding)) : [];
    const bodies = pieces.flatMap((piece) => piece ?? []);
    // Some tools list the sizes of the chunks without their content.
    if (bodies.length > 0) {
      const reason = bodies.length < pieces.length ? `${unknownEncoding}: chunks without text` : undefined;
      return (
        bodies.find((body) => body.reason !== undefined) ??
        (reason === undefined ? { bytes: Buffer.concat(bodies.map(({ bytes }) => bytes)) } : createUnusableBody(reason))
      );
    }
  }
  return undefined;
}

/** Returns the body in the content of a response, or undefined. */
function readContentBody(content: JsonRecord, { readAttachment }: BodySources): HarBody | undefined {
  const encoding = textOrEmpty(content["encoding"]).toLowerCase();
  const { text, _file: file } = content;
  if (typeof text === "string" && text !== "") {
    return decodeText(text, encoding);
  }
  if (typeof file === "string") {
    const attachedBytes = readAttachment(file);
    return "reason" in attachedBytes
      ? createUnusableBody(
          `the recording refers to the body in the file ${visibleText(file, 100)}, which ${attachedBytes.reason}`,
        )
      : { bytes: Buffer.from(attachedBytes.buffer, attachedBytes.byteOffset, attachedBytes.byteLength) };
  }
  if (isRecord(text)) {
    const isTruncated = text["type"] === "longString";
    return createUnusableBody(
      isTruncated
        ? "the recording contains only the beginning of the body (`longString`)"
        : `${unknownEncoding}: \`text\` is an object`,
    );
  }
  return joinPieces(content, encoding) ?? (text === "" ? { bytes: Buffer.alloc(0) } : undefined);
}

/** Serializes an event of `EventSource`. Line feeds in its data separated `data:` fields. */
function serializeEvent({ eventName, data }: JsonRecord): string {
  const name = textOrEmpty(eventName).replaceAll(/[\r\n]/gu, " ");
  return `event: ${name}\n${textOrEmpty(data).replaceAll(/^/gmu, "data: ")}\n\n`;
}

/** Rebuilds a stream from the events that Chrome lists instead of the body. */
function rebuildFromEvents(entry: JsonRecord): HarBody | undefined {
  const list = entry["_eventSourceMessages"];
  const events = Array.isArray(list) ? list.filter(isRecord) : [];
  return events.length === 0
    ? undefined
    : { bytes: Buffer.from(events.map(serializeEvent).join(""), "utf8"), isFromEvents: true, isConverted: true };
}

type Decompress = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

const decompressDeflate: Decompress = (bytes, options) => {
  try {
    return inflateSync(bytes, options);
  } catch {
    return inflateRawSync(bytes, options);
  }
};

// Functions, so that the bundle loads the module of Node only for a compressed body.
const decompressors: Readonly<Record<string, Decompress>> = {
  gzip: (bytes, options) => gunzipSync(bytes, options),
  "x-gzip": (bytes, options) => gunzipSync(bytes, options),
  br: (bytes, options) => brotliDecompressSync(bytes, options),
  deflate: decompressDeflate,
};

const isGzip = (bytes: Buffer): boolean => bytes[0] === gzipStart && bytes[1] === 0x8b;
/** Reports whether bytes start with printable text. */
const looksLikeText = (bytes: Buffer): boolean => /^[\t\n\r -~]+$/u.test(bytes.subarray(0, 16).toString("latin1"));

/**
 * Returns the content coding that is still applied to a body. Most recordings contain decoded bodies regardless of the header, so text is
 * assumed to be decoded. Without the header, the target sent these bytes.
 */
function findRemainingCoding(bytes: Buffer, headerCoding: string): string | undefined {
  if (headerCoding === "" || headerCoding === "identity" || bytes.length === 0) {
    return undefined;
  }
  if (headerCoding === "gzip" || headerCoding === "x-gzip") {
    return isGzip(bytes) ? headerCoding : undefined;
  }
  return looksLikeText(bytes) || isUtf8(bytes) ? undefined : headerCoding;
}

const maxDecompressedBytes = 256 * 2 ** 20;

/** Removes the remaining content coding, if any. */
function decompress(body: HarBody, headerCoding: string, { decompressionBudget }: BodySources): HarBody {
  const coding = body.reason === undefined ? findRemainingCoding(body.bytes, headerCoding) : undefined;
  if (coding === undefined) {
    return body;
  }
  const message = `the recording contains the compressed body (${visibleText(coding, 40)})`;
  const decompressBody = Object.hasOwn(decompressors, coding) ? decompressors[coding] : undefined;
  if (decompressBody === undefined) {
    return createUnusableBody(`${message}, but this encoding is not supported`);
  }
  const maxOutputLength = Math.max(1, Math.min(maxDecompressedBytes, decompressionBudget.remainingBytes));
  try {
    const bytes = decompressBody(body.bytes, { maxOutputLength });
    decompressionBudget.remainingBytes -= bytes.length;
    return { bytes, isConverted: true };
  } catch {
    return createUnusableBody(
      `${message}, which cannot be decompressed: it is incomplete, or larger than ${maxOutputLength} bytes`,
    );
  }
}

/** An entry and the properties that determine how to read its body. */
export interface BodyLocation {
  readonly entry: JsonRecord;
  readonly content: JsonRecord;
  /** The value of `Content-Encoding` in lower case. Empty without the header, and for bodies known to be decoded. */
  readonly coding: string;
  /** The entry is a search. Events are only read for streams. */
  readonly isStream: boolean;
}

/**
 * Finds the body of a HAR entry wherever tools store it: as text or base64, in chunks, in a file next to the HAR, or as browser events.
 * Decompresses it if needed. Returns undefined if it was not recorded.
 */
export function readHarBody(
  { entry, content, coding, isStream }: BodyLocation,
  sources: BodySources,
): HarBody | undefined {
  const contentResult = readContentBody(content, sources);
  const events =
    isStream && (contentResult === undefined || contentResult.bytes.length === 0)
      ? rebuildFromEvents(entry)
      : undefined;
  if (events !== undefined) {
    return events;
  }
  return contentResult === undefined ? undefined : decompress(contentResult, coding, sources);
}

/** Returns the text of a request, which some tools store in a file. Returns undefined if it cannot be read. */
export function readPostText(postData: JsonRecord, { readAttachment }: BodySources): string | undefined {
  const { text, _file: file } = postData;
  if (typeof file !== "string" || (typeof text === "string" && text !== "")) {
    return typeof text === "string" ? text : undefined;
  }
  const attachment = readAttachment(file);
  return "reason" in attachment ? undefined : Buffer.from(attachment).toString("utf8");
}
