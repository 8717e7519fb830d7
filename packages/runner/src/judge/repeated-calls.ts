import type { ExchangeRecord, RecordedExchange } from "@assay/evidence";

const namesRetryTime = ({ response }: ExchangeRecord): boolean =>
  response?.headers.some(([name]) => name.toLowerCase() === "retry-after") === true;

/** Same request by the same credential. */
const requestOf = ({ interface: name, operation, credential, session, request }: ExchangeRecord): string =>
  JSON.stringify([name, operation, credential, session, request.method, request.url, request.body]);

/**
 * Whether a busy target refused a call that was sent again and then answered: status 503 with `Retry-After`, and a later answer
 * to the same request that is no server error.
 */
export const isRepeated = ({ record }: RecordedExchange, exchanges: readonly RecordedExchange[]): boolean =>
  record.response?.status === 503 &&
  namesRetryTime(record) &&
  exchanges.some(
    ({ record: later }) =>
      later.end.kind === "complete" &&
      later.response !== undefined &&
      later.response.status < 500 &&
      later.times.sentAtMicros >= record.times.endedAtMicros &&
      requestOf(later) === requestOf(record),
  );

/** Without reads that were refused and sent again: the second answer counts. A write that was refused may have happened all the same. */
export const withoutRepeatedReads = (exchanges: readonly RecordedExchange[]): readonly RecordedExchange[] =>
  exchanges.filter(
    (exchange) =>
      (exchange.record.operation !== "get" && exchange.record.operation !== "list") || !isRepeated(exchange, exchanges),
  );
