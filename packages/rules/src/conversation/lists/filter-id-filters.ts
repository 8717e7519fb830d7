import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { isResponseMissing } from "../engine/refusal.ts";
import { hasFullAccess } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import { knownIds, listCalls, listPage } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { isDueInList, ownDuring } from "./own-facts.ts";
import { formatValue } from "../../engine/format-value.ts";

/** A list filtered by conversation id contains only that conversation. Source: conversation-api, section 4.1. */
export const idFilterApplies = defineCallRule({
  id: "legacy/filter-id-filters",
  check(evidence, reporter) {
    for (const call of listCalls(evidence, "legacy")) {
      const conversation = call.request.parameters.get("filter_id");
      const page = listPage(call);
      if (conversation !== undefined && isResponseMissing(call)) {
        reporter.misses(call, conversation);
      }
      const problem =
        conversation === undefined || page === undefined ? undefined : describeProblem(evidence, page, conversation);
      if (problem !== undefined) {
        reporter.fails(call, problem, conversation);
      } else if (conversation !== undefined && page !== undefined && hasOther(evidence, call, conversation)) {
        reporter.passes(call, conversation);
      }
    }
  },
});

function describeProblem(evidence: ConversationEvidence, page: ListPage, expectedId: string): string | undefined {
  const unexpected = page.ids.find((id) => id !== expectedId);
  if (unexpected !== undefined) {
    return `\`filter_id=${expectedId}\` returned conversation ${formatValue(unexpected)}`;
  }
  return mustListConversation(evidence, page, expectedId) && !page.ids.includes(expectedId)
    ? `\`filter_id=${expectedId}\` did not return that conversation, which was created and not deleted`
    : undefined;
}

/** Reports whether the list must contain the conversation: it is the user's own, and no other filter applies. */
const mustListConversation = (
  evidence: ConversationEvidence,
  { call, view, ids }: ListPage,
  expectedId: string,
): boolean =>
  hasFullAccess(call.record.credential) &&
  [...call.request.parameters.keys()].every((name) => ["filter_id", "page_first", "sort"].includes(name)) &&
  view.entries.length === ids.length &&
  ownDuring(evidence, call).some(
    (ownConversation) => ownConversation.id === expectedId && isDueInList(ownConversation, call),
  );

/**
 * Reports whether the user has another conversation. Without one, a service that ignores the filter would look the
 * same.
 */
const hasOther = (evidence: ConversationEvidence, call: ConversationCall, expectedId: string): boolean =>
  [...knownIds(evidence, call)].some((id) => id !== expectedId);
