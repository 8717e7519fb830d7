import { dataOf } from "../engine/event-place.ts";
import { member } from "../engine/json-value.ts";
import { defineStreamRule } from "../engine/rule.ts";

/** The final progress is one event. Source: search-stream, sections 2.2 and 3. */
export const oneFinalProgress = defineStreamRule({
  id: "stream/one-final-progress",
  start: () => ({ isFinal: false }),
  on: {
    progress(state, event, report) {
      if (member(event.value, "done") !== true) {
        return;
      }
      if (state.isFinal) {
        report.violation({ message: "another progress says `done` true", ...dataOf(event, "/done") });
      } else {
        state.isFinal = true;
        report.observe();
      }
    },
  },
});
