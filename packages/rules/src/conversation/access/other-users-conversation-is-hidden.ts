import { delivers, deliversText } from "./delivered.ts";
import { isInUse, sameCall, workingCalls } from "./same-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { inBothInterfaces } from "../engine/conversation-rule.ts";
import { existingConversation } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { hasProvenItself, isBroken, isRefusedOrRedirected } from "../engine/refusal.ts";
import { isOfMainUser } from "../engine/users.ts";
import { defineWitnessedRule } from "../engine/witness.ts";
import type { Witness } from "../engine/witness.ts";
import { acceptedTokenMissing } from "../../engine/reporter.ts";

/** What is missing where the second user asked for nothing. */
export const otherUserMissing = "a read by a second user (give its token in ASSAY_OTHER_TOKEN)";

/**
 * Whether the answer to the second user is one to a user that is known: a wrong token is turned away, whatever it asks for.
 * Where this one is, a success elsewhere has to show that it is a good one.
 */
export const isToKnownUser = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  !isRefusedOrRedirected(call) || hasProvenItself(evidence, call);

/**
 * The id of a conversation does not open it to somebody else. In the current interface, where its name may be repeated,
 * only the text of a question counts. Source: conversation-api, section 5.
 */
export const otherUsersConversationIsHidden = inBothInterfaces((name) =>
  defineWitnessedRule({
    id: `${name}/other-users-conversation-is-hidden`,
    check(evidence, witness) {
      const sent = evidence.calls.filter(
        (call) => call.interface === name && call.operation === "get" && call.record.credential === "other-token",
      );
      const strange = sent.flatMap((call) => {
        const own = existingConversation(evidence, call);
        return own !== undefined && isOfMainUser(own.create.record.credential) ? [{ call, own }] : [];
      });
      if (strange.length === 0 && isInUse(evidence, name)) {
        witness.needs(otherUserMissing);
      }
      strange.forEach((read) => judgeRead(evidence, witness, read));
    },
  }),
);

interface StrangeRead {
  readonly call: ConversationCall;
  readonly own: OwnConversation;
}

function judgeRead(evidence: ConversationEvidence, witness: Witness, { call, own }: StrangeRead): void {
  const isShown = call.interface === "legacy" ? delivers(call, own) : deliversText(call, own);
  if (isShown) {
    witness.breaks(call, `a second user got the conversation ${own.conversation} by its id`);
  } else if (isBroken(call) || call.answer.kind === "elsewhere") {
    witness.lacks(call);
  } else if (!isToKnownUser(evidence, call)) {
    witness.needs(acceptedTokenMissing);
  } else if (workingCalls(evidence).has(sameCall(call))) {
    witness.holds(call);
  }
}
