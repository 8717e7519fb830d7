import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { idMember } from "@assay/reading";
import { isResponseMissing } from "../engine/refusal.ts";
import { hasFullAccess } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import { isCompleteList, listCalls, listPage } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { mustBeListed, ownConversationsDuring, findOwnerId } from "./find-own-conversations.ts";
import { formatValue } from "../../engine/format-value.ts";

/** A list filtered by user id contains only conversations of that user. Source: conversation-api, section 4.1. */
export const userIdFilterApplies = defineCallRule({
  id: "legacy/filter-user-id-filters",
  check(evidence, reporter) {
    for (const call of listCalls(evidence, "legacy")) {
      const userId = call.request.parameters.get("filter_user_id");
      const page = listPage(call);
      if (userId !== undefined && isResponseMissing(call)) {
        reporter.misses(call, userId);
      }
      if (userId === undefined || page === undefined) {
        continue;
      }
      const problem = foreignEntryIn(evidence, page, userId) ?? missingFrom(evidence, page, userId);
      if (problem !== undefined) {
        reporter.fails(call, problem, userId);
      } else if (isConclusive(evidence, page, userId)) {
        reporter.passes(call, userId);
      }
    }
  },
});

const usersIn = ({ view }: ListPage): readonly string[] =>
  view.entries.flatMap(({ json }) => idMember(json, "user_id") ?? []);

interface Owned {
  readonly id: string;
  readonly owner: string | undefined;
  readonly isDue: boolean;
}

/** Own conversations of the user who requested the list, with the id of that user if a response contains it. */
const ownWithOwner = (evidence: ConversationEvidence, { call }: ListPage): readonly Owned[] =>
  ownConversationsDuring(evidence, call).map((conversation) => ({
    id: conversation.id,
    owner: findOwnerId(conversation, call),
    isDue: mustBeListed(conversation, call),
  }));

function foreignEntryIn(evidence: ConversationEvidence, page: ListPage, expectedUser: string): string | undefined {
  const unexpected = usersIn(page).find((user) => user !== expectedUser);
  if (unexpected !== undefined) {
    return `\`filter_user_id=${expectedUser}\` returned a conversation of user ${formatValue(unexpected)}`;
  }
  const foreign = ownWithOwner(evidence, page).find(
    ({ id, owner }) => owner !== undefined && owner !== expectedUser && page.ids.includes(id),
  );
  return (
    foreign &&
    `\`filter_user_id=${expectedUser}\` returned ${foreign.id}, a conversation of user ${formatValue(foreign.owner)}`
  );
}

const isCertain = (page: ListPage): boolean =>
  isCompleteList(page) &&
  hasFullAccess(page.call.record.credential) &&
  [...page.call.request.parameters.keys()].every((name) => ["filter_user_id", "page_first", "sort"].includes(name));

function missingFrom(evidence: ConversationEvidence, page: ListPage, expectedUser: string): string | undefined {
  const missing = ownWithOwner(evidence, page).find(
    ({ id, owner, isDue }) => owner === expectedUser && isDue && !page.ids.includes(id),
  );
  return missing !== undefined && isCertain(page)
    ? `\`filter_user_id=${expectedUser}\` did not return ${missing.id}, a conversation of that user`
    : undefined;
}

/**
 * Reports whether the rule can be checked: entries contain users, or the list must contain or omit an own conversation.
 */
const isConclusive = (evidence: ConversationEvidence, page: ListPage, expectedUser: string): boolean =>
  usersIn(page).length > 0 ||
  ownWithOwner(evidence, page).some(({ owner }) => owner !== undefined && (owner !== expectedUser || isCertain(page)));
