import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { isMissing } from "../engine/refusal.ts";
import { mayDoEverything } from "../engine/users.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import { knownIds, listCalls, listPage } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { conversationOfToken } from "./own-facts.ts";
import { shownValue } from "../../engine/json-value.ts";

/** A list by a read token lists the conversation of that token. Source: conversation-api, section 4.1. */
export const filterReadTokenFilters = defineWitnessedRule({
  id: "legacy/filter-read-token-filters",
  check(evidence, witness) {
    for (const call of listCalls(evidence, "legacy").filter(({ asked }) => asked.parameters.has("filter_read_token"))) {
      const own = conversationOfToken(evidence, call);
      const page = listPage(call);
      if (isMissing(call)) {
        witness.lacks(call);
      }
      if (own === undefined || page?.user !== own.user) {
        continue;
      }
      const problem = problemOf(page, own.conversation);
      if (problem !== undefined) {
        witness.breaks(call, problem);
      } else if (canTell(evidence, page, own.conversation)) {
        witness.holds(call);
      }
    }
  },
});

function problemOf(page: ListPage, wanted: string): string | undefined {
  const other = page.ids.find((id) => id !== wanted);
  if (other !== undefined) {
    return `\`filter_read_token\` with the token of ${wanted} lists the conversation ${shownValue(other)}`;
  }
  return isBound(page) && !page.ids.includes(wanted)
    ? `\`filter_read_token\` with the token of ${wanted} does not list that conversation`
    : undefined;
}

/** Whether nothing but the token narrows the list. */
const isBound = ({ call, view, ids }: ListPage): boolean =>
  mayDoEverything(call.record.credential) &&
  [...call.asked.parameters.keys()].every((name) => ["filter_read_token", "page_first", "sort"].includes(name)) &&
  view.entries.length === ids.length;

/** Without a second conversation, a service that ignores the filter would look the same. */
const canTell = (evidence: ConversationEvidence, { call }: ListPage, wanted: string): boolean =>
  [...knownIds(evidence, call)].some((id) => id !== wanted);
