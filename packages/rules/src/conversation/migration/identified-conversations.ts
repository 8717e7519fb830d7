import type { ConversationCall } from "../engine/conversation-call.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import type { ConversationInterface } from "../engine/conversation-operation.ts";
import type { RecordedConversation } from "../engine/recorded-conversations.ts";

/** A conversation of the run whose first question was asked in no other creation. */
export interface IdentifiedConversation {
  readonly id: string;
  /** The interface that created it. */
  readonly interface: ConversationInterface;
  readonly create: ConversationCall;
  readonly question: string;
  /** Sending time of the first deletion through either interface that was not refused. */
  readonly deletedAtMicros: number;
}

const interfaces = ["legacy", "current"] as const;

/**
 * Returns the conversations that the run created through either interface and that can be identified by their question.
 */
export function findIdentifiedConversations({
  calls,
  conversationsOf,
}: ConversationEvidence): readonly IdentifiedConversation[] {
  const textCounts = countCreationsByText(calls);
  const allConversations = interfaces.flatMap((interfaceName) => conversationsOf(interfaceName));
  const deletionTimes = new Map<string, number>();
  for (const { id, deletedAtMicros = Number.POSITIVE_INFINITY } of allConversations) {
    deletionTimes.set(id, Math.min(deletedAtMicros, deletionTimes.get(id) ?? Number.POSITIVE_INFINITY));
  }
  return allConversations.flatMap((recordedConversation) => {
    const conversation = identifyByQuestion(recordedConversation);
    const isIdentified = conversation !== undefined && textCounts.get(conversation.question) === 1;
    return isIdentified
      ? [{ ...conversation, deletedAtMicros: deletionTimes.get(recordedConversation.id) ?? Number.POSITIVE_INFINITY }]
      : [];
  });
}

function identifyByQuestion({
  id,
  create,
}: RecordedConversation): Omit<IdentifiedConversation, "deletedAtMicros"> | undefined {
  const question = create?.request.question;
  return create === undefined || question === undefined
    ? undefined
    : { id, interface: create.interface, create, question };
}

/** Counts the creations with each text, regardless of their result. */
function countCreationsByText(calls: readonly ConversationCall[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { operation, request } of calls) {
    if (operation === "create" && request.question !== undefined) {
      counts.set(request.question, (counts.get(request.question) ?? 0) + 1);
    }
  }
  return counts;
}
