import { bodyForm } from "../engine/body-form.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { inBothInterfaces } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { ownConversation } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { isMissing, judgeRefusal } from "../engine/refusal.ts";
import { userOf } from "../engine/users.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import type { Witness } from "../engine/witness.ts";

/**
 * Who created a conversation can delete it. What a read finds afterwards is not documented. Source: conversation-api,
 * sections 1, 4.1 and 4.2.
 */
export const deleteIsAccepted = inBothInterfaces((name) =>
  defineWitnessedRule({
    id: `${name}/delete-is-accepted`,
    check(evidence, witness) {
      for (const call of evidence.calls) {
        const isDeletion = call.interface === name && call.operation === "delete";
        const own = isDeletion ? ownConversation(evidence, call) : undefined;
        if (own !== undefined) {
          judgeDeletion(evidence, witness, { call, own });
        }
      }
    },
  }),
);

interface Deleting {
  readonly call: ConversationCall;
  readonly own: OwnConversation;
}

function judgeDeletion(evidence: ConversationEvidence, witness: Witness, { call, own }: Deleting): void {
  const subject = own.conversation;
  if (isMissing(call)) {
    witness.lacks(call, subject);
  }
  judgeRefusal(evidence, witness, { call, what: "deleting a conversation that was created and not deleted", subject });
  if (call.answer.kind === "success") {
    witness.holds(call, subject);
    witness.notes(call, `${call.interface}/delete-body`, `a deletion was answered with ${bodyForm(call) ?? "nothing"}`);
    noteLaterReads(witness, { call, own });
  }
}

function noteLaterReads(witness: Witness, { call, own }: Deleting): void {
  for (const read of own.calls) {
    const isLater =
      read.operation === "get" &&
      read.interface === call.interface &&
      userOf(read.record.credential) === own.user &&
      read.record.times.sentAtMicros >= call.record.times.endedAtMicros;
    if (isLater && (read.answer.kind === "success" || read.answer.kind === "refused")) {
      const what = conversationView(read) === undefined ? "" : " and a conversation";
      const message = `getting a deleted conversation was answered with ${read.answer.status}${what}`;
      witness.notes(read, `${call.interface}/read-after-delete`, message);
    }
  }
}
