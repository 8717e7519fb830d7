import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { livedThrough, ownConversations, spanOf } from "../engine/own-conversations.ts";
import { isMissing } from "../engine/refusal.ts";
import { mayDoEverything } from "../engine/users.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import { isWhole, listCalls, listPages } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { isDueInList, ownDuring } from "./own-facts.ts";
import { formatValue } from "../../engine/format-value.ts";

/** A conversation is starred or it is not: one of the two lists has it, and not both. Source: conversation-api, section 4.1. */
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
          `${formatValue(inBoth)} is listed as starred (${starred.call.record.id}) and as not starred`,
        );
        continue;
      }
      const inNone = ownIn(evidence, starred, others).find(
        (id) => !starred.ids.includes(id) && !others.ids.includes(id),
      );
      if (inNone !== undefined) {
        witness.breaks(others.call, `${formatValue(inNone)} is listed neither as starred nor as not starred`);
      } else if (starred.ids.length + others.ids.length > 0) {
        witness.holds(others.call);
      }
    }
  },
});

const sentAtMicros = ({ call }: ListPage): number => call.record.times.sentAtMicros;

/**
 * Each list of what is not starred, with the newest one before or else the first one after of what is, for the same user; and
 * each list of what is starred that has no partner so, with the first one after or else the newest one before of what is not.
 */
function pairsOf(pages: readonly ListPage[]): readonly (readonly [ListPage, ListPage])[] {
  const of = (value: string): readonly ListPage[] =>
    pages.filter(({ call }) => call.asked.parameters.get("filter_is_starred") === value);
  const pairs = of("false").flatMap((others) => {
    const starred = of("true").filter(({ user }) => user === others.user);
    const partner = starred.findLast((page) => sentAtMicros(page) <= sentAtMicros(others)) ?? starred[0];
    return partner === undefined ? [] : [[partner, others] as const];
  });
  const alone = of("true").filter((page) => !pairs.some(([starred]) => starred === page));
  const more = alone.flatMap((starred) => {
    const others = of("false").filter(({ user }) => user === starred.user);
    const partner = others.find((page) => sentAtMicros(page) >= sentAtMicros(starred)) ?? others.at(-1);
    return partner === undefined ? [] : [[starred, partner] as const];
  });
  return [...pairs, ...more];
}

/** Own conversations that were there all the while, where both lists are certainly whole: one of the two has to have them. */
const ownIn = (evidence: ConversationEvidence, starred: ListPage, others: ListPage): readonly string[] =>
  isWhole(starred) &&
  isWhole(others) &&
  gapMicros(starred, others) <= maxGapMicros &&
  mayDoEverything(others.call.record.credential)
    ? ownDuring(evidence, starred.call)
        .filter((own) => livedThrough(own, spanOf(others.call)) && isDueInList(own, starred.call))
        .map(({ conversation }) => conversation)
    : [];

/** A person may star a conversation between two lists: with more time between them, only what the run created is compared. */
const maxGapMicros = 10_000_000;

const gapMicros = (one: ListPage, other: ListPage): number => Math.abs(sentAtMicros(one) - sentAtMicros(other));

function judgedIds(evidence: ConversationEvidence, starred: ListPage, others: ListPage): readonly string[] {
  if (gapMicros(starred, others) <= maxGapMicros && others.call.record.credential !== "unknown") {
    return starred.ids;
  }
  const created = new Set(ownConversations(evidence).map(({ conversation }) => conversation));
  return starred.ids.filter((id) => created.has(id));
}
