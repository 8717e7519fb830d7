import { type LoadSide, readStoredSide } from "@assay/contract";
import { isRecord, type JsonRecord } from "@assay/reading";
import { Buffer } from "node:buffer";
import { closeSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { maxBodyBytes } from "./bundle-limits.ts";
import type { ExchangeRecord, HeaderField, HttpVersion } from "../exchange.ts";
import { yieldChunks, DamagedFileError, FileBytes, type PiecePosition } from "./file-bytes.ts";
import { isExchangeRecord, parseJson } from "./record-shape.ts";
import { type RecordedExchange, withoutBody } from "../recorded-exchange.ts";
import { requestKind } from "../request-kind.ts";

/** The load when an exchange started. */
export interface LoadAtExchange {
  readonly phase: "warmup" | "measure";
  readonly side: LoadSide;
  readonly query: string;
  /** Requests in flight, including this one. */
  readonly inFlight: number;
  /** Requests started in the preceding second. */
  readonly ratePerSecond: number;
}

/** An exchange of a load test. Its bytes stay on disk until they are read. */
export interface KeptExchange {
  readonly exchange: RecordedExchange;
  /** For a conversation call: the session. All pollers of a conversation share it, and it ends with the conversation. */
  readonly conversation?: string;
  readonly load: LoadAtExchange;
}

/** An entry of the file, in order: an exchange, or the end of a conversation. */
export type KeptEntry =
  | ({ readonly kind: "exchange" } & KeptExchange)
  | { readonly kind: "session-over"; readonly session: string };

/** An open file of kept exchanges. Bytes can be read until it is closed. */
export interface KeptFile {
  readonly path: string;
  /**
   * Yields the entries that were not yielded before. Set `isGrowing` for a file that is still being written: an incomplete record is then
   * left for the next call.
   */
  entries(options?: { readonly isGrowing?: boolean }): Generator<KeptEntry>;
  /** The reason reading ended early, as a sentence. Undefined before the end, and if the whole file was read. */
  readonly problem: () => string | undefined;
  close(): void;
}

const magic = "ASSAYEX1";
const headBytes = 4;
const checksumBytes = 4;
/** Larger than any frame the writer produces. */
const maxFrameBytes = 20 * 2 ** 20;
const maxHeadBytes = 256 * 1024;
const maxParts = 4_000_000;

/** Reads numbers with 7 bits per byte. */
class NumberReader {
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
    throw new DamagedFileError("a number is incomplete");
  }
}

const textOrEmpty = (value: unknown): string => (typeof value === "string" ? value : "");
const countOrZero = (value: unknown): number => (typeof value === "number" && Number.isSafeInteger(value) ? value : 0);

const readHeaderFields = (value: unknown): readonly HeaderField[] =>
  Array.isArray(value)
    ? value.flatMap((field: unknown) =>
        Array.isArray(field) ? [[textOrEmpty(field[0]), textOrEmpty(field[1])] as const] : [],
      )
    : [];

/** The parts of a frame, not yet validated. */
interface FrameParts {
  readonly head: JsonRecord;
  readonly request: JsonRecord;
  readonly headers: readonly HeaderField[];
  readonly bytes: number;
  readonly chunks: readonly (readonly [number, number])[];
}

/** Returns the session of a conversation call, which includes its poller. */
const readSession = ({ session, poller }: JsonRecord): JsonRecord =>
  session === undefined
    ? {}
    : { session: poller === undefined ? session : `${textOrEmpty(session)}-${textOrEmpty(poller)}` };

/** HTTP versions by the number that the k6 extension writes. Older files have no number. */
const httpVersionsByNumber: Readonly<Partial<Record<number, HttpVersion>>> = { 1: "1.1", 2: "2" };

function readHttpVersion(http: unknown): Pick<ExchangeRecord, "httpVersion"> {
  const httpVersion = http === undefined ? undefined : httpVersionsByNumber[countOrZero(http)];
  return httpVersion === undefined ? {} : { httpVersion };
}

function toRecord({ head, request, headers, bytes, chunks }: FrameParts): ExchangeRecord | undefined {
  const [method, url] = [textOrEmpty(request["method"]), textOrEmpty(request["url"])];
  const kind = requestKind(method, url);
  const sentHeaders = readHeaderFields(request["headers"]);
  const { failure, status, http, headersAtMicros, closedBy, mergedChunks } = head;
  const record: unknown = {
    id: head["id"],
    probe: "load",
    ...readSession(head),
    interface: kind?.interface,
    operation: kind?.operation,
    credential: sentHeaders.some(([name]) => name.toLowerCase() === "authorization") ? "access-token" : "none",
    request: { method, url, headers: sentHeaders, ...(request["body"] === undefined ? {} : { body: request["body"] }) },
    ...readHttpVersion(http),
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
        : { kind: "failed", code: failure, message: `the exchange broke off (${textOrEmpty(failure)})` },
    times: {
      sentAtMicros: head["sentAtMicros"],
      ...(headersAtMicros === undefined ? {} : { headersAtMicros }),
      endedAtMicros: head["endedAtMicros"],
    },
  };
  return isExchangeRecord(record) ? record : undefined;
}

const readLoad = (head: JsonRecord): LoadAtExchange => ({
  phase: head["phase"] === "warmup" ? "warmup" : "measure",
  side: readStoredSide(head) ?? "base",
  query: textOrEmpty(head["query"]),
  inFlight: countOrZero(head["inFlight"]),
  ratePerSecond: countOrZero(head["ratePerSecond"]),
});

/** Reads frames, and keeps the positions of the pieces to which later frames refer. */
class FrameReader {
  readonly #file: FileBytes;
  #pieces = new Map<number, PiecePosition>();
  /** The pieces before the last `F` frame. A frame may refer to these too, but not to older ones. */
  #previousPieces = new Map<number, PiecePosition>();

  constructor(file: FileBytes) {
    this.#file = file;
  }

  /**
   * Reads a frame, whose content begins at offset `at` of the file. Kinds: `P` is a piece, `F` forgets older pieces, `E` is the end of a
   * conversation, and `X` is an exchange. Ignores other kinds.
   */
  readFrame(kind: string, content: Buffer, at: number): KeptEntry | undefined {
    switch (kind) {
      case "P": {
        const numbers = new NumberReader(content);
        const id = numbers.next();
        this.#pieces.set(id, { at: at + numbers.at, length: content.length - numbers.at });
        return undefined;
      }
      case "F":
        [this.#previousPieces, this.#pieces] = [this.#pieces, new Map<number, PiecePosition>()];
        return undefined;
      case "E":
        return { kind: "session-over", session: content.toString("utf8") };
      case "X":
        // Copied, because the window moves when pieces are read.
        return this.#readExchange(Buffer.from(content));
      default:
        return undefined;
    }
  }

  #findPiece(id: number): PiecePosition {
    const position = this.#pieces.get(id) ?? this.#previousPieces.get(id);
    if (position === undefined) {
      throw new DamagedFileError("a piece of an exchange is missing");
    }
    return position;
  }

  #readJson(id: unknown): unknown {
    return id === undefined
      ? undefined
      : parseJson(this.#file.readPiece(this.#findPiece(countOrZero(id))).toString("utf8"));
  }

  #readExchange(content: Buffer): KeptEntry {
    const numbers = new NumberReader(content);
    const length = numbers.next();
    if (length > maxHeadBytes) {
      throw new DamagedFileError("the description of an exchange is too long");
    }
    const head = parseJson(content.toString("utf8", numbers.at, numbers.at + length));
    numbers.at += length;
    const request = isRecord(head) ? this.#readJson(head["request"]) : undefined;
    if (!isRecord(head) || !isRecord(request)) {
      throw new DamagedFileError("the description of an exchange cannot be read");
    }
    const positions = Array.from({ length: Math.min(maxParts, numbers.next()) }, () => this.#findPiece(numbers.next()));
    let atMicros = countOrZero(head["sentAtMicros"]);
    const chunks = Array.from({ length: Math.min(maxParts, numbers.next()) }, () => {
      const bytes = numbers.next();
      return [bytes, (atMicros += numbers.next())] as const;
    });
    const bytes = positions.reduce((sum, position) => sum + position.length, 0);
    const record = toRecord({
      head,
      request,
      headers: readHeaderFields(this.#readJson(head["headers"])),
      bytes,
      chunks,
    });
    if (record === undefined || bytes > maxBodyBytes) {
      throw new DamagedFileError("the description of an exchange is inconsistent");
    }
    const exchange =
      record.response !== undefined || bytes === 0
        ? { record, chunks: () => yieldChunks(this.#file, positions, chunks) }
        : withoutBody(record, "response bytes were recorded without a response head");
    const { session } = head;
    return {
      kind: "exchange",
      exchange,
      load: readLoad(head),
      ...(typeof session === "string" ? { conversation: session } : {}),
    };
  }
}

/** Returns the content of the record at a position. Returns undefined at the end of the file and for a truncated record. */
function readContent(file: FileBytes, at: number): Buffer | undefined {
  const head = file.read(at, headBytes);
  if (head.length < headBytes) {
    return undefined;
  }
  const length = head.readUInt32LE(0);
  if (length < 5 || length > maxFrameBytes) {
    throw new DamagedFileError("a record in it has an impossible length");
  }
  const frame = file.read(at + headBytes, length);
  if (frame.length < length) {
    return undefined;
  }
  const content = frame.subarray(0, length - checksumBytes);
  if (crc32(content) !== frame.readUInt32LE(length - checksumBytes)) {
    throw new DamagedFileError("a record in it is damaged");
  }
  return content;
}

/** Like `readContent`, for a file that is still being written: data that does not match yet may be incomplete. */
function readGrowingContent(file: FileBytes, at: number): Buffer | undefined {
  try {
    return readContent(file, at);
  } catch (error) {
    if (!(error instanceof DamagedFileError)) {
      throw error;
    }
    file.discardBuffer();
    return undefined;
  }
}

/**
 * Opens a file that the k6 extension wrote or is still writing. Everything before any damage is read. `problem` describes the damage. A
 * truncated end is not a problem. Throws a system error if the file cannot be opened.
 */
export function openKeptFile(path: string): KeptFile {
  const descriptor = openSync(path, "r");
  const file = new FileBytes(descriptor);
  const reader = new FrameReader(file);
  let problem: string | undefined;
  let at = 0;
  const readMagic = (isGrowing: boolean): boolean => {
    if (at === 0 && file.read(0, magic.length).toString("latin1") === magic) {
      at = magic.length;
    } else if (at === 0 && isGrowing) {
      file.discardBuffer();
    } else if (at === 0) {
      problem = "it is not a file of exchanges";
    }
    return at > 0;
  };
  function* entries(isGrowing: boolean): Generator<KeptEntry> {
    if (problem !== undefined || !readMagic(isGrowing)) {
      return;
    }
    for (;;) {
      const content = (isGrowing ? readGrowingContent : readContent)(file, at);
      if (content === undefined) {
        return;
      }
      const contentAt = at + headBytes;
      at = contentAt + content.length + checksumBytes;
      const entry = reader.readFrame(String.fromCharCode(content[0] ?? 0), content.subarray(1), contentAt + 1);
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
        if (!(error instanceof DamagedFileError)) {
          throw error;
        }
        problem = error.message;
      }
    },
    problem: () => problem,
    close: () => closeSync(descriptor),
  };
}

/** Files of several processes begin with the number of their process. */
const namePattern = /^(?:\d{4}-)?(?:search|conversation)-\d{2}\.bin$/u;

/** Lists the files of kept exchanges in a folder, in order. The list is empty if there is no such folder. */
export function listKeptFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => namePattern.test(name))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}
