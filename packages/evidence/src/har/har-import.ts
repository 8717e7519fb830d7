import { HarnessError } from "@assay/contract";
import { isRecord, type JsonRecord } from "@assay/reading";
import { Buffer } from "node:buffer";
import { type ExchangeDraft, type ExchangeEnd, type FailureCode, type HeaderField, failureCodes } from "../exchange.ts";
import { type BodySources, type HarBody, readHarBody, readPostText, type ReadAttachment } from "./har-body.ts";
import { parseJson } from "../bundle/record-shape.ts";
import { type RecordedExchange, recordDraft, withoutBody } from "../recorded-exchange.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { type RequestKind, requestKind } from "../request-kind.ts";
import { splitScheme } from "../redaction/secret-headers.ts";
import { visibleText } from "../visible-text.ts";

/** The result of importing a HAR file. */
export interface HarImport {
  /** Exchanges with the service, in the order of the file. Ids are `har-<index of the entry>`. */
  readonly exchanges: readonly RecordedExchange[];
  /** Number of entries skipped because they are not requests to the service, or preflights. */
  readonly skippedEntries: number;
  /** Start of the first exchange, ISO 8601 in UTC. Absent if no entry has a readable date. */
  readonly startedAt?: string;
}

export interface HarImportOptions {
  /** Replaces secrets. Without a redactor they are kept, so keep the result in memory. */
  readonly redactor?: Redactor;
  /** Creates the redactor from all request and response headers, which contain the secrets. */
  readonly redactorFor?: (headers: readonly HeaderField[]) => Redactor;
  /** Reads bodies that the recording stores in separate files. Without it, they are not read. */
  readonly readAttachment?: ReadAttachment;
  /** Maximum file size. Default: 256 MiB. */
  readonly maxBytes?: number;
  /** Maximum number of entries. Default: 100,000. */
  readonly maxEntries?: number;
}

const getChildObject = (value: JsonRecord, key: string): JsonRecord => {
  const inner = value[key];
  return isRecord(inner) ? inner : {};
};
const stringOrEmpty = (value: unknown): string => (typeof value === "string" ? value : "");
const numberOrZero = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);

const readHeaders = (message: JsonRecord): readonly HeaderField[] => {
  const list = message["headers"];
  return Array.isArray(list)
    ? list.filter(isRecord).map(({ name, value }): HeaderField => [stringOrEmpty(name), stringOrEmpty(value)])
    : [];
};

/** Placeholders that tools write over credentials before a recording is shared. Equal placeholders need not stand for equal credentials. */
const maskedCredential = /redact|removed|hidden|omitted|masked|filtered|\*{3}|x{8}|^\W*$/i;

/** Request headers without masked credentials. */
const readSentHeaders = (request: JsonRecord): readonly HeaderField[] =>
  readHeaders(request).filter(
    ([name, value]) => !/^(?:authorization|cookie)$/i.test(name) || !maskedCredential.test(splitScheme(value)[1]),
  );

/** An entry that is a request to the service. */
interface ServiceEntry {
  readonly entry: JsonRecord;
  readonly index: number;
  readonly kind: RequestKind;
}

function selectServiceEntry(entry: unknown, index: number): readonly ServiceEntry[] {
  const request = isRecord(entry) ? getChildObject(entry, "request") : {};
  const kind = requestKind(stringOrEmpty(request["method"]), stringOrEmpty(request["url"]));
  return isRecord(entry) && kind !== undefined ? [{ entry, index, kind }] : [];
}

/** Returns the text sent. Omitted if it is longer than any question could be. */
function readRequestBody(request: JsonRecord, sources: BodySources): { readonly body?: string } {
  const text = readPostText(getChildObject(request, "postData"), sources);
  return text !== undefined && text.length <= maxRequestBody ? { body: text } : {};
}

const maxRequestBody = 1024 * 1024;

const isFailureCode = (value: unknown): value is FailureCode => failureCodes.some((code) => code === value);

/** `_failure` is Assay's own member. Browsers write `_error` and the status 0. */
function readEnd(response: JsonRecord): ExchangeEnd {
  const { code, message } = getChildObject(response, "_failure");
  if (isFailureCode(code)) {
    return { kind: "failed", code, message: stringOrEmpty(message) };
  }
  const error = stringOrEmpty(response["_error"]);
  if (error === "" && numberOrZero(response["status"]) > 0) {
    return response["_closedBy"] === "client" ? { kind: "complete", closedBy: "client" } : { kind: "complete" };
  }
  return {
    kind: "failed",
    code: "aborted",
    message: `the recording reports: ${visibleText(error, 200) || "no response"}`,
  };
}

/** Reports whether a response states that it has no body. */
const isBodiless = (response: JsonRecord): boolean =>
  response["status"] === 204 ||
  response["status"] === 304 ||
  readHeaders(response).some(([name, value]) => name.toLowerCase() === "content-length" && value.trim() === "0");

/** Facts about the body of a response that are known in advance. */
interface BodyExpectation {
  readonly isFromAssay: boolean;
  /** An empty body is a normal response to a cancellation or a deletion. */
  readonly mayBeEmpty: boolean;
}

/**
 * Returns why a body cannot be judged. Browsers omit or truncate bodies, especially of streams, and then set `size` to 0. So an
 * empty body is only conclusive in our own recordings and in responses declared to have no body.
 */
function findUnreadableReason(
  response: JsonRecord,
  body: HarBody | undefined,
  expectation: BodyExpectation,
): string | undefined {
  const size = numberOrZero(getChildObject(response, "content")["size"]);
  if (body?.reason !== undefined || isEmptyAllowed(response, { ...expectation, body, size })) {
    return body?.reason;
  }
  if (body === undefined || (body.bytes.length === 0 && !expectation.isFromAssay)) {
    return "the recording does not contain the response body";
  }
  const isComplete = body.isConverted === true || body.bytes.length >= size;
  return isComplete ? undefined : "the recording contains only part of the response body";
}

/** Reports whether the response really has no body. */
function isEmptyAllowed(
  response: JsonRecord,
  { mayBeEmpty, body, size }: BodyExpectation & { readonly body: HarBody | undefined; readonly size: number },
): boolean {
  return isBodiless(response) || (mayBeEmpty && size <= 0 && (body?.bytes.length ?? 0) === 0);
}

type EntryTimes = Required<Pick<ExchangeDraft["times"], "sentAtMicros" | "endedAtMicros">>;

const readStartMs = (entry: JsonRecord): number => Date.parse(stringOrEmpty(entry["startedDateTime"]));

/** The parts of `time`. `connect` includes `ssl`. */
const timingNames = ["blocked", "dns", "connect", "send", "wait", "receive"] as const;

/**
 * Returns the duration of an exchange, or undefined if the file has none. Some tools write -1 or 0 for parts that were not measured. No
 * real exchange takes 0.
 */
function readDurationMicros(entry: JsonRecord): number | undefined {
  const timings = getChildObject(entry, "timings");
  const parts = timingNames.reduce((sum, part) => sum + Math.max(0, numberOrZero(timings[part])), 0);
  const durationMs = [numberOrZero(entry["time"]), parts].find((ms) => ms > 0);
  return durationMs === undefined ? undefined : Math.round(durationMs * 1000);
}

/** Converts wall-clock milliseconds in the file to microseconds since the first entry. Missing times become 0. */
function readTimes(entry: JsonRecord, originMs: number): EntryTimes {
  const startedMs = readStartMs(entry);
  const sentAtMicros = Number.isNaN(startedMs) ? 0 : Math.max(0, (startedMs - originMs) * 1000);
  return { sentAtMicros, endedAtMicros: sentAtMicros + (readDurationMicros(entry) ?? 0) };
}

/**
 * Like `readTimes`, but a call without a date may have been sent at any time of the recording, and a call without a duration may have ended
 * at any later time. This avoids an order that was not measured.
 */
function readCallTimes(entry: JsonRecord, { originMs, endedAtMicros }: ImportContext): EntryTimes {
  if (Number.isNaN(readStartMs(entry))) {
    return { sentAtMicros: 0, endedAtMicros };
  }
  const times = readTimes(entry, originMs);
  return readDurationMicros(entry) === undefined ? { ...times, endedAtMicros } : times;
}

interface ImportContext {
  readonly originMs: number;
  /** A time after all known ones. */
  readonly endedAtMicros: number;
  /** The file was written by `exportHar`. */
  readonly isFromAssay: boolean;
  readonly sources: BodySources;
}

/** Accepts `HTTP/2`, `HTTP/2.0`, `http/2.0` and `h2`; omits other spellings. */
function readVersion(response: JsonRecord): Pick<ExchangeDraft, "httpVersion"> {
  const version = stringOrEmpty(response["httpVersion"]);
  const isHttp2 = /^(?:http\/2(?:\.0)?|h2)$/i.test(version);
  return isHttp2 ? { httpVersion: "2" } : /^http\/1\.1$/i.test(version) ? { httpVersion: "1.1" } : {};
}

/** An entry being converted to an exchange. */
interface EntryDraft {
  readonly draft: ExchangeDraft;
  /** The reason the body differs from what the target sent, if it does. */
  readonly unreadable: string | undefined;
}

function readBody({ entry, kind }: ServiceEntry, { isFromAssay, sources }: ImportContext): HarBody | undefined {
  const response = getChildObject(entry, "response");
  const contentEncoding =
    readHeaders(response).findLast(([name]) => name.toLowerCase() === "content-encoding")?.[1] ?? "";
  const location = {
    entry,
    content: getChildObject(response, "content"),
    // Our own recordings contain decoded bodies.
    coding: isFromAssay ? "" : contentEncoding.trim().toLowerCase(),
    isStream: kind.interface === "stream",
  };
  return readHarBody(location, sources);
}

/** Only the last event shows how a stream ended. */
function readEndOfEvents(bytes: Buffer, response: JsonRecord): ExchangeEnd {
  const lastEvent = bytes.subarray(bytes.lastIndexOf("\n\nevent: ", -3) + 1).toString("utf8");
  return /^\n?event: done\n/u.test(lastEvent)
    ? readEnd(response)
    : { kind: "failed", code: "aborted", message: "the recording contains events but not the end of the stream" };
}

function toDraft({ entry, index, kind }: ServiceEntry, context: ImportContext): EntryDraft {
  const request = getChildObject(entry, "request");
  const response = getChildObject(entry, "response");
  const times = kind.interface === "stream" ? readTimes(entry, context.originMs) : readCallTimes(entry, context);
  const body = readBody({ entry, index, kind }, context);
  const status = numberOrZero(response["status"]);
  const chunks = [{ bytes: body?.bytes ?? Buffer.alloc(0), atMicros: times.endedAtMicros }];
  const draft: ExchangeDraft = {
    id: `har-${index}`,
    probe: "import",
    ...kind,
    credential: "unknown",
    request: {
      method: stringOrEmpty(request["method"]),
      url: stringOrEmpty(request["url"]),
      headers: readSentHeaders(request),
      ...readRequestBody(request, context.sources),
    },
    ...readVersion(response),
    ...(body?.isFromEvents === true ? { eventsOnly: true } : {}),
    ...(status > 0 ? { response: { status, headers: readHeaders(response), chunks } } : {}),
    end: body?.isFromEvents === true ? readEndOfEvents(body.bytes, response) : readEnd(response),
    times,
  };
  const mayBeEmpty = kind.operation === "cancel" || kind.operation === "delete";
  const expectation = { isFromAssay: context.isFromAssay, mayBeEmpty };
  return { draft, unreadable: status > 0 ? findUnreadableReason(response, body, expectation) : undefined };
}

function toExchange({ draft, unreadable }: EntryDraft, redactor: Redactor | undefined): RecordedExchange {
  const recorded = recordDraft(redactor?.draft(draft) ?? draft);
  return unreadable === undefined || recorded.unreadable !== undefined
    ? recorded
    : withoutBody(recorded.record, unreadable);
}

interface Log {
  readonly entries: readonly unknown[];
  readonly creator: unknown;
}

function parseLog(bytes: Uint8Array, { maxBytes = 256 * 2 ** 20, maxEntries = 100_000 }: HarImportOptions): Log {
  if (bytes.length > maxBytes) {
    throw new HarnessError(
      "too-large",
      `the HAR file is ${bytes.length} bytes, over the limit of ${maxBytes}; record a shorter session`,
    );
  }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  const value = parseJson(text);
  if (value === undefined) {
    throw new HarnessError("not-a-har", "the file is not JSON; export the recording as HAR again");
  }
  const log = isRecord(value) ? getChildObject(value, "log") : {};
  const entries = log["entries"];
  if (!Array.isArray(entries)) {
    throw new HarnessError("not-a-har", "the file is JSON without `log.entries`; export the recording as HAR");
  }
  if (entries.length > maxEntries) {
    throw new HarnessError(
      "too-large",
      `the HAR file has ${entries.length} entries, over the limit of ${maxEntries}; record a shorter session`,
    );
  }
  return { entries, creator: getChildObject(log, "creator")["name"] };
}

/** Maximum total number of decompressed bytes. */
const maxTotalDecompressedBytes = 2 ** 30;

const listHeaders = ({ request, response }: ExchangeDraft): readonly HeaderField[] => [
  ...request.headers,
  ...(response?.headers ?? []),
];

/**
 * Reads the exchanges with the service, which are searches and calls of the conversation API, from a HAR file. The format has no chunk
 * times, so the body is one chunk that arrives at the end of the exchange. The credential is `unknown`. Skips preflights. An omitted or
 * truncated body makes the exchange `unreadable`. Throws `not-a-har` or `too-large`.
 */
export function importHar(bytes: Uint8Array, options: HarImportOptions = {}): HarImport {
  const { entries, creator } = parseLog(bytes, options);
  const serviceEntries = entries.flatMap((entry, index) => selectServiceEntry(entry, index));
  const starts = serviceEntries.map(({ entry }) => readStartMs(entry)).filter((at) => !Number.isNaN(at));
  const originMs = starts.reduce((earliest, at) => Math.min(earliest, at), Number.POSITIVE_INFINITY);
  const ends = serviceEntries.map(({ entry }) => readTimes(entry, originMs).endedAtMicros);
  const endedAtMicros = 1 + ends.reduce((latest, at) => Math.max(latest, at), 0);
  const { readAttachment = () => ({ reason: "is not read" }) } = options;
  const sources = { readAttachment, decompressionBudget: { remainingBytes: maxTotalDecompressedBytes } };
  const context = { originMs, endedAtMicros, isFromAssay: creator === "assay", sources };
  const drafts = serviceEntries.map((serviceEntry) => toDraft(serviceEntry, context));
  const redactor = options.redactor ?? options.redactorFor?.(drafts.flatMap(({ draft }) => listHeaders(draft)));
  // A token may appear in a URL before the first response that contains it.
  drafts.forEach(({ draft }) => redactor?.learn(draft));
  return {
    exchanges: drafts.map((draft) => toExchange(draft, redactor)),
    skippedEntries: entries.length - serviceEntries.length,
    ...(Number.isFinite(originMs) ? { startedAt: new Date(originMs).toISOString() } : {}),
  };
}
