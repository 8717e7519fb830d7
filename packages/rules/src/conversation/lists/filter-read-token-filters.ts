import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { existedDuring, findCreatedConversations, spanOf } from "../engine/created-conversations.ts";
import type { CreatedConversation } from "../engine/created-conversations.ts";
import { isResponseMissing } from "../engine/refusal.ts";
import { hasFullAccess } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import { findKnownIds, findListCalls, readListPage } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import {
  requestedToken,
  findConversationWithToken,
  findTokenHolders,
  mustBeListed,
  collectReadTokens,
} from "./find-own-conversations.ts";
import { formatValue } from "../../engine/format-value.ts";

/** A list filtered by a read token contains the conversation with that token. Source: conversation-api, section 4.1. */
export const readTokenFilterApplies = defineCallRule({
  id: "legacy/filter-read-token-filters",
  check(evidence, reporter) {
    for (const call of findListCalls(evidence, "legacy").filter(({ request }) =>
      request.parameters.has("filter_read_token"),
    )) {
      const conversation = findConversationWithToken(evidence, call);
      const page = readListPage(call);
      const holders = findTokenHolders(evidence, call);
      if (page !== undefined && holders.length > 1) {
        judgeSharedToken(reporter, page, holders);
        continue;
      }
      if (isResponseMissing(call)) {
        reporter.lacksResponse(call);
      }
      if (page !== undefined && conversation === undefined) {
        judgeUnknownToken(evidence, reporter, page);
      }
      if (conversation === undefined || page?.user !== conversation.user) {
        continue;
      }
      const problem = describeProblem(page, conversation);
      if (problem !== undefined) {
        reporter.fails(call, problem);
      } else if (isConclusive(evidence, page, conversation)) {
        reporter.passes(call);
      }
    }
  },
});

/** Judges a token that several conversations share. At most one of them may be listed. It is unspecified which one. */
function judgeSharedToken(reporter: CallReporter, page: ListPage, holders: readonly CreatedConversation[]): void {
  const sharedToken = `the read token shared by ${holders.map(({ id }) => id).join(" and ")}`;
  if (page.ids.length > 1) {
    reporter.fails(page.call, `\`filter_read_token\` with ${sharedToken} returned ${page.ids.length} conversations`);
  } else if (
    page.ids.length === 0 &&
    isOnlyFilteredByToken(page) &&
    holders.some((conversation) => conversation.user === page.user && mustBeListed(conversation, page.call))
  ) {
    reporter.fails(page.call, `\`filter_read_token\` with ${sharedToken} returned neither of them`);
  }
}

/** Judges a list filtered by a token of no known conversation. It must not contain a known conversation. */
function judgeUnknownToken(evidence: ConversationEvidence, reporter: CallReporter, page: ListPage): void {
  const token = requestedToken(page.call);
  const conversationsWithOtherToken = findCreatedConversations(evidence).filter((conversation) => {
    const tokens = collectReadTokens(conversation);
    return conversation.interface === "legacy" && token !== undefined && tokens.size > 0 && !tokens.has(token);
  });
  const unexpectedConversation = conversationsWithOtherToken.find(({ id }) => page.ids.includes(id));
  if (unexpectedConversation !== undefined) {
    const message = `\`filter_read_token\` returned conversation ${unexpectedConversation.id}, which has a different read token`;
    reporter.fails(page.call, message);
  } else if (
    conversationsWithOtherToken.some(
      (conversation) => conversation.user === page.user && existedDuring(conversation, spanOf(page.call)),
    )
  ) {
    reporter.passes(page.call);
  }
}

function describeProblem(page: ListPage, conversation: CreatedConversation): string | undefined {
  const { id: expectedId } = conversation;
  const unexpectedId = page.ids.find((id) => id !== expectedId);
  if (unexpectedId !== undefined) {
    return `\`filter_read_token\` with the token of conversation ${expectedId} returned conversation ${formatValue(unexpectedId)}`;
  }
  return isOnlyFilteredByToken(page) && !page.ids.includes(expectedId) && mustBeListed(conversation, page.call)
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
  conversation: CreatedConversation,
): boolean =>
  (ids.length > 0 || mustBeListed(conversation, call)) &&
  [...findKnownIds(evidence, call)].some((id) => id !== conversation.id);
