import { member } from "../engine/json-value.ts";
import { dataOf } from "../engine/event-place.ts";
import { defineStreamRule } from "../engine/rule.ts";

/** A stream of nothing but these tells of a problem or of nothing at all; no search is finished in it. */
const problems: ReadonlySet<string> = new Set(["alert", "error", "done"]);

/** Before `done` the search is finished, and a progress says so. Source: search-stream, sections 2.2 and 3. */
export const finalProgressBeforeDone = defineStreamRule({
  id: "stream/final-progress-before-done",
  start: () => ({ isSearch: false, isFinal: false, isUnreadable: false }),
  on: {
    any(state, { name }) {
      state.isSearch ||= !problems.has(name);
    },
    progress(state, { value }) {
      const done = member(value, "done");
      state.isFinal ||= done === true;
      // What cannot be read may have been the final one; the schema rules speak of it.
      state.isUnreadable ||= typeof done !== "boolean";
    },
    done(state, event, report) {
      if (!state.isSearch || (!state.isFinal && state.isUnreadable)) {
        return;
      }
      report.observe();
      if (!state.isFinal) {
        report.violation({ message: "`done` arrived before a progress with `done` true", ...dataOf(event) });
      }
    },
  },
});
