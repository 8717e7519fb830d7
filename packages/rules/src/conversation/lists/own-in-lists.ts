import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { existedDuring, findCreatedConversations, spanOf } from "../engine/created-conversations.ts";
import type { CreatedConversation } from "../engine/created-conversations.ts";
import { isResponseMissing } from "../engine/refusal.ts";
import { hasEveryScope, hasFullAccess, userOf } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import { collectUserIds, isCompleteList, findListCalls, readListPage, findListPages } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { collectWalks } from "./pages-do-not-overlap.ts";
import { mustBeListed, findOwnConversationsDuring, findOwnerId } from "./find-own-conversations.ts";
import { formatValue } from "../../engine/format-value.ts";

/**
 * A list without parameters contains the conversations that its user created. Source: conversation-api, section 4.1.
 */
export const listHasOwnConversations = defineCallRule({
  id: "legacy/list-has-own-conversations",
  check(evidence, reporter) {
    const walks = collectWalks(evidence, "legacy");
    for (const call of findListCalls(evidence, "legacy").filter(({ request }) => request.parameters.size === 0)) {
      const page = readListPage(call);
      if (isResponseMissing(call)) {
        reporter.lacksResponse(call);
      }
      const expectedConversations =
        page === undefined || !hasFullAccess(call.record.credential)
          ? []
          : [
              ...findOwnConversationsDuring(evidence, call).filter((conversation) => mustBeListed(conversation, call)),
              ...findListedElsewhere(evidence, page),
            ];
      if (page === undefined || expectedConversations.length === 0) {
        continue;
      }
      // A conversation that is updated during the walk may move past all pages. Only a single complete page proves that
      // one is missing.
      const walk = walks.find(({ pages: [first] }) => first === page)?.pages ?? [page];
      const missingConversation = expectedConversations.find(({ id }) => !walk.some(({ ids }) => ids.includes(id)));
      if (missingConversation === undefined) {
        reporter.passes(call);
      } else if (isCompleteList(page)) {
        reporter.fails(
          call,
          `a list does not contain conversation ${missingConversation.id}, which the same user created`,
        );
      }
    }
  },
});

/**
 * Returns the conversations that the same user created through the other interface and that another list of this
 * interface contains. Both interfaces know them.
 */
const findListedElsewhere = (evidence: ConversationEvidence, page: ListPage): readonly CreatedConversation[] =>
  findCreatedConversations(evidence).filter(
    (conversation) =>
      conversation.interface === "current" &&
      conversation.user === page.user &&
      existedDuring(conversation, spanOf(page.call)) &&
      findListPages(evidence, "legacy").some(
        (other) => other !== page && other.user === page.user && other.ids.includes(conversation.id),
      ),
  );

/**
 * A list does not contain conversations of other users, unless a read token requests one. Source: conversation-api,
 * sections 4.1 and 5.
 */
export const listShowsOwnOnly = defineCallRule({
  id: "legacy/list-shows-own-only",
  check(evidence, reporter) {
    for (const call of findListCalls(evidence, "legacy")) {
      const page = readListPage(call);
      const { parameters } = call.request;
      if (isResponseMissing(call)) {
        reporter.lacksResponse(call);
      }
      if (page === undefined || parameters.has("filter_read_token") || !hasFullAccess(call.record.credential)) {
        continue;
      }
      const problem = findForeignEntry(evidence, page);
      if (problem !== undefined) {
        reporter.fails(call, problem);
      } else if (isConclusive(evidence, page)) {
        reporter.passes(call);
      }
    }
  },
});

/** Returns the ids of the other known user's conversations that existed during a list call. */
const findForeignIds = (evidence: ConversationEvidence, { call }: ListPage): readonly string[] =>
  findCreatedConversations(evidence)
    .filter(
      (conversation) =>
        conversation.user !== userOf(call.record.credential) && hasEveryScope(conversation.create.record.credential),
    )
    .filter((conversation) => conversation.interface === "legacy" && existedDuring(conversation, spanOf(call)))
    .map(({ id }) => id);

/** Returns the service's id for the user of a list, from that user's conversations. */
const findListOwner = (evidence: ConversationEvidence, { call }: ListPage): string | undefined =>
  findOwnConversationsDuring(evidence, call).flatMap((conversation) => findOwnerId(conversation, call) ?? [])[0];

function findForeignEntry(evidence: ConversationEvidence, page: ListPage): string | undefined {
  const ownerId = findListOwner(evidence, page);
  const foreignUserId = ownerId === undefined ? undefined : collectUserIds(page).find((userId) => userId !== ownerId);
  if (foreignUserId !== undefined) {
    return `a list shows a conversation of user ${formatValue(foreignUserId)} to user ${formatValue(ownerId)}`;
  }
  const foreignIds = new Set(findForeignIds(evidence, page));
  const foreignId = page.ids.find((id) => foreignIds.has(id));
  return foreignId === undefined
    ? undefined
    : `a list shows conversation ${formatValue(foreignId)}, which another user created`;
}

/** Reports whether the rule can be checked: the run created a conversation as another user. */
const isConclusive = (evidence: ConversationEvidence, page: ListPage): boolean =>
  findForeignIds(evidence, page).length > 0;
