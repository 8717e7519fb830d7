import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { conversationView } from "../engine/conversation-view.ts";
import { idMember, member } from "@assay/reading";
import { livedThrough, ownConversations, spanOf } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { secretText } from "../engine/secret-text.ts";
import { shownProgress } from "../engine/progress.ts";
import { userOf } from "../engine/users.ts";

/** What the newest answer before a time says in one member of a legacy conversation. */
function saidBefore({ calls }: OwnConversation, key: string, atMicros: number): string | undefined {
  for (const call of calls.toReversed()) {
    const isBefore = call.interface === "legacy" && call.record.times.endedAtMicros <= atMicros;
    const id = isBefore ? idMember(conversationView(call)?.json, key) : undefined;
    if (id !== undefined) {
      return id;
    }
  }
  return undefined;
}

/** The read token that a list asks for, as `tokensOf` has it; undefined where it asks for none, or for one that cannot be told apart. */
export const askedToken = ({ asked }: ConversationCall): string | undefined =>
  secretText(asked.parameters.get("filter_read_token") ?? "");

/** Every read token that an answer tells of a conversation; one, unless the service is at fault. */
export const tokensOf = ({ calls }: OwnConversation): ReadonlySet<string> =>
  new Set(
    calls.flatMap((call) => {
      const token = call.interface === "legacy" ? member(conversationView(call)?.json, "read_token") : undefined;
      return typeof token === "string" ? (secretText(token) ?? []) : [];
    }),
  );

/** Legacy conversations that were there while a call was under way, created by its user. */
export const ownDuring = (evidence: ConversationEvidence, call: ConversationCall): readonly OwnConversation[] =>
  ownConversations(evidence).filter(
    (own) =>
      own.interface === call.interface &&
      own.user === userOf(call.record.credential) &&
      livedThrough(own, spanOf(call)),
  );

/**
 * Whether a list has to show a conversation: a read that was answered before it was sent shows that its questions have ended. How
 * soon a list shows one that was just created is unspecified, and a replica may lag. Source: conversation-api, sections 1 and 4.1.
 */
export const isDueInList = ({ calls }: OwnConversation, { record, interface: name }: ConversationCall): boolean =>
  calls.some(
    (call) =>
      call.operation === "get" &&
      call.interface === name &&
      call.record.times.endedAtMicros <= record.times.sentAtMicros &&
      shownProgress(call) === "finished",
  );

/** The number by which the service knows the owner of a conversation. */
export const ownerIdOf = (own: OwnConversation, call: ConversationCall): string | undefined =>
  saidBefore(own, "user_id", call.record.times.sentAtMicros);

/** The conversations that tell the read token which a list asks for, there all the while; one, unless the service is at fault. */
export function holdersOfToken(evidence: ConversationEvidence, call: ConversationCall): readonly OwnConversation[] {
  const token = askedToken(call);
  return ownConversations(evidence).filter(
    (own) =>
      token !== undefined &&
      own.interface === "legacy" &&
      secretText(saidBefore(own, "read_token", call.record.times.sentAtMicros) ?? "") === token &&
      livedThrough(own, spanOf(call)),
  );
}

/** The conversation whose read token a list asks for, by whomever it was created, if it is the only one with this token. */
export function conversationOfToken(
  evidence: ConversationEvidence,
  call: ConversationCall,
): OwnConversation | undefined {
  const [own, ...others] = holdersOfToken(evidence, call);
  return others.length === 0 ? own : undefined;
}
