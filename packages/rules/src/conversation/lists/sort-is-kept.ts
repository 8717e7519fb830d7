import { sortOrders } from "@assay/contract";
import type { ConversationRuleId, SortOrder } from "@assay/contract";
import type { ConversationView } from "@assay/reading";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { ownConversations, spanOf } from "../engine/own-conversations.ts";
import { isSettledDuring } from "../engine/progress.ts";
import { isMissing } from "../engine/refusal.ts";
import { userOf } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import { listCalls, listPage } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { instantOf } from "@assay/state-machine";
import { walksOf } from "./pages-do-not-overlap.ts";
import type { Walk } from "./pages-do-not-overlap.ts";

/** A list has the requested order. Source: conversation-api, section 4.1. */
export const sortIsKept = orderRule("legacy/sort-is-kept", ({ asked }) =>
  sortOrders.find((order) => order === asked.parameters.get("sort")),
);

/** A list without a requested order begins with the newest update. Source: conversation-api, section 4.1. */
export const defaultSortIsNewestUpdateFirst = orderRule("legacy/default-sort-is-newest-update-first", ({ asked }) =>
  asked.parameters.has("sort") ? undefined : "-updated_at",
);

function orderRule(
  id: ConversationRuleId,
  orderOf: (call: ConversationCall) => SortOrder | undefined,
): ConversationRule {
  return defineCallRule({
    id,
    check(evidence, reporter) {
      for (const call of listCalls(evidence, "legacy")) {
        const order = orderOf(call);
        const page = listPage(call);
        if (order !== undefined && isMissing(call)) {
          reporter.misses(call, order);
        }
        const pairs = order === undefined || page === undefined ? [] : unequalNeighbours(evidence, page, order);
        const wrong = pairs.find((pair) => !pair.isInOrder);
        if (wrong !== undefined) {
          reporter.fails(call, `in a list by \`${order}\`, ${wrong.one} comes before ${wrong.other}`, order);
        } else if (pairs.length > 0) {
          reporter.passes(call, order);
        }
      }
      for (const walk of walksOf(evidence, "legacy")) {
        judgeWalk(reporter, walk, orderOf(walk.pages[0].call));
      }
    },
  });
}

/** Ids and creation times do not change, so a walk in their order never goes back. */
function judgeWalk(reporter: CallReporter, { pages }: Walk, order: SortOrder | undefined): void {
  if (order === undefined || order.endsWith("updated_at")) {
    return;
  }
  for (const [index, page] of pages.slice(1).entries()) {
    const before = pages[index]?.view.entries.at(-1);
    const first = page.view.entries[0];
    const pair = before === undefined || first === undefined ? undefined : neighboursOf(before, first, order);
    if (pair?.isInOrder === false) {
      const message = `in a list by \`${order}\`, the page that ends with ${pair.one} comes before the one that begins with ${pair.other}`;
      reporter.fails(page.call, message, order);
      return;
    }
    if (pair !== undefined) {
      reporter.passes(page.call, order);
    }
  }
}

interface Neighbours {
  readonly one: string;
  readonly other: string;
  readonly isInOrder: boolean;
}

interface Key {
  readonly shown: string;
  readonly value: number | bigint;
}

/**
 * Neighbours with different keys, without those that may have been updated during the list; equal ones may have any
 * order.
 */
function unequalNeighbours(evidence: ConversationEvidence, page: ListPage, order: SortOrder): readonly Neighbours[] {
  const name = order.startsWith("-") ? order.slice(1) : order;
  const changing = name === "updated_at" ? changingIds(evidence, page.call) : new Set<string>();
  const entries = page.view.entries.filter(
    (entry) => (entry.id === undefined || !changing.has(entry.id)) && sortKey(entry, name) !== undefined,
  );
  return entries.slice(1).flatMap((other, index) => {
    const one = entries[index];
    return (one === undefined ? undefined : neighboursOf(one, other, order)) ?? [];
  });
}

/** Two adjacent entries, if their keys are known and differ. */
function neighboursOf(first: ConversationView, second: ConversationView, order: SortOrder): Neighbours | undefined {
  const falls = order.startsWith("-");
  const name = falls ? order.slice(1) : order;
  const [one, other] = [sortKey(first, name), sortKey(second, name)];
  return one === undefined || other === undefined || one.value === other.value
    ? undefined
    : { one: one.shown, other: other.shown, isInOrder: one.value > other.value === falls };
}

function sortKey({ id, createdAt, updatedAt }: ConversationView, name: string): Key | undefined {
  const shown = name === "id" ? id : name === "created_at" ? createdAt : updatedAt;
  const value = name === "id" ? numberOf(shown ?? "") : instantOf(shown ?? "").micros;
  return shown === undefined || value === undefined || Number.isNaN(value)
    ? undefined
    : { shown: shown.slice(0, 80), value };
}

const numberOf = (id: string): bigint | undefined => (/^-?\d{1,40}$/.test(id) ? BigInt(id) : undefined);

/** Conversations that may have changed during a call. */
const changingIds = (evidence: ConversationEvidence, call: ConversationCall): ReadonlySet<string> =>
  new Set(
    ownConversations(evidence)
      .filter((own) => own.user === userOf(call.record.credential) && !isSettledDuring(own, spanOf(call)))
      .map(({ conversation }) => conversation),
  );
