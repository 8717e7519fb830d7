import { defineCallRule } from "../engine/call-rule.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { isResponseMissing } from "../engine/refusal.ts";
import { hasFullAccess } from "../engine/users.ts";
import { isFiltered, findKnownIds, findListCalls, readListPage, requestedPageSize } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { findOwnConversationsDuring } from "./find-own-conversations.ts";

/** Reports whether a first and only page is empty although the user has a conversation. */
const isWronglyEmpty = (evidence: ConversationEvidence, { call, view }: ListPage): boolean =>
  view.entries.length === 0 &&
  view.cursor === undefined &&
  !call.request.parameters.has("page_after") &&
  !isFiltered(call) &&
  hasFullAccess(call.record.credential) &&
  findOwnConversationsDuring(evidence, call).length > 0;

/**
 * A page contains at most the requested number of conversations, and is not empty if there are any. Source:
 * conversation-api, section 4.1.
 */
export const pageSizeIsLimited = defineCallRule({
  id: "legacy/page-first-bounds",
  check(evidence, reporter) {
    for (const call of findListCalls(evidence, "legacy")) {
      const size = requestedPageSize(call);
      const page = readListPage(call);
      if (size !== undefined && isResponseMissing(call)) {
        reporter.lacksResponse(call);
      }
      if (size === undefined || page === undefined) {
        continue;
      }
      const count = page.view.entries.length;
      if (count > size) {
        reporter.fails(call, `\`page_first=${size}\` returned ${count} conversations`);
      } else if (isWronglyEmpty(evidence, page)) {
        reporter.fails(call, `\`page_first=${size}\` returned no conversation, although the same user created some`);
      } else if (!isFiltered(call) && findKnownIds(evidence, call).size > size) {
        // Without more conversations than the page size, a service that ignores the parameter would look the same.
        reporter.passes(call);
      }
    }
  },
});
