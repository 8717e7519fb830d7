import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { idMember } from "@assay/reading";
import { livedThrough, ownConversations, spanOf } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { isMissing } from "../engine/refusal.ts";
import { hasEveryScope, mayDoEverything, userOf } from "../engine/users.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import { isWhole, listCalls, listPage, listPages } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { walksOf } from "./pages-do-not-overlap.ts";
import { isDueInList, ownDuring, ownerIdOf } from "./own-facts.ts";
import { formatValue } from "../../engine/format-value.ts";

/** A list for which nothing was asked has what its user created. Source: conversation-api, section 4.1. */
export const listHasOwnConversations = defineWitnessedRule({
  id: "legacy/list-has-own-conversations",
  check(evidence, witness) {
    const walks = walksOf(evidence, "legacy");
    for (const call of listCalls(evidence, "legacy").filter(({ asked }) => asked.parameters.size === 0)) {
      const page = listPage(call);
      if (isMissing(call)) {
        witness.lacks(call);
      }
      const own =
        page === undefined || !mayDoEverything(call.record.credential)
          ? []
          : [
              ...ownDuring(evidence, call).filter((each) => isDueInList(each, call)),
              ...listedElsewhere(evidence, page),
            ];
      if (page === undefined || own.length === 0) {
        continue;
      }
      // What is updated meanwhile may rightly be on none of several pages: only one page that is all there is shows a lack.
      const walk = walks.find(({ pages: [first] }) => first === page)?.pages ?? [page];
      const missing = own.find(({ conversation }) => !walk.some(({ ids }) => ids.includes(conversation)));
      if (missing === undefined) {
        witness.holds(call);
      } else if (isWhole(page)) {
        witness.breaks(call, `a list lacks the conversation ${missing.conversation}, which the same user created`);
      }
    }
  },
});

/** What the same user created through the other interface, and what another list of this one shows: then both know of it. */
const listedElsewhere = (evidence: ConversationEvidence, page: ListPage): readonly OwnConversation[] =>
  ownConversations(evidence).filter(
    (own) =>
      own.interface === "current" &&
      own.user === page.user &&
      livedThrough(own, spanOf(page.call)) &&
      listPages(evidence, "legacy").some(
        (other) => other !== page && other.user === page.user && other.ids.includes(own.conversation),
      ),
  );

/** A list shows nobody else's conversations, unless a read token asks for them. Source: conversation-api, sections 4.1 and 5. */
export const listShowsOwnOnly = defineWitnessedRule({
  id: "legacy/list-shows-own-only",
  check(evidence, witness) {
    for (const call of listCalls(evidence, "legacy")) {
      const page = listPage(call);
      const asked = call.asked.parameters;
      if (isMissing(call)) {
        witness.lacks(call);
      }
      if (page === undefined || asked.has("filter_read_token") || !mayDoEverything(call.record.credential)) {
        continue;
      }
      const stranger = strangerIn(evidence, page);
      if (stranger !== undefined) {
        witness.breaks(call, stranger);
      } else if (canTell(evidence, page)) {
        witness.holds(call);
      }
    }
  },
});

/** Conversations of the other of the two users that were there while a list was asked for. */
const ofOthers = (evidence: ConversationEvidence, { call }: ListPage): readonly string[] =>
  ownConversations(evidence)
    .filter((own) => own.user !== userOf(call.record.credential) && hasEveryScope(own.create.record.credential))
    .filter((own) => own.interface === "legacy" && livedThrough(own, spanOf(call)))
    .map(({ conversation }) => conversation);

/** The number by which the service knows the user of a list, as its own conversations tell it. */
const ownerOf = (evidence: ConversationEvidence, { call }: ListPage): string | undefined =>
  ownDuring(evidence, call).flatMap((own) => ownerIdOf(own, call) ?? [])[0];

const usersIn = ({ view }: ListPage): readonly string[] =>
  view.entries.flatMap(({ json }) => idMember(json, "user_id") ?? []);

function strangerIn(evidence: ConversationEvidence, page: ListPage): string | undefined {
  const owner = ownerOf(evidence, page);
  const user = owner === undefined ? undefined : usersIn(page).find((other) => other !== owner);
  if (user !== undefined) {
    return `a list shows a conversation of the user ${formatValue(user)} to the user ${formatValue(owner)}`;
  }
  const others = new Set(ofOthers(evidence, page));
  const shown = page.ids.find((id) => others.has(id));
  return shown === undefined
    ? undefined
    : `a list shows the conversation ${formatValue(shown)}, which another user created`;
}

/** Whether there was something that could have been shown: a conversation of another user that the run created. */
const canTell = (evidence: ConversationEvidence, page: ListPage): boolean => ofOthers(evidence, page).length > 0;
