import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { isResponseMissing } from "../engine/refusal.ts";
import { hasFullAccess } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import { findKnownIds, findListCalls, readListPage } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { mustBeListed, findOwnConversationsDuring } from "./find-own-conversations.ts";
import { formatValue } from "../../engine/format-value.ts";

/** A list filtered by conversation id contains only that conversation. Source: conversation-api, section 4.1. */
export const idFilterApplies = defineCallRule({
  id: "legacy/filter-id-filters",
  check(evidence, reporter) {
    for (const call of findListCalls(evidence, "legacy")) {
      const requestedId = call.request.parameters.get("filter_id");
      const page = readListPage(call);
      if (requestedId !== undefined && isResponseMissing(call)) {
        reporter.lacksResponse(call, requestedId);
      }
      const problem =
        requestedId === undefined || page === undefined ? undefined : describeProblem(evidence, page, requestedId);
      if (problem !== undefined) {
        reporter.fails(call, problem, requestedId);
      } else if (requestedId !== undefined && page !== undefined && hasOtherConversation(evidence, call, requestedId)) {
        reporter.passes(call, requestedId);
      }
    }
  },
});

function describeProblem(evidence: ConversationEvidence, page: ListPage, expectedId: string): string | undefined {
  const unexpectedId = page.ids.find((id) => id !== expectedId);
  if (unexpectedId !== undefined) {
    return `\`filter_id=${expectedId}\` returned conversation ${formatValue(unexpectedId)}`;
  }
  return mustContainConversation(evidence, page, expectedId) && !page.ids.includes(expectedId)
    ? `\`filter_id=${expectedId}\` did not return that conversation, which was created and not deleted`
    : undefined;
}

/** Reports whether the list must contain the conversation: it is the user's own, and no other filter applies. */
const mustContainConversation = (
  evidence: ConversationEvidence,
  { call, view, ids }: ListPage,
  expectedId: string,
): boolean =>
  hasFullAccess(call.record.credential) &&
  [...call.request.parameters.keys()].every((name) => ["filter_id", "page_first", "sort"].includes(name)) &&
  view.entries.length === ids.length &&
  findOwnConversationsDuring(evidence, call).some(
    (conversation) => conversation.id === expectedId && mustBeListed(conversation, call),
  );

/**
 * Reports whether the user has another conversation. Without one, a service that ignores the filter would look the
 * same.
 */
const hasOtherConversation = (evidence: ConversationEvidence, call: ConversationCall, expectedId: string): boolean =>
  [...findKnownIds(evidence, call)].some((id) => id !== expectedId);
