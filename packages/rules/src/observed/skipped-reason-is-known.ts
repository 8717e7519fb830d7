import { observedSkippedReasons } from "@assay/contract";
import { member } from "../engine/json-value.ts";
import { defineStreamRule } from "../engine/rule.ts";
import { skippedEntries } from "../schema/skipped-entry.ts";
import { knownValues, takeValue } from "./known-value.ts";

/** Reasons of skipped entries form an open set. Source: search-stream, section 2.2. */
export const skippedReasonIsKnown = defineStreamRule({
  id: "stream/skipped-reason-is-known",
  start: () => knownValues(observedSkippedReasons),
  on: {
    progress(state, event, report) {
      for (const [index, entry] of skippedEntries(event.value).entries()) {
        const value = member(entry, "reason");
        takeValue(
          state,
          { value, what: "reason of a skipped entry", pointer: `/skipped/${index}/reason` },
          { report, event },
        );
      }
    },
  },
});
