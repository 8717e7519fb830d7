import { visibleText } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import type { ExchangeSummary } from "@assay/results";
import type { JudgedExchange } from "@assay/rules";
import { failureOf } from "./exchange-failures.ts";

/** One line for each request, for people who read the report. */
export function exchangeSummaries(
  exchanges: readonly RecordedExchange[],
  judged: readonly JudgedExchange[],
): readonly ExchangeSummary[] {
  const facts = new Map(judged.map(({ record, stream }) => [record.id, stream]));
  return exchanges.map((exchange) => exchangeSummary(exchange, facts.get(exchange.record.id)));
}

function exchangeSummary(exchange: RecordedExchange, stream: JudgedExchange["stream"]): ExchangeSummary {
  const { id, probe, request, response, times } = exchange.record;
  const failure = failureOf(exchange);
  const { events = 0, matches = 0, firstMatchAtMicros } = stream ?? {};
  return {
    id,
    probe,
    interface: exchange.record.interface,
    operation: exchange.record.operation,
    url: visibleText(request.url, 500),
    ...(response === undefined ? {} : { status: response.status }),
    bytes: response?.body.bytes ?? 0,
    events,
    matches,
    ...(firstMatchAtMicros === undefined ? {} : { firstMatchMicros: firstMatchAtMicros - times.sentAtMicros }),
    durationMicros: times.endedAtMicros - times.sentAtMicros,
    ...(failure === undefined ? {} : { failure }),
  };
}
