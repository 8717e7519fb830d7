import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { isMissing } from "../engine/refusal.ts";
import { mayDoEverything } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import { isWhole, listCalls, listPage, usersIn } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { isDueInList, ownDuring, ownerIdOf } from "./own-facts.ts";
import { formatValue } from "../../engine/format-value.ts";

/** A list by the id of a user has only conversations of that user. Source: conversation-api, section 4.1. */
export const filterUserIdFilters = defineCallRule({
  id: "legacy/filter-user-id-filters",
  check(evidence, reporter) {
    for (const call of listCalls(evidence, "legacy")) {
      const userId = call.asked.parameters.get("filter_user_id");
      const page = listPage(call);
      if (userId !== undefined && isMissing(call)) {
        reporter.misses(call, userId);
      }
      if (userId === undefined || page === undefined) {
        continue;
      }
      const problem = foreignEntryIn(evidence, page, userId) ?? missingFrom(evidence, page, userId);
      if (problem !== undefined) {
        reporter.fails(call, problem, userId);
      } else if (canTell(evidence, page, userId)) {
        reporter.passes(call, userId);
      }
    }
  },
});

interface Owned {
  readonly conversation: string;
  readonly owner: string | undefined;
  readonly isDue: boolean;
}

/** Own conversations of the user of a list, with the id of that user if a response has it. */
const ownWithOwner = (evidence: ConversationEvidence, { call }: ListPage): readonly Owned[] =>
  ownDuring(evidence, call).map((own) => ({
    conversation: own.conversation,
    owner: ownerIdOf(own, call),
    isDue: isDueInList(own, call),
  }));

function foreignEntryIn(evidence: ConversationEvidence, page: ListPage, wanted: string): string | undefined {
  const other = usersIn(page).find((user) => user !== wanted);
  if (other !== undefined) {
    return `\`filter_user_id=${wanted}\` lists a conversation of the user ${formatValue(other)}`;
  }
  const stranger = ownWithOwner(evidence, page).find(
    ({ conversation, owner }) => owner !== undefined && owner !== wanted && page.ids.includes(conversation),
  );
  return (
    stranger &&
    `\`filter_user_id=${wanted}\` lists ${stranger.conversation}, a conversation of the user ${formatValue(stranger.owner)}`
  );
}

const isCertain = (page: ListPage): boolean =>
  isWhole(page) &&
  mayDoEverything(page.call.record.credential) &&
  [...page.call.asked.parameters.keys()].every((name) => ["filter_user_id", "page_first", "sort"].includes(name));

function missingFrom(evidence: ConversationEvidence, page: ListPage, wanted: string): string | undefined {
  const missing = ownWithOwner(evidence, page).find(
    ({ conversation, owner, isDue }) => owner === wanted && isDue && !page.ids.includes(conversation),
  );
  return missing !== undefined && isCertain(page)
    ? `\`filter_user_id=${wanted}\` does not list ${missing.conversation}, a conversation of that user`
    : undefined;
}

/** Whether the rule can be checked: entries have users, or an own conversation must be in the list or not. */
const canTell = (evidence: ConversationEvidence, page: ListPage, wanted: string): boolean =>
  usersIn(page).length > 0 ||
  ownWithOwner(evidence, page).some(({ owner }) => owner !== undefined && (owner !== wanted || isCertain(page)));
