import { dataOf } from "../engine/event-place.ts";
import { member } from "../engine/json-value.ts";
import { defineStreamRule } from "../engine/rule.ts";

/** A finished search does not go on searching. Source: search-stream, section 3. */
export const progressStaysFinal = defineStreamRule({
  id: "stream/progress-stays-final",
  start: () => ({ isFinal: false }),
  on: {
    progress(state, event, report) {
      const done = member(event.value, "done");
      if (done === true && !state.isFinal) {
        state.isFinal = true;
        report.observe();
      } else if (done === false && state.isFinal) {
        report.violation({ message: "a progress says `done` false after one said true", ...dataOf(event, "/done") });
      }
    },
  },
});
