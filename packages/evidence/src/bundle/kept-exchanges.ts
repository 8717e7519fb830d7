import { Buffer } from "node:buffer";
import { closeSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { maxBodyBytes } from "./bundle-limits.ts";
import type { ExchangeRecord, HeaderField, HttpVersion } from "../exchange.ts";
import { chunksOf, CutOff, FileBytes, type Place } from "./file-bytes.ts";
import { isExchangeRecord, isObject, type JsonObject, parseJson } from "./record-shape.ts";
import { type RecordedExchange, withoutBody } from "../recorded-exchange.ts";
import { requestKind } from "../request-kind.ts";

/** What was going on when an exchange began. */
export interface LoadAtExchange {
  readonly phase: "warmup" | "measure";
  readonly arm: "a" | "b";
  readonly query: string;
  /** Requests that were on their way, this one included. */
  readonly inFlight: number;
  /** Requests that began in the second before. */
  readonly ratePerSecond: number;
}

/** An exchange of a load. Its bytes stay on the disk until somebody asks for them. */
export interface KeptExchange {
  readonly exchange: RecordedExchange;
  /** Of a call about a conversation: the session that is over when the conversation is, whichever of its pollers sent it. */
  readonly conversation?: string;
  readonly load: LoadAtExchange;
}

/** What a file of kept exchanges holds, in its order: an exchange, or that a conversation is over. */
export type KeptEntry =
  | ({ readonly kind: "exchange" } & KeptExchange)
  | { readonly kind: "session-over"; readonly session: string };

/** A file of kept exchanges, which is open until it is closed; bytes can be asked for as long. */
export interface KeptFile {
  readonly path: string;
  /**
   * What follows the entries that were read before. With `isGrowing`, of a file that is still written: a record that is not whole, or not
   * yet what it will be, is left to the next call.
   */
  entries(options?: { readonly isGrowing?: boolean }): Generator<KeptEntry>;
  /** Why it was not read to its end, one sentence; undefined before that, and where it was. */
  readonly problem: () => string | undefined;
  close(): void;
}

const magic = "ASSAYEX1";
const headBytes = 4;
const checksumBytes = 4;
/** More than the longest frame that is ever written. */
const maxFrameBytes = 20 * 2 ** 20;
const maxHeadBytes = 256 * 1024;
const maxParts = 4_000_000;

/** Numbers of a content, 7 bits a byte. */
class Numbers {
  at = 0;
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  next(): number {
    let value = 0;
    let scale = 1;
    for (let width = 0; width < 8; width += 1) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) {
        break;
      }
      value += (byte & 127) * scale;
      if (byte < 128) {
        return value;
      }
      scale *= 128;
    }
    throw new CutOff("a number is not whole");
  }
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const count = (value: unknown): number => (typeof value === "number" && Number.isSafeInteger(value) ? value : 0);

const fields = (value: unknown): readonly HeaderField[] =>
  Array.isArray(value)
    ? value.flatMap((field: unknown) => (Array.isArray(field) ? [[text(field[0]), text(field[1])] as const] : []))
    : [];

/** What the parts of a frame said, before it is looked at. */
interface Parts {
  readonly head: JsonObject;
  readonly request: JsonObject;
  readonly headers: readonly HeaderField[];
  readonly bytes: number;
  readonly chunks: readonly (readonly [number, number])[];
}

/** The poller of a conversation. */
const sessionOf = ({ session, poller }: JsonObject): JsonObject =>
  session === undefined ? {} : { session: poller === undefined ? session : `${text(session)}-${text(poller)}` };

/** By the number that the extension writes; none in files of earlier versions. */
const versions: Readonly<Partial<Record<number, HttpVersion>>> = { 1: "1.1", 2: "2" };

function spokenIn(http: unknown): Pick<ExchangeRecord, "httpVersion"> {
  const httpVersion = http === undefined ? undefined : versions[count(http)];
  return httpVersion === undefined ? {} : { httpVersion };
}

function recordOf({ head, request, headers, bytes, chunks }: Parts): ExchangeRecord | undefined {
  const [method, url] = [text(request["method"]), text(request["url"])];
  const kind = requestKind(method, url);
  const sent = fields(request["headers"]);
  const { failure, status, http, headersAtMicros, closedBy, mergedChunks } = head;
  const record: unknown = {
    id: head["id"],
    probe: "load",
    ...sessionOf(head),
    interface: kind?.interface,
    operation: kind?.operation,
    credential: sent.some(([name]) => name.toLowerCase() === "authorization") ? "access-token" : "none",
    request: { method, url, headers: sent, ...(request["body"] === undefined ? {} : { body: request["body"] }) },
    ...spokenIn(http),
    ...(status === undefined
      ? {}
      : {
          response: {
            status,
            headers,
            body: { sha256: "0".repeat(64), bytes, chunks, ...(mergedChunks === undefined ? {} : { mergedChunks }) },
          },
        }),
    end:
      failure === undefined
        ? { kind: "complete", ...(closedBy === undefined ? {} : { closedBy }) }
        : { kind: "failed", code: failure, message: `the exchange broke off (${text(failure)})` },
    times: {
      sentAtMicros: head["sentAtMicros"],
      ...(headersAtMicros === undefined ? {} : { headersAtMicros }),
      endedAtMicros: head["endedAtMicros"],
    },
  };
  return isExchangeRecord(record) ? record : undefined;
}

const loadOf = (head: JsonObject): LoadAtExchange => ({
  phase: head["phase"] === "warmup" ? "warmup" : "measure",
  arm: head["arm"] === "b" ? "b" : "a",
  query: text(head["query"]),
  inFlight: count(head["inFlight"]),
  ratePerSecond: count(head["ratePerSecond"]),
});

/** What is known while a file is read. */
class Reading {
  readonly #file: FileBytes;
  #pieces = new Map<number, Place>();
  #before = new Map<number, Place>();

  constructor(file: FileBytes) {
    this.#file = file;
  }

  /** Takes a frame: its kind and where its content lies. */
  take(kind: string, content: Buffer, at: number): KeptEntry | undefined {
    switch (kind) {
      case "P": {
        const numbers = new Numbers(content);
        const id = numbers.next();
        this.#pieces.set(id, { at: at + numbers.at, length: content.length - numbers.at });
        return undefined;
      }
      case "F":
        [this.#before, this.#pieces] = [this.#pieces, new Map<number, Place>()];
        return undefined;
      case "E":
        return { kind: "session-over", session: content.toString("utf8") };
      case "X":
        // The bytes stand in a window that moves on when pieces are read.
        return this.#exchange(Buffer.from(content));
      default:
        return undefined;
    }
  }

  #place(id: number): Place {
    const place = this.#pieces.get(id) ?? this.#before.get(id);
    if (place === undefined) {
      throw new CutOff("a piece that an exchange is made of is missing");
    }
    return place;
  }

  #json(id: unknown): unknown {
    return id === undefined ? undefined : parseJson(this.#file.piece(this.#place(count(id))).toString("utf8"));
  }

  #exchange(content: Buffer): KeptEntry {
    const numbers = new Numbers(content);
    const length = numbers.next();
    if (length > maxHeadBytes) {
      throw new CutOff("what is said of an exchange is too long");
    }
    const head = parseJson(content.toString("utf8", numbers.at, numbers.at + length));
    numbers.at += length;
    const request = isObject(head) ? this.#json(head["request"]) : undefined;
    if (!isObject(head) || !isObject(request)) {
      throw new CutOff("what is said of an exchange cannot be read");
    }
    const places = Array.from({ length: Math.min(maxParts, numbers.next()) }, () => this.#place(numbers.next()));
    let atMicros = count(head["sentAtMicros"]);
    const chunks = Array.from({ length: Math.min(maxParts, numbers.next()) }, () => {
      const bytes = numbers.next();
      return [bytes, (atMicros += numbers.next())] as const;
    });
    const bytes = places.reduce((sum, place) => sum + place.length, 0);
    const record = recordOf({ head, request, headers: fields(this.#json(head["headers"])), bytes, chunks });
    if (record === undefined || bytes > maxBodyBytes) {
      throw new CutOff("what is said of an exchange does not fit together");
    }
    const exchange =
      record.response !== undefined || bytes === 0
        ? { record, chunks: () => chunksOf(this.#file, places, chunks) }
        : withoutBody(record, "bytes of an answer without a beginning were recorded");
    const { session } = head;
    return {
      kind: "exchange",
      exchange,
      load: loadOf(head),
      ...(typeof session === "string" ? { conversation: session } : {}),
    };
  }
}

/** The content of the record at a place; undefined at the end, and of one that was cut off. */
function contentAt(file: FileBytes, at: number): Buffer | undefined {
  const head = file.read(at, headBytes);
  if (head.length < headBytes) {
    return undefined;
  }
  const length = head.readUInt32LE(0);
  if (length < 5 || length > maxFrameBytes) {
    throw new CutOff("a record in it has an impossible length");
  }
  const frame = file.read(at + headBytes, length);
  if (frame.length < length) {
    return undefined;
  }
  const content = frame.subarray(0, length - checksumBytes);
  if (crc32(content) !== frame.readUInt32LE(length - checksumBytes)) {
    throw new CutOff("a record in it is damaged");
  }
  return content;
}

/** The same where somebody still writes: what does not fit together may be what is not yet there. */
function contentSoFar(file: FileBytes, at: number): Buffer | undefined {
  try {
    return contentAt(file, at);
  } catch (error) {
    if (!(error instanceof CutOff)) {
      throw error;
    }
    file.forget();
    return undefined;
  }
}

/**
 * Opens a file that the extension of k6 wrote, or is still writing. Whatever stopped the writer, or befell the file since, everything up to
 * there is read and `problem` says the rest; the end of a file that was cut off is no problem. Fails with an error of the system when it cannot be opened.
 */
export function openKeptFile(path: string): KeptFile {
  const descriptor = openSync(path, "r");
  const file = new FileBytes(descriptor);
  const reading = new Reading(file);
  let problem: string | undefined;
  let at = 0;
  const hasBegun = (isGrowing: boolean): boolean => {
    if (at === 0 && file.read(0, magic.length).toString("latin1") === magic) {
      at = magic.length;
    } else if (at === 0 && isGrowing) {
      file.forget();
    } else if (at === 0) {
      problem = "it is no file of exchanges";
    }
    return at > 0;
  };
  function* entries(isGrowing: boolean): Generator<KeptEntry> {
    if (problem !== undefined || !hasBegun(isGrowing)) {
      return;
    }
    for (;;) {
      const content = (isGrowing ? contentSoFar : contentAt)(file, at);
      if (content === undefined) {
        return;
      }
      const place = at + headBytes;
      at = place + content.length + checksumBytes;
      const entry = reading.take(String.fromCharCode(content[0] ?? 0), content.subarray(1), place + 1);
      if (entry !== undefined) {
        yield entry;
      }
    }
  }
  return {
    path,
    *entries({ isGrowing = false } = {}) {
      try {
        yield* entries(isGrowing);
      } catch (error) {
        if (!(error instanceof CutOff)) {
          throw error;
        }
        problem = error.message;
      }
    },
    problem: () => problem,
    close: () => closeSync(descriptor),
  };
}

const namePattern = /^(?:search|conversation)-\d{2}\.bin$/u;

/** The files of kept exchanges in a folder, in their order; none where there is no such folder. */
export function keptFilesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => namePattern.test(name))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}
