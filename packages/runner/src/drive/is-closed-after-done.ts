import { isClosedEarly } from "@assay/evidence";
import type { ExchangeDraft } from "@assay/evidence";
import { createStreamChecker } from "@assay/stream-grammar";

/**
 * Reports whether the server closed the connection before the end of the HTTP response but after `done`, so that no event is missing. Reads the
 * body of such a response again.
 */
export function isClosedAfterDone({ end, response }: Pick<ExchangeDraft, "end" | "response">): boolean {
  if (!isClosedEarly(end) || response === undefined) {
    return false;
  }
  const checker = createStreamChecker({ onFinding() {} });
  for (const { bytes, atMicros } of response.chunks) {
    checker.push(bytes, atMicros);
  }
  return checker.isDone;
}
