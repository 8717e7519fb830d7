import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { existedDuring, findCreatedConversations, spanOf } from "../engine/created-conversations.ts";
import { isResponseMissing } from "../engine/refusal.ts";
import { hasFullAccess } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import { isCompleteList, findListCalls, findListPages } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { mustBeListed, findOwnConversationsDuring } from "./find-own-conversations.ts";
import { formatValue } from "../../engine/format-value.ts";

/**
 * A conversation is either starred or not, so exactly one of the two lists contains it. Source: conversation-api,
 * section 4.1.
 */
export const starredFilterApplies = defineCallRule({
  id: "legacy/filter-is-starred-filters",
  check(evidence, reporter) {
    for (const call of findListCalls(evidence, "legacy")) {
      if (call.request.parameters.has("filter_is_starred") && isResponseMissing(call)) {
        reporter.lacksResponse(call);
      }
    }
    for (const [starredList, unstarredList] of pairLists(findListPages(evidence, "legacy"))) {
      const idInBoth = findComparableIds(evidence, starredList, unstarredList).find((id) =>
        unstarredList.ids.includes(id),
      );
      if (idInBoth !== undefined) {
        reporter.fails(
          unstarredList.call,
          `${formatValue(idInBoth)} is listed as starred (${starredList.call.record.id}) and as not starred`,
        );
        continue;
      }
      const idInNeither = ownConversationsInBoth(evidence, starredList, unstarredList).find(
        (id) => !starredList.ids.includes(id) && !unstarredList.ids.includes(id),
      );
      if (idInNeither !== undefined) {
        reporter.fails(
          unstarredList.call,
          `${formatValue(idInNeither)} is listed neither as starred nor as not starred`,
        );
      } else if (starredList.ids.length + unstarredList.ids.length > 0) {
        reporter.passes(unstarredList.call);
      }
    }
  },
});

const sentAtMicros = ({ call }: ListPage): number => call.record.times.sentAtMicros;

/**
 * Pairs each list of conversations that are not starred with the newest earlier starred list of the same user, or
 * otherwise the first later one. Each remaining starred list is paired with the first later list of the other kind, or
 * otherwise the newest earlier one.
 */
function pairLists(pages: readonly ListPage[]): readonly (readonly [ListPage, ListPage])[] {
  const pagesWith = (value: string): readonly ListPage[] =>
    pages.filter(({ call }) => call.request.parameters.get("filter_is_starred") === value);
  const pairs = pagesWith("false").flatMap((unstarredList) => {
    const starredPages = pagesWith("true").filter(({ user }) => user === unstarredList.user);
    const partner =
      starredPages.findLast((page) => sentAtMicros(page) <= sentAtMicros(unstarredList)) ?? starredPages[0];
    return partner === undefined ? [] : [[partner, unstarredList] as const];
  });
  const unpairedLists = pagesWith("true").filter((page) => !pairs.some(([starredList]) => starredList === page));
  const remainingPairs = unpairedLists.flatMap((starredList) => {
    const unstarredPages = pagesWith("false").filter(({ user }) => user === starredList.user);
    const partner =
      unstarredPages.find((page) => sentAtMicros(page) >= sentAtMicros(starredList)) ?? unstarredPages.at(-1);
    return partner === undefined ? [] : [[starredList, partner] as const];
  });
  return [...pairs, ...remainingPairs];
}

/**
 * Returns the conversations of the user that existed during both lists, if both lists are known to be complete. One of
 * the two must contain them.
 */
const ownConversationsInBoth = (
  evidence: ConversationEvidence,
  starredList: ListPage,
  unstarredList: ListPage,
): readonly string[] =>
  isCompleteList(starredList) &&
  isCompleteList(unstarredList) &&
  gapMicros(starredList, unstarredList) <= maxGapMicros &&
  hasFullAccess(unstarredList.call.record.credential)
    ? findOwnConversationsDuring(evidence, starredList.call)
        .filter(
          (conversation) =>
            existedDuring(conversation, spanOf(unstarredList.call)) && mustBeListed(conversation, starredList.call),
        )
        .map(({ id }) => id)
    : [];

/**
 * A user may star a conversation between two lists. If more time passes between them, only conversations of the run are
 * compared.
 */
const maxGapMicros = 10_000_000;

const gapMicros = (left: ListPage, right: ListPage): number => Math.abs(sentAtMicros(left) - sentAtMicros(right));

function findComparableIds(
  evidence: ConversationEvidence,
  starredList: ListPage,
  unstarredList: ListPage,
): readonly string[] {
  if (gapMicros(starredList, unstarredList) <= maxGapMicros && unstarredList.call.record.credential !== "unknown") {
    return starredList.ids;
  }
  const createdIds = new Set(findCreatedConversations(evidence).map(({ id }) => id));
  return starredList.ids.filter((id) => createdIds.has(id));
}
