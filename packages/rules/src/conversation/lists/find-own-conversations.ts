import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { idMember, member } from "@assay/reading";
import { existedDuring, findCreatedConversations, spanOf } from "../engine/created-conversations.ts";
import type { CreatedConversation } from "../engine/created-conversations.ts";
import { normalizeSecret } from "../engine/normalize-secret.ts";
import { progressIn } from "../engine/progress.ts";
import { userOf } from "../engine/users.ts";

/** Returns the value of one member of a legacy conversation in the newest response before a given time. */
function findMemberBefore({ calls }: CreatedConversation, key: string, atMicros: number): string | undefined {
  for (const call of calls.toReversed()) {
    const isBefore = call.interface === "legacy" && call.record.times.endedAtMicros <= atMicros;
    const id = isBefore ? idMember(conversationView(call)?.json, key) : undefined;
    if (id !== undefined) {
      return id;
    }
  }
  return undefined;
}

/**
 * Returns the read token that a list requests, in the same form as in `collectReadTokens`. It returns undefined if
 * there is no token or it cannot be compared.
 */
export const requestedToken = ({ request }: ConversationCall): string | undefined =>
  normalizeSecret(request.parameters.get("filter_read_token") ?? "");

/** Returns every read token that responses show for a conversation. More than one means that the service is faulty. */
export const collectReadTokens = ({ calls }: CreatedConversation): ReadonlySet<string> =>
  new Set(
    calls.flatMap((call) => {
      const token = call.interface === "legacy" ? member(conversationView(call)?.json, "read_token") : undefined;
      return typeof token === "string" ? (normalizeSecret(token) ?? []) : [];
    }),
  );

/**
 * Returns the conversations that the user of a call created through the same interface and that existed during the
 * whole call.
 */
export const findOwnConversationsDuring = (
  evidence: ConversationEvidence,
  call: ConversationCall,
): readonly CreatedConversation[] =>
  findCreatedConversations(evidence).filter(
    (conversation) =>
      conversation.interface === call.interface &&
      conversation.user === userOf(call.record.credential) &&
      existedDuring(conversation, spanOf(call)),
  );

/**
 * Reports whether a list must contain a conversation: an earlier read shows that its questions have ended. The
 * specification does not say how soon a list contains a new conversation, and a replica may lag. Source:
 * conversation-api, sections 1 and 4.1.
 */
export const mustBeListed = (
  { calls }: CreatedConversation,
  { record, interface: interfaceName }: ConversationCall,
): boolean =>
  calls.some(
    (call) =>
      call.operation === "get" &&
      call.interface === interfaceName &&
      call.record.times.endedAtMicros <= record.times.sentAtMicros &&
      progressIn(call) === "finished",
  );

/** Returns the service's id for the owner of a conversation. */
export const findOwnerId = (conversation: CreatedConversation, call: ConversationCall): string | undefined =>
  findMemberBefore(conversation, "user_id", call.record.times.sentAtMicros);

/**
 * Returns the conversations with the requested read token that existed during the whole call. More than one means that
 * the service is faulty.
 */
export function findTokenHolders(
  evidence: ConversationEvidence,
  call: ConversationCall,
): readonly CreatedConversation[] {
  const token = requestedToken(call);
  return findCreatedConversations(evidence).filter(
    (conversation) =>
      token !== undefined &&
      conversation.interface === "legacy" &&
      normalizeSecret(findMemberBefore(conversation, "read_token", call.record.times.sentAtMicros) ?? "") === token &&
      existedDuring(conversation, spanOf(call)),
  );
}

/**
 * Returns the conversation with the requested read token, created by any user. It returns undefined if several have
 * this token.
 */
export function findConversationWithToken(
  evidence: ConversationEvidence,
  call: ConversationCall,
): CreatedConversation | undefined {
  const [conversation, ...others] = findTokenHolders(evidence, call);
  return others.length === 0 ? conversation : undefined;
}
