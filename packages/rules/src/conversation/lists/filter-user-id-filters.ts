import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { isResponseMissing } from "../engine/refusal.ts";
import { hasFullAccess } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import { collectUserIds, isCompleteList, findListCalls, readListPage } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { mustBeListed, findOwnConversationsDuring, findOwnerId } from "./find-own-conversations.ts";
import { formatValue } from "../../engine/format-value.ts";

/** A list filtered by user id contains only conversations of that user. Source: conversation-api, section 4.1. */
export const userIdFilterApplies = defineCallRule({
  id: "legacy/filter-user-id-filters",
  check(evidence, reporter) {
    for (const call of findListCalls(evidence, "legacy")) {
      const userId = call.request.parameters.get("filter_user_id");
      const page = readListPage(call);
      if (userId !== undefined && isResponseMissing(call)) {
        reporter.lacksResponse(call, userId);
      }
      if (userId === undefined || page === undefined) {
        continue;
      }
      const problem = findForeignEntry(evidence, page, userId) ?? findMissingConversation(evidence, page, userId);
      if (problem !== undefined) {
        reporter.fails(call, problem, userId);
      } else if (isConclusive(evidence, page, userId)) {
        reporter.passes(call, userId);
      }
    }
  },
});

interface OwnedConversation {
  readonly id: string;
  /** The service's id for the owner. */
  readonly ownerId: string | undefined;
  readonly isExpected: boolean;
}

/**
 * Returns the conversations of the user who requested the list, with the id of that user if a response contains it.
 */
const findOwnConversations = (evidence: ConversationEvidence, { call }: ListPage): readonly OwnedConversation[] =>
  findOwnConversationsDuring(evidence, call).map((conversation) => ({
    id: conversation.id,
    ownerId: findOwnerId(conversation, call),
    isExpected: mustBeListed(conversation, call),
  }));

function findForeignEntry(evidence: ConversationEvidence, page: ListPage, expectedUser: string): string | undefined {
  const unexpectedUser = collectUserIds(page).find((user) => user !== expectedUser);
  if (unexpectedUser !== undefined) {
    return `\`filter_user_id=${expectedUser}\` returned a conversation of user ${formatValue(unexpectedUser)}`;
  }
  const foreignConversation = findOwnConversations(evidence, page).find(
    ({ id, ownerId }) => ownerId !== undefined && ownerId !== expectedUser && page.ids.includes(id),
  );
  return (
    foreignConversation &&
    `\`filter_user_id=${expectedUser}\` returned ${foreignConversation.id}, a conversation of user ${formatValue(foreignConversation.ownerId)}`
  );
}

const mustListAll = (page: ListPage): boolean =>
  isCompleteList(page) &&
  hasFullAccess(page.call.record.credential) &&
  [...page.call.request.parameters.keys()].every((name) => ["filter_user_id", "page_first", "sort"].includes(name));

function findMissingConversation(
  evidence: ConversationEvidence,
  page: ListPage,
  expectedUser: string,
): string | undefined {
  const missingConversation = findOwnConversations(evidence, page).find(
    ({ id, ownerId, isExpected }) => ownerId === expectedUser && isExpected && !page.ids.includes(id),
  );
  return missingConversation !== undefined && mustListAll(page)
    ? `\`filter_user_id=${expectedUser}\` did not return ${missingConversation.id}, a conversation of that user`
    : undefined;
}

/**
 * Reports whether the rule can be checked: entries contain users, or the list must contain or omit an own conversation.
 */
const isConclusive = (evidence: ConversationEvidence, page: ListPage, expectedUser: string): boolean =>
  collectUserIds(page).length > 0 ||
  findOwnConversations(evidence, page).some(
    ({ ownerId }) => ownerId !== undefined && (ownerId !== expectedUser || mustListAll(page)),
  );
