import { sortOrders } from "@assay/contract";
import type { ConversationRuleId, SortOrder } from "@assay/contract";
import type { ConversationView } from "@assay/reading";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { findCreatedConversations, spanOf } from "../engine/created-conversations.ts";
import { isUnchangedDuring } from "../engine/progress.ts";
import { isResponseMissing } from "../engine/refusal.ts";
import { userOf } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import { findListCalls, readListPage } from "./list-page.ts";
import type { ListPage } from "./list-page.ts";
import { parseInstant } from "@assay/state-machine";
import { collectWalks } from "./pages-do-not-overlap.ts";
import type { Walk } from "./pages-do-not-overlap.ts";

/** A list is sorted as requested. Source: conversation-api, section 4.1. */
export const listIsSorted = defineOrderRule("legacy/sort-is-kept", ({ request }) =>
  sortOrders.find((order) => order === request.parameters.get("sort")),
);

/** A list without `sort` is sorted by update time, newest first. Source: conversation-api, section 4.1. */
export const defaultSortIsNewestUpdateFirst = defineOrderRule(
  "legacy/default-sort-is-newest-update-first",
  ({ request }) => (request.parameters.has("sort") ? undefined : "-updated_at"),
);

function defineOrderRule(
  id: ConversationRuleId,
  findOrder: (call: ConversationCall) => SortOrder | undefined,
): ConversationRule {
  return defineCallRule({
    id,
    check(evidence, reporter) {
      for (const call of findListCalls(evidence, "legacy")) {
        const order = findOrder(call);
        const page = readListPage(call);
        if (order !== undefined && isResponseMissing(call)) {
          reporter.lacksResponse(call, order);
        }
        const pairs = order === undefined || page === undefined ? [] : findUnequalPairs(evidence, page, order);
        const wrongPair = pairs.find((pair) => !pair.isInOrder);
        if (wrongPair !== undefined) {
          reporter.fails(
            call,
            `in a list sorted by \`${order}\`, ${wrongPair.first} precedes ${wrongPair.second}`,
            order,
          );
        } else if (pairs.length > 0) {
          reporter.passes(call, order);
        }
      }
      for (const walk of collectWalks(evidence, "legacy")) {
        judgeWalk(reporter, walk, findOrder(walk.pages[0].call));
      }
    },
  });
}

/**
 * Judges the order of pages by id or creation time. These do not change, so such pages never overlap or go backwards.
 */
function judgeWalk(reporter: CallReporter, { pages }: Walk, order: SortOrder | undefined): void {
  if (order === undefined || order.endsWith("updated_at")) {
    return;
  }
  for (const [index, page] of pages.slice(1).entries()) {
    const last = pages[index]?.view.entries.at(-1);
    const first = page.view.entries[0];
    const pair = last === undefined || first === undefined ? undefined : compareAdjacent(last, first, order);
    if (pair?.isInOrder === false) {
      const message = `in a list sorted by \`${order}\`, the page ending with ${pair.first} precedes the page starting with ${pair.second}`;
      reporter.fails(page.call, message, order);
      return;
    }
    if (pair !== undefined) {
      reporter.passes(page.call, order);
    }
  }
}

interface AdjacentPair {
  readonly first: string;
  readonly second: string;
  readonly isInOrder: boolean;
}

interface SortKey {
  readonly text: string;
  readonly value: number | bigint;
}

/**
 * Returns the adjacent entries with different keys. Skips entries that may have been updated while the list was read.
 * Entries with equal keys may be in any order.
 */
function findUnequalPairs(evidence: ConversationEvidence, page: ListPage, order: SortOrder): readonly AdjacentPair[] {
  const member = order.startsWith("-") ? order.slice(1) : order;
  const changingIds = member === "updated_at" ? findChangingIds(evidence, page.call) : new Set<string>();
  const entries = page.view.entries.filter(
    (entry) => (entry.id === undefined || !changingIds.has(entry.id)) && readSortKey(entry, member) !== undefined,
  );
  return entries.slice(1).flatMap((second, index) => {
    const first = entries[index];
    return (first === undefined ? undefined : compareAdjacent(first, second, order)) ?? [];
  });
}

/** Compares two adjacent entries. It returns undefined if their keys are unknown or equal. */
function compareAdjacent(
  first: ConversationView,
  second: ConversationView,
  order: SortOrder,
): AdjacentPair | undefined {
  const isDescending = order.startsWith("-");
  const member = isDescending ? order.slice(1) : order;
  const [left, right] = [readSortKey(first, member), readSortKey(second, member)];
  return left === undefined || right === undefined || left.value === right.value
    ? undefined
    : { first: left.text, second: right.text, isInOrder: left.value > right.value === isDescending };
}

function readSortKey({ id, createdAt, updatedAt }: ConversationView, member: string): SortKey | undefined {
  const text = member === "id" ? id : member === "created_at" ? createdAt : updatedAt;
  const value = member === "id" ? parseNumber(text ?? "") : parseInstant(text ?? "").micros;
  return text === undefined || value === undefined || Number.isNaN(value)
    ? undefined
    : { text: text.slice(0, 80), value };
}

const parseNumber = (id: string): bigint | undefined => (/^-?\d{1,40}$/.test(id) ? BigInt(id) : undefined);

/** Returns the ids of the user's conversations that may have changed during a call. */
const findChangingIds = (evidence: ConversationEvidence, call: ConversationCall): ReadonlySet<string> =>
  new Set(
    findCreatedConversations(evidence)
      .filter(
        (conversation) =>
          conversation.user === userOf(call.record.credential) && !isUnchangedDuring(conversation, spanOf(call)),
      )
      .map(({ id }) => id),
  );
