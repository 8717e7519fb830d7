import { effectOfWrite } from "./effect-of-write.ts";
import type { WriteEffect } from "./effect-of-write.ts";
import { otherUserMissing } from "./other-users-conversation-is-hidden.ts";
import { isInUse, couldSucceed, callKey, workingCallKeys } from "./same-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { inBothInterfaces } from "../engine/conversation-rule.ts";
import { existingConversation } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { isBroken, isRefusedOrRedirected } from "../engine/refusal.ts";
import { isOfMainUser } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import { acceptedTokenMissing } from "../../engine/reporter.ts";

const writes: ReadonlySet<string> = new Set(["follow-up", "cancel", "delete"]);

/**
 * A second user cannot change or remove a conversation. The status of the response is unspecified, so the owner's later
 * reads decide. Source: conversation-api, section 5.
 */
export const otherUserMayNotWrite = inBothInterfaces((name) =>
  defineCallRule({
    id: `${name}/other-user-may-not-write`,
    check(evidence, reporter) {
      const workingKeys = workingCallKeys(evidence);
      const foreignWrites = evidence.calls.flatMap((call) => {
        const ownConversation = call.interface === name ? targetOfOtherUser(evidence, call) : undefined;
        return ownConversation === undefined ? [] : [{ call, ownConversation }];
      });
      if (foreignWrites.length === 0 && isInUse(evidence, name)) {
        reporter.needs(otherUserMissing);
      }
      for (const { call, ownConversation } of foreignWrites) {
        const isWorking = workingKeys.has(callKey(call)) && couldSucceed(evidence, call);
        judgeWrite(evidence, reporter, { call, isWorking, effect: effectOfWrite(evidence, { call, ownConversation }) });
      }
    },
  }),
);

/** The conversation of the main user that a second user tries to change, or undefined for other calls. */
function targetOfOtherUser(evidence: ConversationEvidence, call: ConversationCall): OwnConversation | undefined {
  const isWrite = writes.has(call.operation) && call.record.credential === "other-token" && call.request.isWellFormed;
  const ownConversation = isWrite ? existingConversation(evidence, call) : undefined;
  return ownConversation !== undefined && isOfMainUser(ownConversation.create.record.credential)
    ? ownConversation
    : undefined;
}

interface WriteByOther {
  readonly call: ConversationCall;
  /** Whether the same request by the owner is accepted. */
  readonly isWorking: boolean;
  readonly effect: WriteEffect;
}

function judgeWrite(
  evidence: ConversationEvidence,
  reporter: CallReporter,
  { call, isWorking, effect }: WriteByOther,
): void {
  const { response, operation } = call;
  if (typeof effect === "object" && "status" in response) {
    const message = `${operation} by a second user was answered with ${response.status}, and ${effect.did}`;
    reporter.fails(call, message, operation);
  } else if (response.kind === "success") {
    const message = `${operation} by a second user was answered with ${response.status}`;
    reporter.notes(call, `${call.interface}/write-by-other-user`, message);
    if (effect === "none") {
      reporter.passes(call, operation);
    } else {
      reporter.needs(`a later read by the owner of the conversation that shows what the ${operation} did`);
    }
  } else if (isBroken(call) || response.kind === "not-api") {
    reporter.misses(call, operation);
  } else if (isRefusedOrRedirected(call) && !isKnown(evidence, call)) {
    reporter.needs(acceptedTokenMissing);
  } else if (isWorking) {
    reporter.passes(call, operation);
  }
}

/** Reports whether the token of the second user was ever accepted. A wrong token is always refused. */
const isKnown = ({ calls }: ConversationEvidence, { interface: name, record }: ConversationCall): boolean =>
  calls.some(
    (other) =>
      other.interface === name && other.record.credential === record.credential && other.response.kind === "success",
  );
