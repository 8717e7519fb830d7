import type { RecordedExchange } from "@assay/evidence";
import { createStreamChecker } from "@assay/stream-grammar";
import type { StreamEvent } from "@assay/stream-grammar";

/** The events of a recorded answer, in their order; none of one that cannot be read. */
export function readEvents(exchange: RecordedExchange, onEvent: (event: StreamEvent) => void): void {
  const checker = createStreamChecker({ onEvent, onFinding: () => undefined });
  for (const { bytes, atMicros } of exchange.unreadable === undefined ? exchange.chunks() : []) {
    checker.push(bytes, atMicros);
  }
}
