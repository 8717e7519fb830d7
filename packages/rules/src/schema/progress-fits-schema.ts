import { searchStreamValidators } from "@assay/openapi";
import { dataOf } from "../engine/event-place.ts";
import { defineStreamRule } from "../engine/rule.ts";
import { isInsideSkippedEntry } from "./skipped-entry.ts";

/** The progress object itself; its skipped entries have a rule of their own. Source: search-stream, section 2.2. */
export const progressFitsSchema = defineStreamRule({
  id: "stream/progress-fits-schema",
  start: () => searchStreamValidators().ProgressEvent,
  on: {
    progress(schema, event, report) {
      if (!event.parsed) {
        return;
      }
      report.observe();
      if (schema.check(event.value)) {
        return;
      }
      for (const { pointer, message } of schema.errors(event.value)) {
        if (!isInsideSkippedEntry(pointer)) {
          report.violation({ message: `progress: ${message}`, ...dataOf(event, pointer) });
        }
      }
    },
  },
});
