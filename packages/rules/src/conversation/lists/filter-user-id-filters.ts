import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { idMember } from "@assay/reading";
import { isMissing } from "../engine/refusal.ts";
import { mayDoEverything } from "../engine/users.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import { isWhole, listCalls, listPage } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { isDueInList, ownDuring, ownerIdOf } from "./own-facts.ts";
import { formatValue } from "../../engine/format-value.ts";

/** A list by the id of a user lists conversations of that user only. Source: conversation-api, section 4.1. */
export const filterUserIdFilters = defineWitnessedRule({
  id: "legacy/filter-user-id-filters",
  check(evidence, witness) {
    for (const call of listCalls(evidence, "legacy")) {
      const userId = call.asked.parameters.get("filter_user_id");
      const page = listPage(call);
      if (userId !== undefined && isMissing(call)) {
        witness.lacks(call, userId);
      }
      if (userId === undefined || page === undefined) {
        continue;
      }
      const problem = strangerIn(evidence, page, userId) ?? missingFrom(evidence, page, userId);
      if (problem !== undefined) {
        witness.breaks(call, problem, userId);
      } else if (canTell(evidence, page, userId)) {
        witness.holds(call, userId);
      }
    }
  },
});

const usersIn = ({ view }: ListPage): readonly string[] =>
  view.entries.flatMap(({ json }) => idMember(json, "user_id") ?? []);

interface Owned {
  readonly conversation: string;
  readonly owner: string | undefined;
  readonly isDue: boolean;
}

/** Own conversations of the user of a list, with the id of that user where an answer tells it. */
const ownWithOwner = (evidence: ConversationEvidence, { call }: ListPage): readonly Owned[] =>
  ownDuring(evidence, call).map((own) => ({
    conversation: own.conversation,
    owner: ownerIdOf(own, call),
    isDue: isDueInList(own, call),
  }));

function strangerIn(evidence: ConversationEvidence, page: ListPage, wanted: string): string | undefined {
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

/** Whether something could have been wrong: entries show users, or there is an own conversation that has to be in or out. */
const canTell = (evidence: ConversationEvidence, page: ListPage, wanted: string): boolean =>
  usersIn(page).length > 0 ||
  ownWithOwner(evidence, page).some(({ owner }) => owner !== undefined && (owner !== wanted || isCertain(page)));
