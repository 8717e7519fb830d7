import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { ownConversations } from "../engine/own-conversations.ts";
import { isMissing } from "../engine/refusal.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import { listCalls, listPages } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { shownValue } from "../../engine/json-value.ts";

/** No conversation is both starred and not. Source: conversation-api, section 4.1. */
export const filterIsStarredFilters = defineWitnessedRule({
  id: "legacy/filter-is-starred-filters",
  check(evidence, witness) {
    for (const call of listCalls(evidence, "legacy")) {
      if (call.asked.parameters.has("filter_is_starred") && isMissing(call)) {
        witness.lacks(call);
      }
    }
    for (const [starred, others] of pairsOf(listPages(evidence, "legacy"))) {
      const inBoth = judgedIds(evidence, starred, others).find((id) => others.ids.includes(id));
      if (inBoth !== undefined) {
        witness.breaks(
          others.call,
          `${shownValue(inBoth)} is listed as starred (${starred.call.record.id}) and as not starred`,
        );
      } else if (starred.ids.length + others.ids.length > 0) {
        witness.holds(others.call);
      }
    }
  },
});

const sentAtMicros = ({ call }: ListPage): number => call.record.times.sentAtMicros;

/** Each list of what is not starred, with the newest one before or else the first one after of what is, for the same user. */
function pairsOf(pages: readonly ListPage[]): readonly (readonly [ListPage, ListPage])[] {
  const of = (value: string): readonly ListPage[] =>
    pages.filter(({ call }) => call.asked.parameters.get("filter_is_starred") === value);
  return of("false").flatMap((others) => {
    const starred = of("true").filter(({ user }) => user === others.user);
    const partner = starred.findLast((page) => sentAtMicros(page) <= sentAtMicros(others)) ?? starred[0];
    return partner === undefined ? [] : [[partner, others] as const];
  });
}

/** A person may star a conversation between two lists: with more time between them, only what the run created is compared. */
const maxGapMicros = 10_000_000;

function judgedIds(evidence: ConversationEvidence, starred: ListPage, others: ListPage): readonly string[] {
  const gapMicros = Math.abs(sentAtMicros(starred) - sentAtMicros(others));
  if (gapMicros <= maxGapMicros && others.call.record.credential !== "unknown") {
    return starred.ids;
  }
  const created = new Set(ownConversations(evidence).map(({ conversation }) => conversation));
  return starred.ids.filter((id) => created.has(id));
}
