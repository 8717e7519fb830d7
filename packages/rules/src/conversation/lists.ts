import type { ConversationEvidence } from "./engine/conversation-evidence.ts";
import { isMissing } from "./engine/refusal.ts";
import { mayDoEverything } from "./engine/users.ts";
import { defineCallRule } from "./engine/call-rule.ts";
import { isFiltered, knownIds, listCalls, listPage, pageSize } from "./lists/list-page.ts";
import type { ListPage } from "./lists/list-page.ts";
import { ownDuring } from "./lists/own-facts.ts";

export { pagesDoNotOverlap } from "./lists/pages-do-not-overlap.ts";
export { filterIdFilters } from "./lists/filter-id-filters.ts";
export { filterIsStarredFilters } from "./lists/filter-is-starred-filters.ts";
export { filterReadTokenFilters } from "./lists/filter-read-token-filters.ts";
export { filterUserIdFilters } from "./lists/filter-user-id-filters.ts";
export { listIsAccepted } from "./lists/list-is-accepted.ts";
export { listParametersAreAccepted } from "./lists/list-parameters-are-accepted.ts";
export { listHasOwnConversations, listShowsOwnOnly } from "./lists/own-in-lists.ts";
export { selfStandsForTheUser } from "./lists/self-stands-for-the-user.ts";
export { defaultSortIsNewestUpdateFirst, sortIsKept } from "./lists/sort-is-kept.ts";

/** Whether a first page without a further one is empty, although there was a conversation for it. */
const isEmptied = (evidence: ConversationEvidence, { call, view }: ListPage): boolean =>
  view.entries.length === 0 &&
  view.cursor === undefined &&
  !call.asked.parameters.has("page_after") &&
  !isFiltered(call) &&
  mayDoEverything(call.record.credential) &&
  ownDuring(evidence, call).length > 0;

/**
 * A page has at most the requested number of conversations, and some if there are any. Source: conversation-api,
 * section 4.1.
 */
export const pageFirstBounds = defineCallRule({
  id: "legacy/page-first-bounds",
  check(evidence, reporter) {
    for (const call of listCalls(evidence, "legacy")) {
      const size = pageSize(call);
      const page = listPage(call);
      if (size !== undefined && isMissing(call)) {
        reporter.misses(call);
      }
      if (size === undefined || page === undefined) {
        continue;
      }
      const count = page.view.entries.length;
      if (count > size) {
        reporter.fails(call, `\`page_first=${size}\` was answered with ${count} conversations`);
      } else if (isEmptied(evidence, page)) {
        reporter.fails(
          call,
          `\`page_first=${size}\` was answered with no conversation, though the same user created some`,
        );
      } else if (!isFiltered(call) && knownIds(evidence, call).size > size) {
        // Without more conversations, a service that ignores the parameter would look the same.
        reporter.passes(call);
      }
    }
  },
});
