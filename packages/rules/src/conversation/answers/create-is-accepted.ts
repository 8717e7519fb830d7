import { bodyForm } from "../engine/body-form.ts";
import type { ConversationCall, ConversationInterface } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { isMissing, judgeRefusal } from "../engine/refusal.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import type { Witness } from "../engine/witness.ts";
import { member } from "@assay/contract";

/** What names a conversation. */
const identifiers = { legacy: "id", current: "name" } as const;

/**
 * A question is taken with success and a conversation that has an identifier, in the legacy interface also that question. Source: conversation-api, sections 3.1, 3.2,
 * 4.1 and 4.2.
 */
export const createIsAccepted = (name: ConversationInterface): ConversationRule =>
  defineWitnessedRule({
    id: `${name}/create-is-accepted`,
    check(evidence, witness) {
      for (const call of evidence.calls) {
        if (call.interface === name && call.operation === "create" && call.asked.question !== undefined) {
          judgeCreation(evidence, witness, call);
        }
      }
    },
  });

function judgeCreation(evidence: ConversationEvidence, witness: Witness, call: ConversationCall): void {
  if (isMissing(call)) {
    witness.lacks(call);
  }
  judgeRefusal(evidence, witness, { call, what: "a creation with a question" });
  if (call.answer.kind !== "success") {
    return;
  }
  const identifier = identifiers[call.interface];
  if (member(conversationView(call)?.json, identifier) === undefined) {
    witness.breaks(call, `a creation was answered with ${describe(call)}, which has no \`${identifier}\``);
  } else if (call.interface === "legacy" && hasNoQuestion(call)) {
    witness.breaks(call, "a creation was answered with a conversation that has no question");
  } else {
    witness.holds(call);
  }
}

/** Whether the list of questions is there and empty; a missing one is told by the schema. */
const hasNoQuestion = (call: ConversationCall): boolean => {
  const questions = member(conversationView(call)?.json, "questions");
  return Array.isArray(questions) && questions.length === 0;
};

const describe = (call: ConversationCall): string =>
  call.answer.kind === "success" && conversationView(call) === undefined ? (bodyForm(call) ?? "nothing") : "an object";
