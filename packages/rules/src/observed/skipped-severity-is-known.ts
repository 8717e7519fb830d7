import { observedSeverities } from "@assay/contract";
import { member } from "../engine/json-value.ts";
import { defineStreamRule } from "../engine/rule.ts";
import { skippedEntries } from "../schema/skipped-entry.ts";
import { knownValues, takeValue } from "./known-value.ts";

/** Severities of skipped entries form an open set. Source: search-stream, section 2.2. */
export const skippedSeverityIsKnown = defineStreamRule({
  id: "stream/skipped-severity-is-known",
  start: () => knownValues(observedSeverities),
  on: {
    progress(state, event, report) {
      for (const [index, entry] of skippedEntries(event.value).entries()) {
        const value = member(entry, "severity");
        takeValue(
          state,
          { value, what: "severity of a skipped entry", pointer: `/skipped/${index}/severity` },
          { report, event },
        );
      }
    },
  },
});
