import { mayHaveTakenEffect } from "./conversation-call.ts";
import type { ConversationCall, ConversationInterface } from "./conversation-call.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import { userOf } from "./users.ts";

/** A conversation whose creation is in the evidence. */
export interface OwnConversation {
  readonly id: string;
  readonly interface: ConversationInterface;
  readonly user: string;
  readonly create: ConversationCall;
  /**
   * All calls of both interfaces for the conversation, sorted by sending time. Both interfaces show the same
   * conversations.
   */
  readonly calls: readonly ConversationCall[];
}

const known = new WeakMap<ConversationEvidence, readonly OwnConversation[]>();

/** The conversations that the run created through either interface. Cached. */
export function ownConversations(evidence: ConversationEvidence): readonly OwnConversation[] {
  const conversations = known.get(evidence) ?? collect(evidence);
  known.set(evidence, conversations);
  return conversations;
}

function collect(evidence: ConversationEvidence): readonly OwnConversation[] {
  const threads = [...evidence.threads("legacy"), ...evidence.threads("current")];
  const callsOf = new Map<string, readonly ConversationCall[]>();
  for (const { id, calls } of threads) {
    callsOf.set(id, [...(callsOf.get(id) ?? []), ...calls]);
  }
  return threads.flatMap(({ id, create }) =>
    create === undefined
      ? []
      : [
          {
            id,
            interface: create.interface,
            user: userOf(create.record.credential),
            create,
            calls: (callsOf.get(id) ?? []).toSorted(
              (left, right) => left.record.times.sentAtMicros - right.record.times.sentAtMicros,
            ),
          },
        ],
  );
}

const deletions = new WeakMap<readonly ConversationCall[], readonly ConversationCall[]>();

/**
 * Deletions of a conversation that may have taken effect. Cached, because recordings may contain many thousand reads.
 */
function deletionsIn(calls: readonly ConversationCall[]): readonly ConversationCall[] {
  const deletionCalls =
    deletions.get(calls) ?? calls.filter((call) => call.operation === "delete" && mayHaveTakenEffect(call));
  deletions.set(calls, deletionCalls);
  return deletionCalls;
}

/**
 * Reports whether the conversation existed from one time to another: it was created before, and no deletion except
 * `but` was sent until then.
 */
export function existedDuring(
  { create, calls }: OwnConversation,
  { from, to }: { readonly from: number; readonly to: number },
  but?: ConversationCall,
): boolean {
  const isBefore = (call: ConversationCall): boolean => call !== but && call.record.times.sentAtMicros < to;
  return create.record.times.endedAtMicros <= from && !deletionsIn(calls).some(isBefore);
}

/** The time from the sending of a call to its end. */
export const spanOf = ({ record }: ConversationCall): { readonly from: number; readonly to: number } => ({
  from: record.times.sentAtMicros,
  to: record.times.endedAtMicros,
});

const indexes = new WeakMap<ConversationEvidence, ReadonlyMap<string, OwnConversation>>();

const keyOf = (name: ConversationInterface, conversation: string): string => `${name} ${conversation}`;

function indexByKey(evidence: ConversationEvidence): ReadonlyMap<string, OwnConversation> {
  const index =
    indexes.get(evidence) ??
    new Map(
      ownConversations(evidence).map(
        (ownConversation) => [keyOf(ownConversation.interface, ownConversation.id), ownConversation] as const,
      ),
    );
  indexes.set(evidence, index);
  return index;
}

/**
 * The conversation of a call [the requested one], if any user created it through the same interface and it existed
 * during the whole call.
 */
export function existingConversation(
  evidence: ConversationEvidence,
  call: ConversationCall,
  id = call.request.conversationId,
): OwnConversation | undefined {
  const ownConversation = indexByKey(evidence).get(keyOf(call.interface, id ?? ""));
  return ownConversation !== undefined && existedDuring(ownConversation, spanOf(call), call)
    ? ownConversation
    : undefined;
}

/** Like `existingConversation`, but only if the user of the call created it. */
export function findOwnConversation(
  evidence: ConversationEvidence,
  call: ConversationCall,
): OwnConversation | undefined {
  const ownConversation = existingConversation(evidence, call);
  return ownConversation?.user === userOf(call.record.credential) ? ownConversation : undefined;
}
