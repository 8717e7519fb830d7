import { searchStreamValidators } from "@assay/openapi";
import { dataOf } from "../engine/event-place.ts";
import { defineStreamRule } from "../engine/rule.ts";
import { skippedEntries } from "./skipped-entry.ts";

/** Each reason for incomplete results. Source: search-stream, section 2.2. */
export const skippedFitsSchema = defineStreamRule({
  id: "stream/skipped-fits-schema",
  start: () => searchStreamValidators().Skipped,
  on: {
    progress(schema, event, report) {
      for (const [index, entry] of skippedEntries(event.value).entries()) {
        report.observe();
        for (const { pointer, message } of schema.check(entry) ? [] : schema.errors(entry)) {
          report.violation({ message: `skipped entry: ${message}`, ...dataOf(event, `/skipped/${index}${pointer}`) });
        }
      }
    },
  },
});
