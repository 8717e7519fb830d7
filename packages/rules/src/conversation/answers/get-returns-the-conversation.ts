import { wasAcceptedBeforeAndAfter } from "../engine/accepted-before-and-after.ts";
import { describeBody } from "../engine/describe-body.ts";
import { mayHaveTakenEffect } from "../engine/conversation-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { defineForBothInterfaces } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { findOwnConversation } from "../engine/created-conversations.ts";
import { isResponseMissing, judgeRefusal } from "../engine/refusal.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";

/**
 * The creator can get a conversation until it is deleted. The rules about stable ids and names check which conversation
 * is returned. Source: conversation-api, sections 4.1 and 4.2.
 */
export const getReturnsTheConversation = defineForBothInterfaces((interfaceName) =>
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
            description: "reading a conversation that was created and not deleted",
          });
        } else if (existedBeforeAndAfter(evidence, call)) {
          judgeRead(evidence, reporter, {
            call,
            description: "reading a conversation that existed before and after the call",
          });
        }
      }
    },
  }),
);

/**
 * Reports whether the same client read the conversation successfully before and after this call, with no deletion in
 * between. For recordings that do not contain the creation.
 */
function existedBeforeAndAfter(evidence: ConversationEvidence, call: ConversationCall): boolean {
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
    reporter.lacksResponse(call, subject);
  }
  judgeRefusal(evidence, reporter, { call, description, subject });
  if (call.response.kind !== "success") {
    return;
  }
  if (conversationView(call) === undefined) {
    reporter.fails(call, `reading a conversation returned ${describeBody(call) ?? "nothing"}`, subject);
  } else {
    reporter.passes(call, subject);
  }
}
