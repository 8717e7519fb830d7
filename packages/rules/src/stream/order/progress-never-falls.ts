import type { RuleId } from "@assay/contract";
import { member } from "@assay/reading";
import { dataPlace } from "../../engine/event-place.ts";
import { defineStreamRule } from "../../engine/rule.ts";
import type { Rule } from "../../engine/rule.ts";

interface Highest {
  highest: number | undefined;
}

/** Defines a rule that a number in `progress` events never decreases. */
const neverFalls = (id: RuleId, key: "matchCount" | "durationMs"): Rule =>
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
            ...dataPlace(event, `/${key}`),
          });
        }
        state.highest = Math.max(value, state.highest ?? value);
      },
    },
  });

/** Counts never decrease. This is plausible, but not required. Source: search-stream, section 2.2. */
export const matchCountNeverFalls = neverFalls("stream/match-count-never-falls", "matchCount");

/** Durations never decrease. This is plausible, but not required. Source: search-stream, section 2.2. */
export const durationNeverFalls = neverFalls("stream/duration-never-falls", "durationMs");
