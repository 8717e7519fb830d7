import type { RuleId } from "@assay/contract";
import { member } from "@assay/reading";
import { dataPosition } from "../../engine/event-position.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { Rule } from "../../engine/rule.ts";

interface Highest {
  highest: number | undefined;
}

/** Defines a rule that a number in `progress` events never decreases. */
const defineNeverFallsRule = (id: RuleId, key: "matchCount" | "durationMs"): Rule =>
  defineStreamRule<Highest>({
    id,
    start: () => ({ highest: undefined }),
    on: {
      progress(state, event, report) {
        const value = member(event.value, key);
        if (typeof value !== "number") {
          return;
        }
        if (state.highest !== undefined) {
          report.observation();
        }
        if (state.highest !== undefined && value < state.highest) {
          report.violation({
            message: `\`${key}\` fell from ${state.highest} to ${value}`,
            ...dataPosition(event, `/${key}`),
          });
        }
        state.highest = Math.max(value, state.highest ?? value);
      },
    },
  });

/** Counts never decrease. This is plausible, but not required. Source: search-stream, section 2.2. */
export const matchCountNeverFalls = defineNeverFallsRule("stream/match-count-never-falls", "matchCount");

/** Durations never decrease. This is plausible, but not required. Source: search-stream, section 2.2. */
export const durationNeverFalls = defineNeverFallsRule("stream/duration-never-falls", "durationMs");
