import { observedFilterKinds, observedSeverities, observedSkippedReasons } from "@assay/contract";
import { member } from "@assay/reading";
import type { RuleId } from "@assay/contract";
import { defineStreamRule } from "../engine/rule.ts";
import type { Rule } from "../engine/rule.ts";
import { skippedEntries } from "../engine/skipped-entry.ts";
import { createValueTracker, recordValue } from "../engine/value-tracker.ts";

/** Kinds of filters are an open set. Source: search-stream, section 2.1. */
export const filterKindIsKnown = defineStreamRule({
  id: "stream/filter-kind-is-known",
  start: () => createValueTracker(observedFilterKinds),
  on: {
    filters(state, event, report) {
      for (const [index, filter] of Array.isArray(event.value) ? event.value.entries() : []) {
        const value = member(filter, "kind");
        recordValue(state, { value, label: "kind of filter", pointer: `/${index}/kind` }, { report, event });
      }
    },
  },
});

interface OpenSet {
  readonly key: "reason" | "severity";
  readonly knownValues: readonly string[];
}

/** Defines a rule that notes new values of a member of skipped entries. */
const defineSkippedValueRule = (id: RuleId, { key, knownValues }: OpenSet): Rule =>
  defineStreamRule({
    id,
    start: () => createValueTracker(knownValues),
    on: {
      progress(state, event, report) {
        for (const [index, entry] of skippedEntries(event.value).entries()) {
          const trackedValue = {
            value: member(entry, key),
            label: `${key} of a skipped entry`,
            pointer: `/skipped/${index}/${key}`,
          };
          recordValue(state, trackedValue, { report, event });
        }
      },
    },
  });

/** Reasons of skipped entries are an open set. Source: search-stream, section 2.2. */
export const skippedReasonIsKnown = defineSkippedValueRule("stream/skipped-reason-is-known", {
  key: "reason",
  knownValues: observedSkippedReasons,
});

/** Severities of skipped entries are an open set. Source: search-stream, section 2.2. */
export const skippedSeverityIsKnown = defineSkippedValueRule("stream/skipped-severity-is-known", {
  key: "severity",
  knownValues: observedSeverities,
});
