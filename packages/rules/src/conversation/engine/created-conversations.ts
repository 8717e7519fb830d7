import { cachePerObject } from "../../engine/cache-per-object.ts";
import { mayHaveTakenEffect } from "./conversation-call.ts";
import type { ConversationCall, ConversationInterface } from "./conversation-call.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import type { TimeSpan } from "./time-span.ts";
import { userOf } from "./users.ts";

/** A conversation whose creation is in the evidence. */
export interface CreatedConversation {
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

/** Returns the conversations that the run created through either interface. Cached. */
export const findCreatedConversations = cachePerObject(
  (evidence: ConversationEvidence): readonly CreatedConversation[] => {
    const recordedConversations = [...evidence.conversationsOf("legacy"), ...evidence.conversationsOf("current")];
    const callsById = new Map<string, readonly ConversationCall[]>();
    for (const { id, calls } of recordedConversations) {
      callsById.set(id, [...(callsById.get(id) ?? []), ...calls]);
    }
    return recordedConversations.flatMap(({ id, create }) =>
      create === undefined
        ? []
        : [
            {
              id,
              interface: create.interface,
              user: userOf(create.record.credential),
              create,
              calls: (callsById.get(id) ?? []).toSorted(
                (left, right) => left.record.times.sentAtMicros - right.record.times.sentAtMicros,
              ),
            },
          ],
    );
  },
);

/**
 * Returns the deletions of a conversation that may have taken effect. Cached, because recordings may contain many
 * thousand reads.
 */
const findDeletions = cachePerObject((calls: readonly ConversationCall[]) =>
  calls.filter((call) => call.operation === "delete" && mayHaveTakenEffect(call)),
);

/**
 * Reports whether the conversation existed from one time to another: it was created before, and no deletion except
 * `ignoredCall` was sent until then.
 */
export function existedDuring(
  { create, calls }: CreatedConversation,
  { fromMicros, toMicros }: TimeSpan,
  ignoredCall?: ConversationCall,
): boolean {
  const wasSentBeforeEnd = (call: ConversationCall): boolean =>
    call !== ignoredCall && call.record.times.sentAtMicros < toMicros;
  return create.record.times.endedAtMicros <= fromMicros && !findDeletions(calls).some(wasSentBeforeEnd);
}

/** Returns the time from the sending of a call to its end. */
export const spanOf = ({ record }: ConversationCall): TimeSpan => ({
  fromMicros: record.times.sentAtMicros,
  toMicros: record.times.endedAtMicros,
});

const toKey = (interfaceName: ConversationInterface, id: string): string => `${interfaceName} ${id}`;

const indexByKey = cachePerObject(
  (evidence: ConversationEvidence): ReadonlyMap<string, CreatedConversation> =>
    new Map(
      findCreatedConversations(evidence).map(
        (conversation) => [toKey(conversation.interface, conversation.id), conversation] as const,
      ),
    ),
);

/**
 * Returns the conversation of a call [the requested one], if any user created it through the same interface and it
 * existed during the whole call.
 */
export function findExistingConversation(
  evidence: ConversationEvidence,
  call: ConversationCall,
  id = call.request.conversationId,
): CreatedConversation | undefined {
  const conversation = indexByKey(evidence).get(toKey(call.interface, id ?? ""));
  return conversation !== undefined && existedDuring(conversation, spanOf(call), call) ? conversation : undefined;
}

/** Returns the conversation of a call, if the user of the call created it and it existed during the whole call. */
export function findOwnConversation(
  evidence: ConversationEvidence,
  call: ConversationCall,
): CreatedConversation | undefined {
  const conversation = findExistingConversation(evidence, call);
  return conversation?.user === userOf(call.record.credential) ? conversation : undefined;
}
