import type { ConversationRuleId } from "@assay/contract";
import type { ConversationView } from "@assay/reading";
import type { Reporter } from "../../engine/reporter.ts";
import { choicesOnce } from "./choices-once.ts";
import type { ReportFor } from "./choices-once.ts";
import { callObstacle } from "./call-obstacle.ts";
import type { ConversationCall } from "./conversation-call.ts";
import type { ConversationInterface, ConversationOperation } from "./conversation-operation.ts";
import { defineConversationRule } from "./conversation-rule.ts";
import type { ConversationRule } from "./conversation-rule.ts";
import { conversationView } from "./conversation-view.ts";
import { listView } from "./list-view.ts";

/** Operations whose answers may show a conversation. */
export const showingOperations: readonly ConversationOperation[] = ["create", "get", "follow-up", "cancel"];

/**
 * Tells what keeps the rule from its evidence. A body beyond the limits may hide anything; a broken or refused call costs
 * the rule nothing as long as another of its calls was answered.
 */
export function reportObstacles(calls: readonly ConversationCall[], reportFor: ReportFor): void {
  const hasAnswer = calls.some(({ answer }) => answer.kind === "success");
  for (const call of calls) {
    const blockedBy = callObstacle(call);
    if (blockedBy !== undefined && (blockedBy.kind === "limit" || !hasAnswer)) {
      reportFor(call.record.id).blocked(blockedBy);
    }
  }
}

/** A rule about each conversation that one interface shows, as it is written down. */
export interface EachConversation {
  readonly id: ConversationRuleId;
  readonly interface: ConversationInterface;
  /** Operations whose answers are looked at [all that may show a conversation]. */
  readonly operations?: readonly ConversationOperation[];
  readonly check: (view: ConversationView, report: Reporter, call: ConversationCall) => void;
}

/** The conversation that an answer is, or those that a list has. */
export function viewsIn(call: ConversationCall): readonly ConversationView[] {
  const view = conversationView(call);
  return view === undefined ? (listView(call)?.entries ?? []) : [view];
}

/** A rule about each conversation that one interface shows. */
export const eachConversation = ({
  id,
  interface: name,
  operations = showingOperations,
  check,
}: EachConversation): ConversationRule =>
  defineConversationRule({
    id,
    check(evidence, reportFor) {
      const calls = evidence.calls.filter((call) => call.interface === name && operations.includes(call.operation));
      const reporters = choicesOnce(reportFor);
      for (const call of calls) {
        for (const view of viewsIn(call)) {
          check(view, reporters(call.record.id), call);
        }
      }
      reportObstacles(calls, reportFor);
    },
  });
