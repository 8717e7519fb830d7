import type { RecordedExchange } from "@assay/evidence";
import { createStreamChecker } from "@assay/stream-grammar";
import type { StreamEvent } from "@assay/stream-grammar";

/** Calls `onEvent` for each event of a recorded response, in order. An unreadable response has no events. */
export function readEvents(exchange: RecordedExchange, onEvent: (event: StreamEvent) => void): void {
  const checker = createStreamChecker({ onEvent, onFinding: () => undefined });
  for (const { bytes, atMicros } of exchange.unreadable === undefined ? exchange.chunks() : []) {
    checker.push(bytes, atMicros);
  }
}
