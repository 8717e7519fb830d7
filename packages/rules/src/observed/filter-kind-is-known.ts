import { observedFilterKinds } from "@assay/contract";
import { member } from "../engine/json-value.ts";
import { defineStreamRule } from "../engine/rule.ts";
import { knownValues, takeValue } from "./known-value.ts";

/** Kinds of filters form an open set. Source: search-stream, section 2.1. */
export const filterKindIsKnown = defineStreamRule({
  id: "stream/filter-kind-is-known",
  start: () => knownValues(observedFilterKinds),
  on: {
    filters(state, event, report) {
      for (const [index, filter] of Array.isArray(event.value) ? event.value.entries() : []) {
        const value = member(filter, "kind");
        takeValue(state, { value, what: "kind of filter", pointer: `/${index}/kind` }, { report, event });
      }
    },
  },
});
