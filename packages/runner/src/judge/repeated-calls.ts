import type { ExchangeRecord, RecordedExchange } from "@assay/evidence";

const hasRetryAfter = ({ response }: ExchangeRecord): boolean =>
  response?.headers.some(([name]) => name.toLowerCase() === "retry-after") === true;

/** Returns a key that equal requests with the same credential share. */
const createRequestKey = ({ interface: name, operation, credential, session, request }: ExchangeRecord): string =>
  JSON.stringify([name, operation, credential, session, request.method, request.url, request.body]);

/**
 * Reports whether a busy target refused a call and answered a retry: status 503 with `Retry-After`, and a later answer to the same request
 * that is not a server error.
 */
export const wasRetried = ({ record }: RecordedExchange, exchanges: readonly RecordedExchange[]): boolean =>
  record.response?.status === 503 &&
  hasRetryAfter(record) &&
  exchanges.some(
    ({ record: later }) =>
      later.end.kind === "complete" &&
      later.response !== undefined &&
      later.response.status < 500 &&
      later.times.sentAtMicros >= record.times.endedAtMicros &&
      createRequestKey(later) === createRequestKey(record),
  );

/** Removes refused reads that were retried, so that only the retry is judged. Keeps refused writes, which may have had an effect. */
export const removeRetriedReads = (exchanges: readonly RecordedExchange[]): readonly RecordedExchange[] =>
  exchanges.filter(
    (exchange) =>
      (exchange.record.operation !== "get" && exchange.record.operation !== "list") || !wasRetried(exchange, exchanges),
  );
