import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { existedDuring, ownConversations, spanOf } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { isResponseMissing } from "../engine/refusal.ts";
import { hasFullAccess } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import { knownIds, listCalls, listPage } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { requestedToken, conversationOfToken, holdersOfToken, isDueInList, tokensOf } from "./own-facts.ts";
import { formatValue } from "../../engine/format-value.ts";

/** A list filtered by a read token contains the conversation with that token. Source: conversation-api, section 4.1. */
export const readTokenFilterApplies = defineCallRule({
  id: "legacy/filter-read-token-filters",
  check(evidence, reporter) {
    for (const call of listCalls(evidence, "legacy").filter(({ request }) =>
      request.parameters.has("filter_read_token"),
    )) {
      const ownConversation = conversationOfToken(evidence, call);
      const page = listPage(call);
      const holders = holdersOfToken(evidence, call);
      if (page !== undefined && holders.length > 1) {
        judgeShared(reporter, page, holders);
        continue;
      }
      if (isResponseMissing(call)) {
        reporter.misses(call);
      }
      if (page !== undefined && ownConversation === undefined) {
        judgeUnknown(evidence, reporter, page);
      }
      if (ownConversation === undefined || page?.user !== ownConversation.user) {
        continue;
      }
      const problem = describeProblem(page, ownConversation);
      if (problem !== undefined) {
        reporter.fails(call, problem);
      } else if (isConclusive(evidence, page, ownConversation)) {
        reporter.passes(call);
      }
    }
  },
});

/** If several conversations share a token, at most one of them may be listed; which one is unspecified. */
function judgeShared(reporter: CallReporter, page: ListPage, holders: readonly OwnConversation[]): void {
  const shared = `the read token shared by ${holders.map(({ id }) => id).join(" and ")}`;
  if (page.ids.length > 1) {
    reporter.fails(page.call, `\`filter_read_token\` with ${shared} returned ${page.ids.length} conversations`);
  } else if (
    page.ids.length === 0 &&
    isOnlyFilteredByToken(page) &&
    holders.some((ownConversation) => ownConversation.user === page.user && isDueInList(ownConversation, page.call))
  ) {
    reporter.fails(page.call, `\`filter_read_token\` with ${shared} returned neither of them`);
  }
}

/** Filtering by a token that matches no known conversation must not return a known conversation. */
function judgeUnknown(evidence: ConversationEvidence, reporter: CallReporter, page: ListPage): void {
  const token = requestedToken(page.call);
  const others = ownConversations(evidence).filter((ownConversation) => {
    const tokens = tokensOf(ownConversation);
    return ownConversation.interface === "legacy" && token !== undefined && tokens.size > 0 && !tokens.has(token);
  });
  const unexpected = others.find(({ id }) => page.ids.includes(id));
  if (unexpected !== undefined) {
    const message = `\`filter_read_token\` returned conversation ${unexpected.id}, which has a different read token`;
    reporter.fails(page.call, message);
  } else if (
    others.some(
      (ownConversation) => ownConversation.user === page.user && existedDuring(ownConversation, spanOf(page.call)),
    )
  ) {
    reporter.passes(page.call);
  }
}

function describeProblem(page: ListPage, ownConversation: OwnConversation): string | undefined {
  const { id: expectedId } = ownConversation;
  const unexpected = page.ids.find((id) => id !== expectedId);
  if (unexpected !== undefined) {
    return `\`filter_read_token\` with the token of conversation ${expectedId} returned conversation ${formatValue(unexpected)}`;
  }
  return isOnlyFilteredByToken(page) && !page.ids.includes(expectedId) && isDueInList(ownConversation, page.call)
    ? `\`filter_read_token\` with the token of conversation ${expectedId} did not return that conversation`
    : undefined;
}

/** Reports whether the read token is the only filter. */
const isOnlyFilteredByToken = ({ call, view, ids }: ListPage): boolean =>
  hasFullAccess(call.record.credential) &&
  [...call.request.parameters.keys()].every((name) => ["filter_read_token", "page_first", "sort"].includes(name)) &&
  view.entries.length === ids.length;

/**
 * Reports whether the rule can be checked. Without a second conversation, a service that ignores the filter would look
 * the same.
 */
const isConclusive = (
  evidence: ConversationEvidence,
  { call, ids }: ListPage,
  ownConversation: OwnConversation,
): boolean =>
  (ids.length > 0 || isDueInList(ownConversation, call)) &&
  [...knownIds(evidence, call)].some((id) => id !== ownConversation.id);
