import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { livedThrough, ownConversations, spanOf } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { isMissing } from "../engine/refusal.ts";
import { mayDoEverything } from "../engine/users.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import type { Witness } from "../engine/witness.ts";
import { knownIds, listCalls, listPage } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { askedToken, conversationOfToken, holdersOfToken, isDueInList, tokensOf } from "./own-facts.ts";
import { formatValue } from "../../engine/format-value.ts";

/** A list by a read token lists the conversation of that token. Source: conversation-api, section 4.1. */
export const filterReadTokenFilters = defineWitnessedRule({
  id: "legacy/filter-read-token-filters",
  check(evidence, witness) {
    for (const call of listCalls(evidence, "legacy").filter(({ asked }) => asked.parameters.has("filter_read_token"))) {
      const own = conversationOfToken(evidence, call);
      const page = listPage(call);
      const holders = holdersOfToken(evidence, call);
      if (page !== undefined && holders.length > 1) {
        judgeShared(witness, page, holders);
        continue;
      }
      if (isMissing(call)) {
        witness.lacks(call);
      }
      if (page !== undefined && own === undefined) {
        judgeUnknown(evidence, witness, page);
      }
      if (own === undefined || page?.user !== own.user) {
        continue;
      }
      const problem = problemOf(page, own);
      if (problem !== undefined) {
        witness.breaks(call, problem);
      } else if (canTell(evidence, page, own)) {
        witness.holds(call);
      }
    }
  },
});

/** A token that several conversations tell reads one of them at most: which one, nobody knows. */
function judgeShared(witness: Witness, page: ListPage, holders: readonly OwnConversation[]): void {
  const shared = `the read token that ${holders.map(({ conversation }) => conversation).join(" and ")} have in common`;
  if (page.ids.length > 1) {
    witness.breaks(page.call, `\`filter_read_token\` with ${shared} lists ${page.ids.length} conversations`);
  } else if (
    page.ids.length === 0 &&
    isBound(page) &&
    holders.some((own) => own.user === page.user && isDueInList(own, page.call))
  ) {
    witness.breaks(page.call, `\`filter_read_token\` with ${shared} lists none of them`);
  }
}

/** A list by a token that is of no conversation of which the token is known: it has none of these. */
function judgeUnknown(evidence: ConversationEvidence, witness: Witness, page: ListPage): void {
  const token = askedToken(page.call);
  const others = ownConversations(evidence).filter((own) => {
    const tokens = tokensOf(own);
    return own.interface === "legacy" && token !== undefined && tokens.size > 0 && !tokens.has(token);
  });
  const shown = others.find(({ conversation }) => page.ids.includes(conversation));
  if (shown !== undefined) {
    const message = `\`filter_read_token\` with a token that is not its own lists the conversation ${shown.conversation}`;
    witness.breaks(page.call, message);
  } else if (others.some((own) => own.user === page.user && livedThrough(own, spanOf(page.call)))) {
    witness.holds(page.call);
  }
}

function problemOf(page: ListPage, own: OwnConversation): string | undefined {
  const { conversation: wanted } = own;
  const other = page.ids.find((id) => id !== wanted);
  if (other !== undefined) {
    return `\`filter_read_token\` with the token of ${wanted} lists the conversation ${formatValue(other)}`;
  }
  return isBound(page) && !page.ids.includes(wanted) && isDueInList(own, page.call)
    ? `\`filter_read_token\` with the token of ${wanted} does not list that conversation`
    : undefined;
}

/** Whether nothing but the token narrows the list. */
const isBound = ({ call, view, ids }: ListPage): boolean =>
  mayDoEverything(call.record.credential) &&
  [...call.asked.parameters.keys()].every((name) => ["filter_read_token", "page_first", "sort"].includes(name)) &&
  view.entries.length === ids.length;

/** Without a second conversation, a service that ignores the filter would look the same. */
const canTell = (evidence: ConversationEvidence, { call, ids }: ListPage, own: OwnConversation): boolean =>
  (ids.length > 0 || isDueInList(own, call)) && [...knownIds(evidence, call)].some((id) => id !== own.conversation);
