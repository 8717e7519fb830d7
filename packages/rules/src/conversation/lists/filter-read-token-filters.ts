import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { livedThrough, ownConversations, spanOf } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { isMissing } from "../engine/refusal.ts";
import { mayDoEverything } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import { knownIds, listCalls, listPage } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { requestedToken, conversationOfToken, holdersOfToken, isDueInList, tokensOf } from "./own-facts.ts";
import { formatValue } from "../../engine/format-value.ts";

/** A list by a read token has the conversation of that token. Source: conversation-api, section 4.1. */
export const filterReadTokenFilters = defineCallRule({
  id: "legacy/filter-read-token-filters",
  check(evidence, reporter) {
    for (const call of listCalls(evidence, "legacy").filter(({ asked }) => asked.parameters.has("filter_read_token"))) {
      const own = conversationOfToken(evidence, call);
      const page = listPage(call);
      const holders = holdersOfToken(evidence, call);
      if (page !== undefined && holders.length > 1) {
        judgeShared(reporter, page, holders);
        continue;
      }
      if (isMissing(call)) {
        reporter.misses(call);
      }
      if (page !== undefined && own === undefined) {
        judgeUnknown(evidence, reporter, page);
      }
      if (own === undefined || page?.user !== own.user) {
        continue;
      }
      const problem = problemOf(page, own);
      if (problem !== undefined) {
        reporter.fails(call, problem);
      } else if (canTell(evidence, page, own)) {
        reporter.passes(call);
      }
    }
  },
});

/** A token that several conversations have can return at most one of them; which one is unknown. */
function judgeShared(reporter: CallReporter, page: ListPage, holders: readonly OwnConversation[]): void {
  const shared = `the read token that ${holders.map(({ conversation }) => conversation).join(" and ")} have in common`;
  if (page.ids.length > 1) {
    reporter.fails(page.call, `\`filter_read_token\` with ${shared} lists ${page.ids.length} conversations`);
  } else if (
    page.ids.length === 0 &&
    isBound(page) &&
    holders.some((own) => own.user === page.user && isDueInList(own, page.call))
  ) {
    reporter.fails(page.call, `\`filter_read_token\` with ${shared} lists none of them`);
  }
}

/** A list by a token that does not belong to any conversation with a known token has none of these. */
function judgeUnknown(evidence: ConversationEvidence, reporter: CallReporter, page: ListPage): void {
  const token = requestedToken(page.call);
  const others = ownConversations(evidence).filter((own) => {
    const tokens = tokensOf(own);
    return own.interface === "legacy" && token !== undefined && tokens.size > 0 && !tokens.has(token);
  });
  const shown = others.find(({ conversation }) => page.ids.includes(conversation));
  if (shown !== undefined) {
    const message = `\`filter_read_token\` with a token that is not its own lists the conversation ${shown.conversation}`;
    reporter.fails(page.call, message);
  } else if (others.some((own) => own.user === page.user && livedThrough(own, spanOf(page.call)))) {
    reporter.passes(page.call);
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

/** Whether only the token filters the list. */
const isBound = ({ call, view, ids }: ListPage): boolean =>
  mayDoEverything(call.record.credential) &&
  [...call.asked.parameters.keys()].every((name) => ["filter_read_token", "page_first", "sort"].includes(name)) &&
  view.entries.length === ids.length;

/** Without a second conversation, a service that ignores the filter would look the same. */
const canTell = (evidence: ConversationEvidence, { call, ids }: ListPage, own: OwnConversation): boolean =>
  (ids.length > 0 || isDueInList(own, call)) && [...knownIds(evidence, call)].some((id) => id !== own.conversation);
