import { isMissing } from "./engine/refusal.ts";
import { defineWitnessedRule } from "./engine/witness.ts";
import { isFiltered, knownIds, listCalls, listPage, pageSize } from "./lists/list-page.ts";
import { pagesDoNotOverlap } from "./lists/pages-do-not-overlap.ts";

export { filterIdFilters } from "./lists/filter-id-filters.ts";
export { filterIsStarredFilters } from "./lists/filter-is-starred-filters.ts";
export { filterReadTokenFilters } from "./lists/filter-read-token-filters.ts";
export { filterUserIdFilters } from "./lists/filter-user-id-filters.ts";
export { listIsAccepted } from "./lists/list-is-accepted.ts";
export { listParametersAreAccepted } from "./lists/list-parameters-are-accepted.ts";
export { listHasOwnConversations, listShowsOwnOnly } from "./lists/own-in-lists.ts";
export { selfStandsForTheUser } from "./lists/self-stands-for-the-user.ts";
export { defaultSortIsNewestUpdateFirst, sortIsKept } from "./lists/sort-is-kept.ts";

/** Who goes from page to page meets every conversation once. Source: conversation-api, section 4.1. */
export const legacyPagesDoNotOverlap = pagesDoNotOverlap("legacy");

/** Who goes from page to page meets every conversation once. Source: conversation-api, section 4.2. */
export const currentPagesDoNotOverlap = pagesDoNotOverlap("current");

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
