import { Buffer, isUtf8 } from "node:buffer";
import type { Bundle } from "../bundle/bundle-reader.ts";
import type { ExchangeEnd, HeaderField } from "../exchange.ts";
import type { RecordedExchange } from "../recorded-exchange.ts";

interface NameValue {
  readonly name: string;
  readonly value: string;
}

const toNameValues = (fields: Iterable<readonly [string, string]>): readonly NameValue[] =>
  Array.from(fields, ([name, value]) => ({ name, value }));

const toMs = (micros: number): number => micros / 1000;

const findHeader = (headers: readonly HeaderField[], wantedName: string): string =>
  headers.find(([name]) => name.toLowerCase() === wantedName)?.[1] ?? "";

/** Returns the body as text if it is UTF-8, otherwise as base64. Empty if the bundle cannot provide it. */
function toContent({ unreadable, chunks }: RecordedExchange): object {
  if (unreadable !== undefined) {
    return { comment: unreadable };
  }
  const bytes = Buffer.concat(Array.from(chunks(), (chunk) => chunk.bytes));
  return isUtf8(bytes) ? { text: bytes.toString("utf8") } : { text: bytes.toString("base64"), encoding: "base64" };
}

/** Members that are not part of HAR. */
function listAssayMembers(end: ExchangeEnd): object {
  if (end.kind === "failed") {
    return { _failure: { code: end.code, message: end.message } };
  }
  return end.closedBy === undefined ? {} : { _closedBy: end.closedBy };
}

/** Returns the HTTP version in the form that browsers use. */
const formatHttpVersion = ({ record }: RecordedExchange): string =>
  record.httpVersion === "2" ? "HTTP/2" : "HTTP/1.1";

function toResponse(exchange: RecordedExchange): object {
  const { response, end } = exchange.record;
  const headers = response?.headers ?? [];
  return {
    status: response?.status ?? 0,
    statusText: "",
    httpVersion: formatHttpVersion(exchange),
    cookies: [],
    headers: toNameValues(headers),
    content: {
      size: response?.body.bytes ?? 0,
      mimeType: findHeader(headers, "content-type") || "x-unknown",
      ...toContent(exchange),
    },
    redirectURL: findHeader(headers, "location"),
    headersSize: -1,
    bodySize: -1,
    ...listAssayMembers(end),
  };
}

const parseQuery = (url: string): readonly NameValue[] =>
  URL.canParse(url) ? toNameValues(new URL(url).searchParams) : [];

function toEntry(exchange: RecordedExchange, startedAtMs: number): object {
  const { request, times, id } = exchange.record;
  const headersAtMicros = times.headersAtMicros ?? times.endedAtMicros;
  return {
    startedDateTime: new Date(startedAtMs + toMs(times.sentAtMicros)).toISOString(),
    time: toMs(times.endedAtMicros - times.sentAtMicros),
    request: {
      method: request.method,
      url: request.url,
      httpVersion: formatHttpVersion(exchange),
      cookies: [],
      headers: toNameValues(request.headers),
      queryString: parseQuery(request.url),
      headersSize: -1,
      bodySize: request.body === undefined ? 0 : Buffer.byteLength(request.body),
      ...(request.body === undefined
        ? {}
        : { postData: { mimeType: findHeader(request.headers, "content-type"), text: request.body } }),
    },
    response: toResponse(exchange),
    cache: {},
    timings: {
      send: 0,
      wait: toMs(headersAtMicros - times.sentAtMicros),
      receive: toMs(times.endedAtMicros - headersAtMicros),
    },
    comment: id,
  };
}

/**
 * Exports the exchanges of a bundle as HAR 1.2 text, one entry each. Bodies are text if they are UTF-8, otherwise base64.
 * `response._failure` contains the code of a failed exchange. `response._closedBy` marks one that we closed. HAR cannot represent chunk
 * boundaries and times, so they are lost.
 */
export function exportHar({ manifest, exchanges }: Pick<Bundle, "manifest" | "exchanges">): string {
  const startedAtMs = Date.parse(manifest.startedAt);
  const entries = exchanges.map((exchange) => toEntry(exchange, Number.isNaN(startedAtMs) ? 0 : startedAtMs));
  const creator = { name: manifest.tool.name, version: manifest.tool.version };
  return `${JSON.stringify({ log: { version: "1.2", creator, entries } }, null, 2)}\n`;
}
