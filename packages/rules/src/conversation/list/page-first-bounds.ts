import { isMissing } from "../operations/refusal.ts";
import { defineWitnessedRule } from "../operations/witness.ts";
import { isFiltered, knownIds, listCalls, listPage, pageSize } from "./list-page.ts";

/** A page has at most as many conversations as were asked for. Source: conversation-api, section 4.1. */
export const pageFirstBounds = defineWitnessedRule({
  id: "legacy/page-first-bounds",
  check(evidence, witness) {
    for (const call of listCalls(evidence, "legacy")) {
      const size = pageSize(call);
      const page = listPage(call);
      if (size !== undefined && isMissing(call)) {
        witness.lacks(call);
      }
      if (size === undefined || page === undefined) {
        continue;
      }
      const count = page.view.entries.length;
      if (count > size) {
        witness.breaks(call, `\`page_first=${size}\` was answered with ${count} conversations`);
      } else if (!isFiltered(call) && knownIds(evidence, call).size > size) {
        // Where there are no more conversations, a service that ignores the parameter would look the same.
        witness.holds(call);
      }
    }
  },
});
