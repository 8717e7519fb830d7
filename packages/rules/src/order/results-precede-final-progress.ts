import type { StreamEvent } from "@assay/stream-grammar";
import { dataOf } from "../engine/event-place.ts";
import { member } from "../engine/json-value.ts";
import type { Reporter } from "../engine/reporter.ts";
import { defineStreamRule } from "../engine/rule.ts";

interface State {
  isFinal: boolean;
}

function takeResult({ isFinal }: State, event: StreamEvent, report: Reporter): void {
  report.observe();
  if (isFinal) {
    report.violation({ message: `\`${event.name}\` arrived after the final progress`, ...dataOf(event) });
  }
}

/** A finished search has no more results to send; plausible, but not promised. Source: search-stream, section 3. */
export const resultsPrecedeFinalProgress = defineStreamRule<State>({
  id: "stream/results-precede-final-progress",
  start: () => ({ isFinal: false }),
  on: {
    matches: takeResult,
    filters: takeResult,
    progress(state, { value }) {
      state.isFinal ||= member(value, "done") === true;
    },
  },
});
