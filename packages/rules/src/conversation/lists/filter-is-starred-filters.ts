import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { livedThrough, ownConversations, spanOf } from "../engine/own-conversations.ts";
import { isMissing } from "../engine/refusal.ts";
import { mayDoEverything } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import { isWhole, listCalls, listPages } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { isDueInList, ownDuring } from "./own-facts.ts";
import { formatValue } from "../../engine/format-value.ts";

/**
 * A conversation is either starred or not: exactly one of the two lists has it. Source: conversation-api, section
 * 4.1.
 */
export const filterIsStarredFilters = defineCallRule({
  id: "legacy/filter-is-starred-filters",
  check(evidence, reporter) {
    for (const call of listCalls(evidence, "legacy")) {
      if (call.asked.parameters.has("filter_is_starred") && isMissing(call)) {
        reporter.misses(call);
      }
    }
    for (const [starred, others] of pairsOf(listPages(evidence, "legacy"))) {
      const inBoth = judgedIds(evidence, starred, others).find((id) => others.ids.includes(id));
      if (inBoth !== undefined) {
        reporter.fails(
          others.call,
          `${formatValue(inBoth)} is listed as starred (${starred.call.record.id}) and as not starred`,
        );
        continue;
      }
      const inNone = ownIn(evidence, starred, others).find(
        (id) => !starred.ids.includes(id) && !others.ids.includes(id),
      );
      if (inNone !== undefined) {
        reporter.fails(others.call, `${formatValue(inNone)} is listed neither as starred nor as not starred`);
      } else if (starred.ids.length + others.ids.length > 0) {
        reporter.passes(others.call);
      }
    }
  },
});

const sentAtMicros = ({ call }: ListPage): number => call.record.times.sentAtMicros;

/**
 * Pairs each list of conversations that are not starred with the newest earlier starred list of the same user, or
 * else the first later one. Each starred list without a partner is paired with the first later list of the others, or
 * else the newest earlier one.
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

/** Own conversations that existed all the time, if both lists are certainly complete: one of the two must have them. */
const ownIn = (evidence: ConversationEvidence, starred: ListPage, others: ListPage): readonly string[] =>
  isWhole(starred) &&
  isWhole(others) &&
  gapMicros(starred, others) <= maxGapMicros &&
  mayDoEverything(others.call.record.credential)
    ? ownDuring(evidence, starred.call)
        .filter((own) => livedThrough(own, spanOf(others.call)) && isDueInList(own, starred.call))
        .map(({ conversation }) => conversation)
    : [];

/**
 * A user may star a conversation between two lists: if they are further apart, only conversations of the run are
 * compared.
 */
const maxGapMicros = 10_000_000;

const gapMicros = (one: ListPage, other: ListPage): number => Math.abs(sentAtMicros(one) - sentAtMicros(other));

function judgedIds(evidence: ConversationEvidence, starred: ListPage, others: ListPage): readonly string[] {
  if (gapMicros(starred, others) <= maxGapMicros && others.call.record.credential !== "unknown") {
    return starred.ids;
  }
  const created = new Set(ownConversations(evidence).map(({ conversation }) => conversation));
  return starred.ids.filter((id) => created.has(id));
}
