import type { RuleId } from "@assay/contract";
import { member } from "@assay/reading";
import { dataPosition } from "../../engine/event-position.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { Rule } from "../../engine/rule.ts";

interface State {
  /** The largest number so far. Undefined before the first one. */
  maxValue: number | undefined;
}

/** Defines a rule that a number in `progress` events never decreases. */
const defineNeverFallsRule = (id: RuleId, key: "matchCount" | "durationMs"): Rule =>
  defineStreamRule<State>({
    id,
    start: () => ({ maxValue: undefined }),
    on: {
      progress(state, event, report) {
        const value = member(event.value, key);
        if (typeof value !== "number") {
          return;
        }
        if (state.maxValue !== undefined) {
          report.observation();
        }
        if (state.maxValue !== undefined && value < state.maxValue) {
          report.violation({
            message: `\`${key}\` fell from ${state.maxValue} to ${value}`,
            ...dataPosition(event, `/${key}`),
          });
        }
        state.maxValue = Math.max(value, state.maxValue ?? value);
      },
    },
  });

/** Counts never decrease. This is plausible, but not required. Source: search-stream, section 2.2. */
export const matchCountNeverFalls = defineNeverFallsRule("stream/match-count-never-falls", "matchCount");

/** Durations never decrease. This is plausible, but not required. Source: search-stream, section 2.2. */
export const durationNeverFalls = defineNeverFallsRule("stream/duration-never-falls", "durationMs");
