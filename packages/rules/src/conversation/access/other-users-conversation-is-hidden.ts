import { containsConversation, containsQuestionText } from "./delivered.ts";
import { isInUse, callKey, workingCallKeys } from "./same-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { inBothInterfaces } from "../engine/conversation-rule.ts";
import { existingConversation } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { isSufficientByItself, isBroken, isRefusedOrRedirected } from "../engine/refusal.ts";
import { isOfMainUser } from "../engine/users.ts";
import { defineCallRule } from "../engine/call-rule.ts";
import type { CallReporter } from "../engine/call-rule.ts";
import { acceptedTokenMissing } from "../../engine/reporter.ts";

/** The missing prerequisite if the second user sent no request. */
export const otherUserMissing = "a read by a second user (set ASSAY_OTHER_TOKEN)";

/**
 * Reports whether the target knows the second user. A wrong token is always refused, so if this request is refused,
 * another success must show that the token is valid.
 */
export const isToKnownUser = (evidence: ConversationEvidence, call: ConversationCall): boolean =>
  !isRefusedOrRedirected(call) || isSufficientByItself(evidence, call);

/**
 * The id of a conversation does not give other users access. Responses of the current interface may repeat the name, so
 * only the text of a question is evidence there. Source: conversation-api, section 5.
 */
export const otherUsersConversationIsHidden = inBothInterfaces((name) =>
  defineCallRule({
    id: `${name}/other-users-conversation-is-hidden`,
    check(evidence, reporter) {
      const sent = evidence.calls.filter(
        (call) => call.interface === name && call.operation === "get" && call.record.credential === "other-token",
      );
      const foreignReads = sent.flatMap((call) => {
        const ownConversation = existingConversation(evidence, call);
        return ownConversation !== undefined && isOfMainUser(ownConversation.create.record.credential)
          ? [{ call, ownConversation }]
          : [];
      });
      if (foreignReads.length === 0 && isInUse(evidence, name)) {
        reporter.needs(otherUserMissing);
      }
      foreignReads.forEach((read) => judgeRead(evidence, reporter, read));
    },
  }),
);

interface ReadByOther {
  readonly call: ConversationCall;
  readonly ownConversation: OwnConversation;
}

function judgeRead(
  evidence: ConversationEvidence,
  reporter: CallReporter,
  { call, ownConversation }: ReadByOther,
): void {
  const isShown =
    call.interface === "legacy"
      ? containsConversation(call, ownConversation)
      : containsQuestionText(call, ownConversation);
  if (isShown) {
    reporter.fails(call, `a second user got conversation ${ownConversation.id} by its id`);
  } else if (isBroken(call) || call.response.kind === "not-api") {
    reporter.misses(call);
  } else if (!isToKnownUser(evidence, call)) {
    reporter.needs(acceptedTokenMissing);
  } else if (workingCallKeys(evidence).has(callKey(call))) {
    reporter.passes(call);
  }
}
