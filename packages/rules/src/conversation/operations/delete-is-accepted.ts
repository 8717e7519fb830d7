import { describeBody } from "../engine/describe-body.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { inBothInterfaces } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { findOwnConversation } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { isResponseMissing, judgeRefusal } from "../engine/refusal.ts";
import { userOf } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";

/**
 * The creator of a conversation can delete it. The response to later reads is unspecified. Source: conversation-api,
 * sections 1, 4.1 and 4.2.
 */
export const deleteIsAccepted = inBothInterfaces((name) =>
  defineCallRule({
    id: `${name}/delete-is-accepted`,
    check(evidence, reporter) {
      for (const call of evidence.calls) {
        const isDeletion = call.interface === name && call.operation === "delete";
        const ownConversation = isDeletion ? findOwnConversation(evidence, call) : undefined;
        if (ownConversation !== undefined) {
          judgeDeletion(evidence, reporter, { call, ownConversation });
        }
      }
    },
  }),
);

interface Deleting {
  readonly call: ConversationCall;
  readonly ownConversation: OwnConversation;
}

function judgeDeletion(
  evidence: ConversationEvidence,
  reporter: CallReporter,
  { call, ownConversation }: Deleting,
): void {
  const subject = ownConversation.id;
  if (isResponseMissing(call)) {
    reporter.misses(call, subject);
  }
  judgeRefusal(evidence, reporter, {
    call,
    description: "deleting a conversation that was created and not deleted",
    subject,
  });
  if (call.response.kind === "success") {
    reporter.passes(call, subject);
    reporter.notes(
      call,
      `${call.interface}/delete-body`,
      `a deletion was answered with ${describeBody(call) ?? "nothing"}`,
    );
    noteLaterReads(reporter, { call, ownConversation });
  }
}

function noteLaterReads(reporter: CallReporter, { call, ownConversation }: Deleting): void {
  for (const read of ownConversation.calls) {
    const isLater =
      read.operation === "get" &&
      read.interface === call.interface &&
      userOf(read.record.credential) === ownConversation.user &&
      read.record.times.sentAtMicros >= call.record.times.endedAtMicros;
    if (isLater && (read.response.kind === "success" || read.response.kind === "refused")) {
      const content = conversationView(read) === undefined ? "" : " and a conversation";
      const message = `getting a deleted conversation was answered with ${read.response.status}${content}`;
      reporter.notes(read, `${call.interface}/read-after-delete`, message);
    }
  }
}
