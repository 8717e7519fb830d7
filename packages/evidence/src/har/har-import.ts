import { HarnessError } from "@assay/contract";
import { isRecord, type JsonRecord } from "@assay/reading";
import { Buffer } from "node:buffer";
import { type ExchangeDraft, type ExchangeEnd, type FailureCode, type HeaderField, failureCodes } from "../exchange.ts";
import { type BodySources, type HarBody, harBody, postedText, type ReadAttached } from "./har-body.ts";
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
  /** Replaces secrets. Without a redactor they stay, so keep the result in memory. */
  readonly redactor?: Redactor;
  /** Creates the redactor from all request and response headers, which name the secrets. */
  readonly redactorFor?: (headers: readonly HeaderField[]) => Redactor;
  /** Reads bodies that the recording stores in separate files [not read]. */
  readonly attached?: ReadAttached;
  /** Maximum file size [256 MiB]. */
  readonly maxBytes?: number;
  /** Maximum number of entries [100,000]. */
  readonly maxEntries?: number;
}

const child = (value: JsonRecord, key: string): JsonRecord => {
  const inner = value[key];
  return isRecord(inner) ? inner : {};
};
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const numberOf = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);

const headersOf = (message: JsonRecord): readonly HeaderField[] => {
  const list = message["headers"];
  return Array.isArray(list)
    ? list.filter(isRecord).map(({ name, value }): HeaderField => [textOf(name), textOf(value)])
    : [];
};

/**
 * Placeholders that tools write over credentials before a recording is shared. Equal placeholders do not mean equal
 * credentials.
 */
const masked = /redact|removed|hidden|omitted|masked|filtered|\*{3}|x{8}|^\W*$/i;

/** Request headers without masked credentials. */
const sentHeadersOf = (request: JsonRecord): readonly HeaderField[] =>
  headersOf(request).filter(
    ([name, value]) => !/^(?:authorization|cookie)$/i.test(name) || !masked.test(splitScheme(value)[1]),
  );

/** An entry that is a request to the service. */
interface KnownEntry {
  readonly entry: JsonRecord;
  readonly index: number;
  readonly kind: RequestKind;
}

function knownEntry(entry: unknown, index: number): readonly KnownEntry[] {
  const request = isRecord(entry) ? child(entry, "request") : {};
  const kind = requestKind(textOf(request["method"]), textOf(request["url"]));
  return isRecord(entry) && kind !== undefined ? [{ entry, index, kind }] : [];
}

/** The text sent. Omitted if it is longer than any question. */
function requestBodyOf(request: JsonRecord, sources: BodySources): { readonly body?: string } {
  const text = postedText(child(request, "postData"), sources);
  return text !== undefined && text.length <= maxRequestBody ? { body: text } : {};
}

const maxRequestBody = 1024 * 1024;

const isFailureCode = (value: unknown): value is FailureCode => failureCodes.some((code) => code === value);

/** `_failure` is our own member. Browsers write `_error` and the status 0. */
function endOf(response: JsonRecord): ExchangeEnd {
  const { code, message } = child(response, "_failure");
  if (isFailureCode(code)) {
    return { kind: "failed", code, message: textOf(message) };
  }
  const error = textOf(response["_error"]);
  if (error === "" && numberOf(response["status"]) > 0) {
    return response["_closedBy"] === "client" ? { kind: "complete", closedBy: "client" } : { kind: "complete" };
  }
  return {
    kind: "failed",
    code: "aborted",
    message: `the recording says: ${visibleText(error, 200) || "no response"}`,
  };
}

/** True if a response states that it has no body. */
const isBodiless = (response: JsonRecord): boolean =>
  response["status"] === 204 ||
  response["status"] === 304 ||
  headersOf(response).some(([name, value]) => name.toLowerCase() === "content-length" && value.trim() === "0");

/** Facts about the body of a response that are known in advance. */
interface BodyExpectation {
  readonly isOurs: boolean;
  /** An empty body is a usual answer: to a cancellation or a deletion. */
  readonly mayBeEmpty: boolean;
}

/**
 * Browsers omit or truncate bodies, especially of streams, whose `size` is then 0. So an empty body says nothing about the
 * server, except in our own recordings and in responses that state that they have no body.
 */
function unreadableReason(
  response: JsonRecord,
  body: HarBody | undefined,
  expectation: BodyExpectation,
): string | undefined {
  const size = numberOf(child(response, "content")["size"]);
  if (body?.flaw !== undefined || isEmptyAllowed(response, { ...expectation, body, size })) {
    return body?.flaw;
  }
  if (body === undefined || (body.bytes.length === 0 && !expectation.isOurs)) {
    return "the recording does not contain the body of the response";
  }
  const isWhole = body.isConverted === true || body.bytes.length >= size;
  return isWhole ? undefined : "the recording holds only a part of the body of the response";
}

/** True if the response really has no body. */
function isEmptyAllowed(
  response: JsonRecord,
  { mayBeEmpty, body, size }: BodyExpectation & { readonly body: HarBody | undefined; readonly size: number },
): boolean {
  return isBodiless(response) || (mayBeEmpty && size <= 0 && (body?.bytes.length ?? 0) === 0);
}

type EntryTimes = Required<Pick<ExchangeDraft["times"], "sentAtMicros" | "endedAtMicros">>;

const startedMsOf = (entry: JsonRecord): number => Date.parse(textOf(entry["startedDateTime"]));

/** The parts of `time`. `ssl` is included in `connect`. */
const timedParts = ["blocked", "dns", "connect", "send", "wait", "receive"] as const;

/**
 * Duration of an exchange; undefined if the file has none. Tools write -1 for unmeasured parts, some write 0, and no
 * exchange takes no time.
 */
function durationMicrosOf(entry: JsonRecord): number | undefined {
  const timings = child(entry, "timings");
  const parts = timedParts.reduce((sum, part) => sum + Math.max(0, numberOf(timings[part])), 0);
  const takenMs = [numberOf(entry["time"]), parts].find((ms) => ms > 0);
  return takenMs === undefined ? undefined : Math.round(takenMs * 1000);
}

/** Times in the file are wall-clock milliseconds; ours count from the first entry. Missing times are 0. */
function timesOf(entry: JsonRecord, originMs: number): EntryTimes {
  const startedMs = startedMsOf(entry);
  const sentAtMicros = Number.isNaN(startedMs) ? 0 : Math.max(0, (startedMs - originMs) * 1000);
  return { sentAtMicros, endedAtMicros: sentAtMicros + (durationMicrosOf(entry) ?? 0) };
}

/**
 * Like `timesOf`, but a call without a date may have been sent at any time of the recording, and a call without a duration
 * may have been answered at any time after that. So neither has an order that nobody measured.
 */
function callTimesOf(entry: JsonRecord, { originMs, endedAtMicros }: ImportContext): EntryTimes {
  if (Number.isNaN(startedMsOf(entry))) {
    return { sentAtMicros: 0, endedAtMicros };
  }
  const times = timesOf(entry, originMs);
  return durationMicrosOf(entry) === undefined ? { ...times, endedAtMicros } : times;
}

interface ImportContext {
  readonly originMs: number;
  /** After every known time. */
  readonly endedAtMicros: number;
  /** The file was written by `exportHar`. */
  readonly isOurs: boolean;
  readonly sources: BodySources;
}

/** Accepts `HTTP/2`, `HTTP/2.0`, `http/2.0` and `h2`; omits other spellings. */
function versionOf(response: JsonRecord): Pick<ExchangeDraft, "httpVersion"> {
  const written = textOf(response["httpVersion"]);
  const isHttp2 = /^(?:http\/2(?:\.0)?|h2)$/i.test(written);
  return isHttp2 ? { httpVersion: "2" } : /^http\/1\.1$/i.test(written) ? { httpVersion: "1.1" } : {};
}

/** An entry being converted to an exchange. */
interface EntryDraft {
  readonly draft: ExchangeDraft;
  /** Why the body is not what the target sent, if it is not. */
  readonly unreadable: string | undefined;
}

function bodyOf({ entry, kind }: KnownEntry, { isOurs, sources }: ImportContext): HarBody | undefined {
  const response = child(entry, "response");
  const named = headersOf(response).findLast(([name]) => name.toLowerCase() === "content-encoding")?.[1] ?? "";
  const place = {
    entry,
    content: child(response, "content"),
    // Our own recordings contain decoded bodies.
    coding: isOurs ? "" : named.trim().toLowerCase(),
    isStream: kind.interface === "stream",
  };
  return harBody(place, sources);
}

/** Events show how a stream ended only through the last one. */
function endOfEvents(bytes: Buffer, response: JsonRecord): ExchangeEnd {
  const lastEvent = bytes.subarray(bytes.lastIndexOf("\n\nevent: ", -3) + 1).toString("utf8");
  return /^\n?event: done\n/u.test(lastEvent)
    ? endOf(response)
    : { kind: "failed", code: "aborted", message: "the recording shows events and not how the stream ended" };
}

function draftOf({ entry, index, kind }: KnownEntry, context: ImportContext): EntryDraft {
  const request = child(entry, "request");
  const response = child(entry, "response");
  const times = kind.interface === "stream" ? timesOf(entry, context.originMs) : callTimesOf(entry, context);
  const body = bodyOf({ entry, index, kind }, context);
  const status = numberOf(response["status"]);
  const chunks = [{ bytes: body?.bytes ?? Buffer.alloc(0), atMicros: times.endedAtMicros }];
  const draft: ExchangeDraft = {
    id: `har-${index}`,
    probe: "import",
    ...kind,
    credential: "unknown",
    request: {
      method: textOf(request["method"]),
      url: textOf(request["url"]),
      headers: sentHeadersOf(request),
      ...requestBodyOf(request, context.sources),
    },
    ...versionOf(response),
    ...(body?.areEvents === true ? { eventsOnly: true } : {}),
    ...(status > 0 ? { response: { status, headers: headersOf(response), chunks } } : {}),
    end: body?.areEvents === true ? endOfEvents(body.bytes, response) : endOf(response),
    times,
  };
  const mayBeEmpty = kind.operation === "cancel" || kind.operation === "delete";
  const expectation = { isOurs: context.isOurs, mayBeEmpty };
  return { draft, unreadable: status > 0 ? unreadableReason(response, body, expectation) : undefined };
}

function exchangeOf({ draft, unreadable }: EntryDraft, redactor: Redactor | undefined): RecordedExchange {
  const recorded = recordDraft(redactor?.draft(draft) ?? draft);
  return unreadable === undefined || recorded.unreadable !== undefined
    ? recorded
    : withoutBody(recorded.record, unreadable);
}

interface Log {
  readonly entries: readonly unknown[];
  readonly creator: unknown;
}

function logOf(bytes: Uint8Array, { maxBytes = 256 * 2 ** 20, maxEntries = 100_000 }: HarImportOptions): Log {
  if (bytes.length > maxBytes) {
    throw new HarnessError("too-large", `the HAR file has ${bytes.length} bytes; at most ${maxBytes} are read`);
  }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  const value = parseJson(text);
  if (value === undefined) {
    throw new HarnessError("not-a-har", "the file is not JSON; export the recording as HAR again");
  }
  const log = isRecord(value) ? child(value, "log") : {};
  const entries = log["entries"];
  if (!Array.isArray(entries)) {
    throw new HarnessError("not-a-har", "the file is JSON without `log.entries`; export the recording as HAR");
  }
  if (entries.length > maxEntries) {
    throw new HarnessError("too-large", `the HAR file has ${entries.length} entries; at most ${maxEntries} are read`);
  }
  return { entries, creator: child(log, "creator")["name"] };
}

/** Maximum decompressed bytes of all bodies together. */
const maxUnpackedInAll = 2 ** 30;

const headersIn = ({ request, response }: ExchangeDraft): readonly HeaderField[] => [
  ...request.headers,
  ...(response?.headers ?? []),
];

/**
 * Reads the exchanges with the service (searches and calls of the conversation API) from a HAR file. The body is one chunk,
 * received at the end of the exchange, because the format has no chunk times; the credential is `unknown`. Skips preflights.
 * A body that was omitted or truncated makes the exchange `unreadable`. Throws `not-a-har` or `too-large`.
 */
export function importHar(bytes: Uint8Array, options: HarImportOptions = {}): HarImport {
  const { entries, creator } = logOf(bytes, options);
  const indexed = entries.flatMap((entry, index) => knownEntry(entry, index));
  const starts = indexed.map(({ entry }) => startedMsOf(entry)).filter((at) => !Number.isNaN(at));
  const originMs = starts.reduce((earliest, at) => Math.min(earliest, at), Number.POSITIVE_INFINITY);
  const ends = indexed.map(({ entry }) => timesOf(entry, originMs).endedAtMicros);
  const endedAtMicros = 1 + ends.reduce((latest, at) => Math.max(latest, at), 0);
  const { attached = () => ({ flaw: "is not read here" }) } = options;
  const sources = { attached, unpackable: { left: maxUnpackedInAll } };
  const context = { originMs, endedAtMicros, isOurs: creator === "assay", sources };
  const drafts = indexed.map((known) => draftOf(known, context));
  const redactor = options.redactor ?? options.redactorFor?.(drafts.flatMap(({ draft }) => headersIn(draft)));
  // A token may appear in a URL before the first answer that names it.
  drafts.forEach(({ draft }) => redactor?.learn(draft));
  return {
    exchanges: drafts.map((draft) => exchangeOf(draft, redactor)),
    skippedEntries: entries.length - indexed.length,
    ...(Number.isFinite(originMs) ? { startedAt: new Date(originMs).toISOString() } : {}),
  };
}
