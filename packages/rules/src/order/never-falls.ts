import type { RuleId } from "@assay/contract";
import { dataOf } from "../engine/event-place.ts";
import { member } from "../engine/json-value.ts";
import { defineStreamRule } from "../engine/rule.ts";
import type { Rule } from "../engine/rule.ts";

interface State {
  highest: number | undefined;
}

/** A rule that a number of the progress object never falls from one progress to the next. */
export const neverFalls = (id: RuleId, key: "matchCount" | "durationMs"): Rule =>
  defineStreamRule<State>({
    id,
    start: () => ({ highest: undefined }),
    on: {
      progress(state, event, report) {
        const value = member(event.value, key);
        if (typeof value !== "number") {
          return;
        }
        if (state.highest !== undefined) {
          report.observe();
        }
        if (state.highest !== undefined && value < state.highest) {
          report.violation({
            message: `\`${key}\` fell from ${state.highest} to ${value}`,
            ...dataOf(event, `/${key}`),
          });
        }
        state.highest = Math.max(value, state.highest ?? value);
      },
    },
  });
