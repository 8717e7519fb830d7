import { describeBody } from "../engine/describe-body.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { defineForBothInterfaces } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { findOwnConversation } from "../engine/created-conversations.ts";
import type { CreatedConversation } from "../engine/created-conversations.ts";
import { isResponseMissing, judgeRefusal } from "../engine/refusal.ts";
import { userOf } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";

/**
 * The creator of a conversation can delete it. The response to later reads is unspecified. Source: conversation-api,
 * sections 1, 4.1 and 4.2.
 */
export const deleteIsAccepted = defineForBothInterfaces((interfaceName) =>
  defineCallRule({
    id: `${interfaceName}/delete-is-accepted`,
    check(evidence, reporter) {
      for (const call of evidence.calls) {
        const isDeletion = call.interface === interfaceName && call.operation === "delete";
        const conversation = isDeletion ? findOwnConversation(evidence, call) : undefined;
        if (conversation !== undefined) {
          judgeDeletion(evidence, reporter, { call, conversation });
        }
      }
    },
  }),
);

interface Deletion {
  readonly call: ConversationCall;
  readonly conversation: CreatedConversation;
}

function judgeDeletion(evidence: ConversationEvidence, reporter: CallReporter, { call, conversation }: Deletion): void {
  const subject = conversation.id;
  if (isResponseMissing(call)) {
    reporter.lacksResponse(call, subject);
  }
  judgeRefusal(evidence, reporter, {
    call,
    description: "deleting a conversation that was created and not deleted",
    subject,
  });
  if (call.response.kind === "success") {
    reporter.passes(call, subject);
    reporter.notes(call, `${call.interface}/delete-body`, `a deletion returned ${describeBody(call) ?? "nothing"}`);
    noteLaterReads(reporter, { call, conversation });
  }
}

function noteLaterReads(reporter: CallReporter, { call, conversation }: Deletion): void {
  for (const read of conversation.calls) {
    const isLater =
      read.operation === "get" &&
      read.interface === call.interface &&
      userOf(read.record.credential) === conversation.user &&
      read.record.times.sentAtMicros >= call.record.times.endedAtMicros;
    if (isLater && (read.response.kind === "success" || read.response.kind === "refused")) {
      const content = conversationView(read) === undefined ? "" : " and a conversation";
      const message = `reading a deleted conversation returned ${read.response.status}${content}`;
      reporter.notes(read, `${call.interface}/read-after-delete`, message);
    }
  }
}
