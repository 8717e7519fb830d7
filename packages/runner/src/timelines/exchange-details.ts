import { isSecretHeaderName, replaceInHeader, visibleText } from "@assay/evidence";
import type { HeaderField, RecordedExchange } from "@assay/evidence";
import type { ExchangeDetail, RunTimelines } from "@assay/results";
import { readSpans } from "../judge/read-spans.ts";

const maxExchanges = 200;
const maxHeaders = 60;
const maxLengths = { method: 40, url: 500, header: 300, body: 2000 } as const;

/** Returns the first exchanges that occur in violations, in the order of their ids. */
export function selectExchangeDetails(
  exchanges: readonly RecordedExchange[],
  citedIds: ReadonlySet<string>,
): Pick<RunTimelines, "exchanges" | "moreExchanges"> {
  const exchangesById = new Map(exchanges.map((exchange) => [exchange.record.id, exchange] as const));
  const citedExchanges = [...citedIds].flatMap((id) => exchangesById.get(id) ?? []);
  const details = citedExchanges.slice(0, maxExchanges).map(toDetail);
  details.sort((a, b) => (a.exchange < b.exchange ? -1 : 1));
  return { exchanges: details, moreExchanges: citedExchanges.length - details.length };
}

function toDetail(exchange: RecordedExchange): ExchangeDetail {
  const { id, request, response } = exchange.record;
  return {
    exchange: id,
    method: visibleText(request.method, maxLengths.method),
    url: visibleText(request.url, maxLengths.url),
    requestHeaders: formatHeaders(request.headers),
    ...(request.body === undefined ? {} : { requestBody: visibleText(request.body, maxLengths.body) }),
    ...(response === undefined ? {} : { status: response.status }),
    responseHeaders: formatHeaders(response?.headers ?? []),
    bodyHead: readBodyHead(exchange),
    bodyBytes: response?.body.bytes ?? 0,
  };
}

/** Replaces placeholders of secrets. They look like tokens, so a reader could mistake them for a leak. */
const maskSecrets = (field: HeaderField): HeaderField =>
  isSecretHeaderName(field[0]) ? replaceInHeader(field, (stored) => `(replaced, ${stored.length} characters)`) : field;

const formatHeaders = (headers: readonly HeaderField[]): readonly string[] => [
  ...headers
    .slice(0, maxHeaders)
    .map((field) => maskSecrets(field))
    .map(([name, value]) => visibleText(`${name}: ${value}`, maxLengths.header)),
  ...(headers.length > maxHeaders ? [`… and ${headers.length - maxHeaders} more`] : []),
];

/**
 * Returns the beginning of a body, or an empty string if it is unreadable. Reads one character of up to 4 bytes more than is shown, so that
 * truncation is visible.
 */
function readBodyHead(exchange: RecordedExchange): string {
  const [head] =
    exchange.unreadable === undefined ? readSpans(exchange, [{ offset: 0, length: 4 * maxLengths.body + 4 }]) : [];
  return visibleText(head ?? new Uint8Array(), maxLengths.body);
}
