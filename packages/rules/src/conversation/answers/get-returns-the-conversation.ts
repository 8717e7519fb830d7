import { bodyForm } from "../engine/body-form.ts";
import type { ConversationCall, ConversationInterface } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { ownConversation } from "../engine/own-conversations.ts";
import { isMissing, judgeRefusal } from "../engine/refusal.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import type { Witness } from "../engine/witness.ts";

/**
 * Who created a conversation gets it for as long as it was not deleted. Which conversation comes is left to the rule about
 * its identity. Source: conversation-api, sections 4.1 and 4.2.
 */
export const getReturnsTheConversation = (name: ConversationInterface): ConversationRule =>
  defineWitnessedRule({
    id: `${name}/get-returns-the-conversation`,
    check(evidence, witness) {
      for (const call of evidence.calls) {
        const isRead = call.interface === name && call.operation === "get";
        if (isRead && ownConversation(evidence, call) !== undefined) {
          judgeRead(evidence, witness, call);
        }
      }
    },
  });

function judgeRead(evidence: ConversationEvidence, witness: Witness, call: ConversationCall): void {
  const subject = call.asked.conversation ?? "";
  if (isMissing(call)) {
    witness.lacks(call, subject);
  }
  judgeRefusal(evidence, witness, { call, what: "getting a conversation that was created and not deleted", subject });
  if (call.answer.kind !== "success") {
    return;
  }
  if (conversationView(call) === undefined) {
    witness.breaks(call, `getting a conversation was answered with ${bodyForm(call) ?? "nothing"}`, subject);
  } else {
    witness.holds(call, subject);
  }
}
