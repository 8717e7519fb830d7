import { dataOf } from "../engine/event-place.ts";
import { isRecord } from "../engine/json-value.ts";
import { defineStreamRule } from "../engine/rule.ts";

/** What an alert holds is not shown; that it is an object is. Source: search-stream, section 6. */
export const alertIsAnObject = defineStreamRule({
  id: "stream/alert-is-an-object",
  start: () => undefined,
  on: {
    alert(_, event, report) {
      if (!event.parsed) {
        return;
      }
      report.observe();
      if (!isRecord(event.value)) {
        report.violation({ message: "the data of `alert` is not an object", ...dataOf(event, "") });
      }
    },
  },
});
