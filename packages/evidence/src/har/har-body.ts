import { isRecord, type JsonRecord } from "@assay/reading";
import { Buffer, isUtf8 } from "node:buffer";
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { visibleText } from "../visible-text.ts";

/** Reads a body file that a recording names: its bytes, or why it cannot be read, one clause. */
export type ReadAttached = (name: string) => Uint8Array | { readonly flaw: string };

/** The body of an entry, as far as it was recorded. */
export interface HarBody {
  readonly bytes: Buffer;
  /** Why these are not the bytes that the target sent, one clause. */
  readonly flaw?: string;
  /** The body was rebuilt from events that a browser had parsed. */
  readonly areEvents?: true;
  /** The body was decompressed or rebuilt, so a recorded length may differ. */
  readonly isConverted?: true;
}

/** What body readers need besides the entries. */
export interface BodySources {
  readonly attached: ReadAttached;
  /** Bytes that may still be decompressed, for all bodies together. */
  readonly unpackable: { left: number };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const flawed = (flaw: string): HarBody => ({ bytes: Buffer.alloc(0), flaw });

/** Base64 of either alphabet, with or without line breaks and padding. */
const base64 = /^[\w+/\s-]*={0,2}\s*$/;
const unknownEncoding = "the recording holds the body in a form that is not understood";

/** Decodes the text of a body. `base64` is the only known encoding; without one the text is the body. */
function bytesOfText(text: string, encoding: string): HarBody {
  if (encoding === "") {
    return textBytes(text);
  }
  if (encoding !== "base64" || !base64.test(text)) {
    return flawed(`${unknownEncoding}: ${encoding === "base64" ? "no base64" : visibleText(encoding, 40)}`);
  }
  return { bytes: Buffer.from(text, "base64") };
}

const gzipStart = 0x1f;

/** Compressed bytes as a text with one character per byte. If they were decoded as UTF-8, some are lost. */
function textBytes(text: string): HarBody {
  if (text.charCodeAt(0) !== gzipStart || (text[1] !== "\u008B" && text[1] !== "\uFFFD")) {
    return { bytes: Buffer.from(text, "utf8") };
  }
  const isLatin1 = Buffer.from(text.slice(0, 1024), "latin1").toString("latin1") === text.slice(0, 1024);
  return isLatin1
    ? { bytes: Buffer.from(text, "latin1") }
    : flawed("the recording contains the compressed body as a text, which lost some of its bytes");
}

/** Members in which tools store the pieces of a body, and the text of a piece. */
const listNames = ["text", "_content", "_chunks", "chunks"] as const;
const pieceNames = ["text", "data", "content", "body"] as const;

function pieceOf(piece: unknown, encoding: string): HarBody | undefined {
  if (typeof piece === "string") {
    return bytesOfText(piece, encoding);
  }
  const name = isRecord(piece) ? pieceNames.find((one) => typeof piece[one] === "string") : undefined;
  if (!isRecord(piece) || name === undefined) {
    return undefined;
  }
  const isBase64 = piece["isBase64"] === true || piece["base64Encoded"] === true;
  return bytesOfText(textOf(piece[name]), isBase64 ? "base64" : textOf(piece["encoding"] ?? encoding).toLowerCase());
}

/** The pieces of a body, joined; undefined without pieces. */
function bodyOfPieces(content: JsonRecord, encoding: string): HarBody | undefined {
  for (const name of listNames) {
    const list = content[name];
    const pieces = Array.isArray(list) ? list.map((piece) => pieceOf(piece, encoding)) : [];
    const bodies = pieces.flatMap((piece) => piece ?? []);
    // Some tools list the sizes of pieces without the pieces.
    if (bodies.length > 0) {
      const flaw = bodies.length < pieces.length ? `${unknownEncoding}: pieces without a text` : undefined;
      return (
        bodies.find((body) => body.flaw !== undefined) ??
        (flaw === undefined ? { bytes: Buffer.concat(bodies.map(({ bytes }) => bytes)) } : flawed(flaw))
      );
    }
  }
  return undefined;
}

/** The body inside the content of a response; undefined if there is none. */
function contentBody(content: JsonRecord, { attached }: BodySources): HarBody | undefined {
  const encoding = textOf(content["encoding"]).toLowerCase();
  const { text, _file: file } = content;
  if (typeof text === "string" && text !== "") {
    return bytesOfText(text, encoding);
  }
  if (typeof file === "string") {
    const read = attached(file);
    return "flaw" in read
      ? flawed(`the recording holds the body in the file ${visibleText(file, 100)}, which ${read.flaw}`)
      : { bytes: Buffer.from(read.buffer, read.byteOffset, read.byteLength) };
  }
  if (isRecord(text)) {
    const isCut = text["type"] === "longString";
    return flawed(
      isCut
        ? "the recording holds the beginning of the body alone (`longString`)"
        : `${unknownEncoding}: \`text\` is an object`,
    );
  }
  return bodyOfPieces(content, encoding) ?? (text === "" ? { bytes: Buffer.alloc(0) } : undefined);
}

/** Serializes an event of `EventSource`. Line feeds in its data separated `data:` fields. */
function serializeEvent({ eventName, data }: JsonRecord): string {
  const name = textOf(eventName).replaceAll(/[\r\n]/gu, " ");
  return `event: ${name}\n${textOf(data).replaceAll(/^/gmu, "data: ")}\n\n`;
}

/** The events of a stream, which Chrome lists instead of the body. */
function bodyOfEvents(entry: JsonRecord): HarBody | undefined {
  const list = entry["_eventSourceMessages"];
  const events = Array.isArray(list) ? list.filter(isRecord) : [];
  return events.length === 0
    ? undefined
    : { bytes: Buffer.from(events.map(serializeEvent).join(""), "utf8"), areEvents: true, isConverted: true };
}

type Unpack = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

const inflate: Unpack = (bytes, options) => {
  try {
    return inflateSync(bytes, options);
  } catch {
    return inflateRawSync(bytes, options);
  }
};

const codings: Readonly<Record<string, Unpack>> = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  br: brotliDecompressSync,
  deflate: inflate,
};

const isGzip = (bytes: Buffer): boolean => bytes[0] === gzipStart && bytes[1] === 0x8b;
/** Printable text, judged by its beginning. */
const looksLikeText = (bytes: Buffer): boolean => /^[\t\n\r -~]+$/u.test(bytes.subarray(0, 16).toString("latin1"));

/**
 * The content coding that is still applied to a body. Most recordings contain decoded bodies, whatever the header says, so
 * UTF-8 or text-like bytes count as decoded. Without the header, the target sent these bytes.
 */
function codingOf(bytes: Buffer, named: string): string | undefined {
  if (named === "" || named === "identity" || bytes.length === 0) {
    return undefined;
  }
  if (named === "gzip" || named === "x-gzip") {
    return isGzip(bytes) ? named : undefined;
  }
  return looksLikeText(bytes) || isUtf8(bytes) ? undefined : named;
}

const maxUnpackedBytes = 256 * 2 ** 20;

/** Removes the content coding that may still be applied. */
function unpacked(body: HarBody, named: string, { unpackable }: BodySources): HarBody {
  const coding = body.flaw === undefined ? codingOf(body.bytes, named) : undefined;
  if (coding === undefined) {
    return body;
  }
  const what = `the recording holds the body compressed (${visibleText(coding, 40)})`;
  const unpack = Object.hasOwn(codings, coding) ? codings[coding] : undefined;
  if (unpack === undefined) {
    return flawed(`${what}, which is not read here`);
  }
  const maxOutputLength = Math.max(1, Math.min(maxUnpackedBytes, unpackable.left));
  try {
    const bytes = unpack(body.bytes, { maxOutputLength });
    unpackable.left -= bytes.length;
    return { bytes, isConverted: true };
  } catch {
    return flawed(`${what}, and it cannot be unpacked: it is not whole, or larger than ${maxOutputLength} bytes`);
  }
}

/** What determines how the body of an entry is read. */
export interface BodyPlace {
  readonly entry: JsonRecord;
  readonly content: JsonRecord;
  /** The value of `Content-Encoding`, in lower case. Empty without one, and for bodies that are certainly decoded. */
  readonly coding: string;
  /** The entry is a search. Events are only read for streams. */
  readonly isStream: boolean;
}

/**
 * Finds the body of a HAR entry wherever tools store it: as text or base64, in pieces, in a file next to the HAR, or as
 * events of a browser. Decompresses it if needed. Undefined if it was not recorded.
 */
export function harBody({ entry, content, coding, isStream }: BodyPlace, sources: BodySources): HarBody | undefined {
  const held = contentBody(content, sources);
  const events = isStream && (held === undefined || held.bytes.length === 0) ? bodyOfEvents(entry) : undefined;
  if (events !== undefined) {
    return events;
  }
  return held === undefined ? undefined : unpacked(held, coding, sources);
}

/** The text of a request, which some tools also store in a file. Undefined if it cannot be read. */
export function postedText(postData: JsonRecord, { attached }: BodySources): string | undefined {
  const { text, _file: file } = postData;
  if (typeof file !== "string" || (typeof text === "string" && text !== "")) {
    return typeof text === "string" ? text : undefined;
  }
  const read = attached(file);
  return "flaw" in read ? undefined : Buffer.from(read).toString("utf8");
}
