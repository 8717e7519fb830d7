import { searchStreamValidators } from "@assay/openapi";
import { dataOf } from "../engine/event-place.ts";
import { defineStreamRule } from "../engine/rule.ts";

/** Filter suggestions. Source: search-stream, sections 2.1 and 6. */
export const filtersFitSchema = defineStreamRule({
  id: "stream/filters-fit-schema",
  start: () => searchStreamValidators().FiltersEvent,
  on: {
    filters(schema, event, report) {
      if (!event.parsed) {
        return;
      }
      report.observe();
      for (const { pointer, message } of schema.check(event.value) ? [] : schema.errors(event.value)) {
        report.violation({ message: `filters: ${message}`, ...dataOf(event, pointer) });
      }
    },
  },
});
