import type { RuleId } from "@assay/contract";
import { member } from "../engine/json-value.ts";
import { defineStreamRule } from "../engine/rule.ts";
import type { Rule } from "../engine/rule.ts";
import { skippedEntries } from "../schema/skipped-entry.ts";
import { knownValues, takeValue } from "./known-value.ts";

interface OpenSet {
  readonly key: "reason" | "severity";
  readonly known: readonly string[];
}

/** A rule that a member of skipped entries has one of the values seen so far. */
export const knownSkippedValue = (id: RuleId, { key, known }: OpenSet): Rule =>
  defineStreamRule({
    id,
    start: () => knownValues(known),
    on: {
      progress(state, event, report) {
        for (const [index, entry] of skippedEntries(event.value).entries()) {
          const seen = {
            value: member(entry, key),
            what: `${key} of a skipped entry`,
            pointer: `/skipped/${index}/${key}`,
          };
          takeValue(state, seen, { report, event });
        }
      },
    },
  });
