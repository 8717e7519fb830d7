import { defineCallRule } from "../engine/call-rule.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import { findOwnConversation } from "../engine/created-conversations.ts";
import { hasFailed, isRefusedOrRedirected, isTokenSufficient } from "../engine/refusal.ts";
import { hasFullAccess } from "../engine/users.ts";

/** The id in the body of a follow-up must be the id in its path. Source: conversation-api, section 4.1. */
export const followUpIdMustMatch = defineCallRule({
  id: "legacy/follow-up-id-must-match",
  check(evidence, reporter) {
    for (const call of evidence.calls.filter(hasMismatchedIds)) {
      if (call.response.kind === "success") {
        const { bodyConversationId, conversationId } = call.request;
        const label = `conversation_id ${bodyConversationId} in a follow-up to conversation ${conversationId}`;
        reporter.fails(call, `\`${label}\` returned ${call.response.status}`);
      } else if (!hasFullAccess(call.record.credential) || findOwnConversation(evidence, call) === undefined) {
        continue;
      } else if (hasFailed(call)) {
        reporter.lacksResponse(call);
      } else if (!isRefusedOrRedirected(call) || isTokenSufficient(evidence, call)) {
        // A refusal is evidence only if the conversation exists and the caller owns it.
        reporter.passes(call);
      }
    }
  },
});

const hasMismatchedIds = ({ interface: interfaceName, operation, request }: ConversationCall): boolean =>
  interfaceName === "legacy" &&
  operation === "follow-up" &&
  request.conversationId !== undefined &&
  request.bodyConversationId !== undefined &&
  request.bodyConversationId !== request.conversationId &&
  !isSameNumber(request.bodyConversationId, request.conversationId);

const isDigits = (text: string): boolean => /^\d+$/u.test(text);

/** Reports whether two ids are the same number, however it is written. */
const isSameNumber = (left: string, right: string): boolean =>
  isDigits(left) && isDigits(right) ? BigInt(left) === BigInt(right) : Number(left) === Number(right);
