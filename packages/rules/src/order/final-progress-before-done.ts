import type { StreamEvent } from "@assay/stream-grammar";
import { dataOf } from "../engine/event-place.ts";
import { member } from "../engine/json-value.ts";
import { defineStreamRule } from "../engine/rule.ts";
import type { StreamContext } from "../engine/rule.ts";

interface State {
  readonly context: StreamContext;
  /** Whether something came that only a search sends; alerts, errors and events of other names come without one too. */
  isSearch: boolean;
  isFinal: boolean;
  isUnreadable: boolean;
}

const takeResult = (state: State): void => {
  state.isSearch = true;
};

function takeProgress(state: State, { value }: StreamEvent): void {
  const done = member(value, "done");
  state.isSearch = true;
  state.isFinal ||= done === true;
  // What cannot be read may have been the final one; other rules speak of it.
  state.isUnreadable ||= typeof done !== "boolean";
}

/** Before `done` the search is finished, and a progress says so. Source: search-stream, sections 2.2 and 3. */
export const finalProgressBeforeDone = defineStreamRule<State>({
  id: "stream/final-progress-before-done",
  start: (context) => ({ context, isSearch: false, isFinal: false, isUnreadable: false }),
  on: {
    matches: takeResult,
    filters: takeResult,
    progress: takeProgress,
    done(state, event, report) {
      const mayBeLost = state.isUnreadable || state.context.damage.hasLostEvent;
      if (!state.isSearch || (!state.isFinal && mayBeLost)) {
        return;
      }
      report.observe();
      if (!state.isFinal) {
        report.violation({ message: "`done` arrived before a progress with `done` true", ...dataOf(event) });
      }
    },
  },
});
