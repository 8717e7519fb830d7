import { otherUserMissing } from "./other-users-conversation-is-hidden.ts";
import { isInUse, isPossible, sameCall, workingCalls } from "./same-call.ts";
import type { ConversationCall, ConversationInterface } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { existingConversation } from "../engine/own-conversations.ts";
import { isBroken, isTurnedAway } from "../engine/refusal.ts";
import { isOfMainUser } from "../engine/users.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import type { Witness } from "../engine/witness.ts";
import { provenTokenMissing } from "../../engine/proven-token.ts";

const writes: ReadonlySet<string> = new Set(["follow-up", "cancel", "delete"]);

/** A second user changes nothing in a conversation: neither its questions nor that it is there. Source: conversation-api, section 5. */
export const otherUserMayNotWrite = (name: ConversationInterface): ConversationRule =>
  defineWitnessedRule({
    id: `${name}/other-user-may-not-write`,
    check(evidence, witness) {
      const works = workingCalls(evidence);
      const strange = evidence.calls.filter((call) => call.interface === name && isStrange(evidence, call));
      if (strange.length === 0 && isInUse(evidence, name)) {
        witness.needs(otherUserMissing);
      }
      for (const call of strange) {
        judgeWrite(evidence, witness, { call, isWorking: works.has(sameCall(call)) && isPossible(evidence, call) });
      }
    },
  });

/** Whether a second user asks for a change of what the main user created. */
function isStrange(evidence: ConversationEvidence, call: ConversationCall): boolean {
  const isWrite = writes.has(call.operation) && call.record.credential === "other-token" && call.asked.hasGoodForm;
  const own = isWrite ? existingConversation(evidence, call) : undefined;
  return own !== undefined && isOfMainUser(own.create.record.credential);
}

interface StrangeWrite {
  readonly call: ConversationCall;
  /** Whether the same is accepted of the user whose conversation it is. */
  readonly isWorking: boolean;
}

function judgeWrite(evidence: ConversationEvidence, witness: Witness, { call, isWorking }: StrangeWrite): void {
  const { answer, operation } = call;
  if (answer.kind === "success") {
    witness.breaks(call, `${operation} by a second user was answered with ${answer.status}`, operation);
  } else if (isBroken(call) || answer.kind === "elsewhere") {
    witness.lacks(call, operation);
  } else if (isTurnedAway(call) && !isKnown(evidence, call)) {
    witness.needs(provenTokenMissing);
  } else if (isWorking) {
    witness.holds(call, operation);
  }
}

/** Whether the token of the second user got anything at all: a wrong one is turned away, whatever it asks for. */
const isKnown = ({ calls }: ConversationEvidence, { interface: name, record }: ConversationCall): boolean =>
  calls.some(
    (other) =>
      other.interface === name && other.record.credential === record.credential && other.answer.kind === "success",
  );
