import type { ConversationRuleId } from "@assay/contract";
import type { ConversationView } from "@assay/reading";
import type { Reporter } from "../../engine/reporter.ts";
import { dedupeNotes } from "./dedupe-notes.ts";
import type { ReportFor } from "./dedupe-notes.ts";
import { reasonForUnusable } from "./reason-for-unusable.ts";
import type { ConversationCall } from "./conversation-call.ts";
import type { ConversationInterface, ConversationOperation } from "./conversation-operation.ts";
import { defineConversationRule } from "./conversation-rule.ts";
import type { ConversationRule } from "./conversation-rule.ts";
import { conversationView } from "./conversation-view.ts";
import { listView } from "./list-view.ts";

/** Operations whose responses may contain a conversation. */
export const operationsReturningConversation: readonly ConversationOperation[] = [
  "create",
  "get",
  "follow-up",
  "cancel",
];

/**
 * Reports the calls that block the rule. A body above the limits always blocks it. An incomplete or failed response
 * blocks it only if none of the calls succeeded.
 */
export function reportBlocked(calls: readonly ConversationCall[], reportFor: ReportFor): void {
  const hasSuccess = calls.some(({ response }) => response.kind === "success");
  for (const call of calls) {
    const reason = reasonForUnusable(call);
    if (reason !== undefined && (reason.kind === "limit" || !hasSuccess)) {
      reportFor(call.record.id).blocked(reason);
    }
  }
}

/** The definition of a rule that checks every conversation of one interface. */
export interface ConversationCheck {
  readonly id: ConversationRuleId;
  readonly interface: ConversationInterface;
  /** Operations whose responses are checked. Default: all that may return a conversation. */
  readonly operations?: readonly ConversationOperation[];
  readonly check: (view: ConversationView, report: Reporter, call: ConversationCall) => void;
}

/** Returns the conversations in a response: a single conversation, or the entries of a list. */
export function viewsIn(call: ConversationCall): readonly ConversationView[] {
  const view = conversationView(call);
  return view === undefined ? (listView(call)?.entries ?? []) : [view];
}

/** Defines a rule that checks every conversation of one interface. */
export const defineConversationCheck = ({
  id,
  interface: interfaceName,
  operations = operationsReturningConversation,
  check,
}: ConversationCheck): ConversationRule =>
  defineConversationRule({
    id,
    check(evidence, reportFor) {
      const calls = evidence.calls.filter(
        (call) => call.interface === interfaceName && operations.includes(call.operation),
      );
      const reporters = dedupeNotes(reportFor);
      for (const call of calls) {
        for (const view of viewsIn(call)) {
          check(view, reporters(call.record.id), call);
        }
      }
      reportBlocked(calls, reportFor);
    },
  });
