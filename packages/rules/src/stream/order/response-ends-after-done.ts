import { isOfThisRun } from "../../engine/answer.ts";
import { isClosedEarly, measureStalledMs } from "@assay/evidence";
import { defineExchangeRule } from "../../engine/rule.ts";
import type { JudgedExchange } from "../../engine/rule.ts";

const hasDone = ({ stream }: JudgedExchange): boolean =>
  stream?.isComplete === true && (stream.eventCounts["done"] ?? 0) > 0;

const isChunked = ({ record: { response } }: JudgedExchange): boolean =>
  response?.headers.some(
    ([name, value]) => name.toLowerCase() === "transfer-encoding" && /\bchunked\b/iu.test(value),
  ) === true;

/** Maximum time that a response may stay open after `done`, in microseconds. */
const maxOpenMicros = 1_000_000;

/**
 * Measures the time that a response was open after `done` until the client closed it. It returns undefined if the
 * server ended it.
 */
function measureOpenMicros({ record: { end, times }, stream }: JudgedExchange): number | undefined {
  const isClosedByClient = end.kind === "complete" && end.closedBy === "client";
  return isClosedByClient ? times.endedAtMicros - (stream?.doneAtMicros ?? times.endedAtMicros) : undefined;
}

/** Reports whether the response was open for long while this process could read its end. */
const wasSeenOpen = ({ record: { times }, stream }: JudgedExchange, openMicros: number): boolean =>
  openMicros - measureStalledMs(times.stalls, stream?.doneAtMicros, times.endedAtMicros) * 1000 >= maxOpenMicros;

const describeMissingEnd = (exchange: JudgedExchange): string =>
  isChunked(exchange) ? "the final chunk of the HTTP response" : "the end of the HTTP response";

/**
 * The HTTP response ends after `done`: the server neither closes the connection before its end nor leaves it open.
 * Otherwise a client that reads to the end reports an error or hangs, although it got every event. This is not
 * required: the specification requires only that the stream is closed. Source: search-stream, sections 3 and 6.
 */
export const responseEndsAfterDone = defineExchangeRule({
  id: "stream/response-ends-after-done",
  check(exchanges, reportFor) {
    for (const exchange of exchanges.filter((candidate) => isOfThisRun(candidate) && hasDone(candidate))) {
      const openMicros = measureOpenMicros(exchange);
      if (openMicros !== undefined && !wasSeenOpen(exchange, openMicros)) {
        // The run closed the connection before the result was clear.
        continue;
      }
      const report = reportFor(exchange.record.id);
      report.observation();
      if (isClosedEarly(exchange.record.end)) {
        report.violation({
          message: `the connection was closed after \`done\` without ${describeMissingEnd(exchange)}; strict HTTP clients report an error although every event arrived`,
          code: "closed-early",
        });
      }
      if (openMicros !== undefined) {
        report.violation({
          message: `the response was still open ${Math.floor(openMicros / 1e6)} s after \`done\`; clients that read to its end hang`,
          code: "left-open",
        });
      }
    }
  },
});
