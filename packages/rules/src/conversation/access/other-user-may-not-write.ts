import { effectOfWrite } from "./effect-of-write.ts";
import type { WriteEffect } from "./effect-of-write.ts";
import { otherUserMissing } from "./other-users-conversation-is-hidden.ts";
import { isInUse, isPossible, sameCall, workingCalls } from "./same-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { inBothInterfaces } from "../engine/conversation-rule.ts";
import { existingConversation } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { isBroken, isRefusedOrRedirected } from "../engine/refusal.ts";
import { isOfMainUser } from "../engine/users.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import type { Witness } from "../engine/witness.ts";
import { acceptedTokenMissing } from "../../engine/reporter.ts";

const writes: ReadonlySet<string> = new Set(["follow-up", "cancel", "delete"]);

/**
 * A second user changes nothing in a conversation: neither its questions nor that it is there. With which status his request is
 * answered is unspecified: what the owner reads afterwards decides. Source: conversation-api, section 5.
 */
export const otherUserMayNotWrite = inBothInterfaces((name) =>
  defineWitnessedRule({
    id: `${name}/other-user-may-not-write`,
    check(evidence, witness) {
      const works = workingCalls(evidence);
      const strange = evidence.calls.flatMap((call) => {
        const own = call.interface === name ? strangersTarget(evidence, call) : undefined;
        return own === undefined ? [] : [{ call, own }];
      });
      if (strange.length === 0 && isInUse(evidence, name)) {
        witness.needs(otherUserMissing);
      }
      for (const { call, own } of strange) {
        const isWorking = works.has(sameCall(call)) && isPossible(evidence, call);
        judgeWrite(evidence, witness, { call, isWorking, effect: effectOfWrite(evidence, { call, own }) });
      }
    },
  }),
);

/** The conversation that a second user asks to change and the main user created; nothing for any other call. */
function strangersTarget(evidence: ConversationEvidence, call: ConversationCall): OwnConversation | undefined {
  const isWrite = writes.has(call.operation) && call.record.credential === "other-token" && call.asked.hasGoodForm;
  const own = isWrite ? existingConversation(evidence, call) : undefined;
  return own !== undefined && isOfMainUser(own.create.record.credential) ? own : undefined;
}

interface StrangeWrite {
  readonly call: ConversationCall;
  /** Whether the same is accepted of the user whose conversation it is. */
  readonly isWorking: boolean;
  readonly effect: WriteEffect;
}

function judgeWrite(evidence: ConversationEvidence, witness: Witness, { call, isWorking, effect }: StrangeWrite): void {
  const { answer, operation } = call;
  if (typeof effect === "object" && "status" in answer) {
    const message = `${operation} by a second user was answered with ${answer.status}, and ${effect.did}`;
    witness.breaks(call, message, operation);
  } else if (answer.kind === "success") {
    const message = `${operation} by a second user was answered with ${answer.status}`;
    witness.notes(call, `${call.interface}/write-by-other-user`, message);
    if (effect === "none") {
      witness.holds(call, operation);
    } else {
      witness.needs(`a later read by the owner of the conversation that shows what the ${operation} did`);
    }
  } else if (isBroken(call) || answer.kind === "elsewhere") {
    witness.lacks(call, operation);
  } else if (isRefusedOrRedirected(call) && !isKnown(evidence, call)) {
    witness.needs(acceptedTokenMissing);
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
