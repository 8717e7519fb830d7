import { defineExchangeRule } from "../../engine/rule.ts";
import type { JudgedExchange } from "../../engine/rule.ts";

/** So much of what passed by our own clock is left for clocks that run apart. */
const tolerance = { factor: 2, ms: 1000 } as const;

/** Times in a recording are those of whoever made it. */
const ofThisRun = ({ record }: JudgedExchange): boolean => record.probe !== "import";

/**
 * A search cannot have taken longer than passed from its request to the arrival of what tells so: whatever holds an answer back makes
 * that time longer, never shorter. A unit smaller than the millisecond shows like this, a larger one never does. The document does
 * not say from when on the duration counts, so it may be that of an answer kept from an earlier search: plausible, but not promised.
 * Source: search-stream, section 2.2.
 */
export const durationFitsClock = defineExchangeRule({
  id: "stream/duration-fits-clock",
  check(exchanges, reportFor) {
    for (const { record, stream } of exchanges.filter((exchange) => ofThisRun(exchange))) {
      const { finalProgress } = stream ?? {};
      if (finalProgress === undefined) {
        continue;
      }
      const { durationMs, atMicros } = finalProgress;
      const passedMs = (atMicros - record.times.sentAtMicros) / 1000;
      // What came before it was asked for was stamped by another clock.
      if (passedMs < 0) {
        continue;
      }
      const report = reportFor(record.id);
      report.opportunity();
      if (durationMs > passedMs * tolerance.factor + tolerance.ms) {
        const message = `the final progress of search ${record.id} says that it took ${durationMs} ms, and it came ${Math.ceil(passedMs)} ms after the request was sent`;
        report.violation({ message });
      }
    }
  },
});
