import { wasAcceptedBeforeAndAfter } from "../engine/accepted-before-and-after.ts";
import { describeBody } from "../engine/describe-body.ts";
import { mayHaveTakenEffect } from "../engine/conversation-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { inBothInterfaces } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { findOwnConversation } from "../engine/created-conversations.ts";
import { isResponseMissing, judgeRefusal } from "../engine/refusal.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";

/**
 * The creator can get a conversation until it is deleted. The rules about stable ids and names check which conversation
 * is returned. Source: conversation-api, sections 4.1 and 4.2.
 */
export const getReturnsTheConversation = inBothInterfaces((interfaceName) =>
  defineCallRule({
    id: `${interfaceName}/get-returns-the-conversation`,
    check(evidence, reporter) {
      for (const call of evidence.calls) {
        if (call.interface !== interfaceName || call.operation !== "get") {
          continue;
        }
        if (findOwnConversation(evidence, call) !== undefined) {
          judgeRead(evidence, reporter, {
            call,
            description: "getting a conversation that was created and not deleted",
          });
        } else if (existsBeforeAndAfter(evidence, call)) {
          judgeRead(evidence, reporter, { call, description: "getting a conversation that existed before and after" });
        }
      }
    },
  }),
);

/**
 * Reports whether a recording without the creation shows the conversation to the same client before and after a read,
 * without a deletion in between.
 */
function existsBeforeAndAfter(evidence: ConversationEvidence, call: ConversationCall): boolean {
  const { credential, times } = call.record;
  const { conversationId } = call.request;
  return (
    credential === "unknown" &&
    wasAcceptedBeforeAndAfter(evidence, call) &&
    !evidence.calls.some(
      (other) =>
        other.operation === "delete" &&
        other.request.conversationId === conversationId &&
        mayHaveTakenEffect(other) &&
        other.record.times.sentAtMicros < times.endedAtMicros,
    )
  );
}

interface JudgedRead {
  readonly call: ConversationCall;
  readonly description: string;
}

function judgeRead(evidence: ConversationEvidence, reporter: CallReporter, { call, description }: JudgedRead): void {
  const subject = call.request.conversationId ?? "";
  if (isResponseMissing(call)) {
    reporter.misses(call, subject);
  }
  judgeRefusal(evidence, reporter, { call, description, subject });
  if (call.response.kind !== "success") {
    return;
  }
  if (conversationView(call) === undefined) {
    reporter.fails(call, `getting a conversation was answered with ${describeBody(call) ?? "nothing"}`, subject);
  } else {
    reporter.passes(call, subject);
  }
}
