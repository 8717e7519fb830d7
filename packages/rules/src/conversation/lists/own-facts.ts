import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { idMember, member } from "@assay/reading";
import { existedDuring, ownConversations, spanOf } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { normalizeSecret } from "../engine/normalize-secret.ts";
import { progressIn } from "../engine/progress.ts";
import { userOf } from "../engine/users.ts";

/** The value of one member of a legacy conversation in the newest response before a given time. */
function memberBefore({ calls }: OwnConversation, key: string, atMicros: number): string | undefined {
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
 * The read token that a list requests, in the same form as in `tokensOf`. Undefined if there is no token or it cannot
 * be compared.
 */
export const requestedToken = ({ request }: ConversationCall): string | undefined =>
  normalizeSecret(request.parameters.get("filter_read_token") ?? "");

/** Every read token that responses show for a conversation. More than one means that the service is faulty. */
export const tokensOf = ({ calls }: OwnConversation): ReadonlySet<string> =>
  new Set(
    calls.flatMap((call) => {
      const token = call.interface === "legacy" ? member(conversationView(call)?.json, "read_token") : undefined;
      return typeof token === "string" ? (normalizeSecret(token) ?? []) : [];
    }),
  );

/** Conversations that the user of a call created through the same interface and that existed during the whole call. */
export const ownDuring = (evidence: ConversationEvidence, call: ConversationCall): readonly OwnConversation[] =>
  ownConversations(evidence).filter(
    (ownConversation) =>
      ownConversation.interface === call.interface &&
      ownConversation.user === userOf(call.record.credential) &&
      existedDuring(ownConversation, spanOf(call)),
  );

/**
 * Reports whether a list must contain a conversation: an earlier read shows that its questions have ended. The
 * specification does not say how soon a list contains a new conversation, and a replica may lag. Source:
 * conversation-api, sections 1 and 4.1.
 */
export const isDueInList = ({ calls }: OwnConversation, { record, interface: name }: ConversationCall): boolean =>
  calls.some(
    (call) =>
      call.operation === "get" &&
      call.interface === name &&
      call.record.times.endedAtMicros <= record.times.sentAtMicros &&
      progressIn(call) === "finished",
  );

/** The service's id for the owner of a conversation. */
export const ownerIdOf = (ownConversation: OwnConversation, call: ConversationCall): string | undefined =>
  memberBefore(ownConversation, "user_id", call.record.times.sentAtMicros);

/**
 * The conversations with the requested read token that existed during the whole call. More than one means that the
 * service is faulty.
 */
export function holdersOfToken(evidence: ConversationEvidence, call: ConversationCall): readonly OwnConversation[] {
  const token = requestedToken(call);
  return ownConversations(evidence).filter(
    (ownConversation) =>
      token !== undefined &&
      ownConversation.interface === "legacy" &&
      normalizeSecret(memberBefore(ownConversation, "read_token", call.record.times.sentAtMicros) ?? "") === token &&
      existedDuring(ownConversation, spanOf(call)),
  );
}

/** The conversation with the requested read token, created by any user. Undefined if several have this token. */
export function conversationOfToken(
  evidence: ConversationEvidence,
  call: ConversationCall,
): OwnConversation | undefined {
  const [ownConversation, ...others] = holdersOfToken(evidence, call);
  return others.length === 0 ? ownConversation : undefined;
}
