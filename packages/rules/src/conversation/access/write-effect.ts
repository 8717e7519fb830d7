import { mayHaveTakenEffect } from "../engine/conversation-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import { conversationView } from "../engine/conversation-view.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { hasEndedWithoutCancellation } from "../engine/ended-without-cancellation.ts";
import { findCreatedConversations } from "../engine/created-conversations.ts";
import type { CreatedConversation } from "../engine/created-conversations.ts";
import { progressBefore } from "../engine/progress.ts";
import { isRefusedOrRedirected } from "../engine/refusal.ts";
import { isStale } from "../engine/stale-reads.ts";
import { hasFullAccess, userOf } from "../engine/users.ts";

/**
 * The effect of another user's write, as the owner reads it. `description` is a clause. `none` means that a read shows
 * no effect, `unknown` that no read shows it either way.
 */
export type WriteEffect = { readonly description: string } | "none" | "unknown";

interface WriteByOtherUser {
  readonly call: ConversationCall;
  readonly conversation: CreatedConversation;
}

/** Returns the calls of the owner after the response to a write. */
const ownerCallsAfter = ({ call, conversation }: WriteByOtherUser): readonly ConversationCall[] =>
  conversation.calls.filter(
    (other) =>
      other.interface === call.interface &&
      userOf(other.record.credential) === conversation.user &&
      other.record.times.sentAtMicros >= call.record.times.endedAtMicros,
  );

/**
 * Reports whether no other call could have had the same effect before a read ended. A refused call of the owner may
 * still have taken effect.
 */
const isOnlyCause = ({ call, conversation }: WriteByOtherUser, read: ConversationCall): boolean =>
  !conversation.calls.some(
    (other) =>
      other !== call &&
      other !== read &&
      other.operation === call.operation &&
      (mayHaveTakenEffect(other) || userOf(other.record.credential) === conversation.user) &&
      other.record.times.sentAtMicros <= read.record.times.endedAtMicros,
  );

const isGone = ({ response }: ConversationCall): boolean =>
  response.kind === "refused" && (response.status === 404 || response.status === 410);

const showsQuestions = (read: ConversationCall): boolean => (conversationView(read)?.questions.length ?? 0) > 0;

function findDeletionEffect(write: WriteByOtherUser): WriteEffect {
  const laterCalls = ownerCallsAfter(write).filter((read) => isOnlyCause(write, read));
  if (laterCalls.some((other) => (other.operation === "get" || other.operation === "delete") && isGone(other))) {
    return { description: "its owner no longer finds the conversation" };
  }
  return laterCalls.some((read) => read.operation === "get" && showsQuestions(read)) ? "none" : "unknown";
}

function findQuestionEffect(write: WriteByOtherUser): WriteEffect {
  const { call, conversation } = write;
  const text = call.request.question?.trim();
  const asksSameQuestion = (other: ConversationCall): boolean =>
    other !== call && other.request.question?.trim() === text && mayHaveTakenEffect(other);
  const askedCount = conversation.calls.filter(asksSameQuestion).length;
  const reads = ownerCallsAfter(write).filter((read) => read.operation === "get" && showsQuestions(read));
  const countInRead = (read: ConversationCall): number =>
    (conversationView(read)?.questions ?? []).filter((question) => question.text?.trim() === text).length;
  if (text !== undefined && reads.some((read) => countInRead(read) > askedCount)) {
    return { description: "its owner reads the question in the conversation" };
  }
  return reads.some((read) => !isStale(conversation, read)) ? "none" : "unknown";
}

/**
 * Reports whether the interface accepted a cancellation by an owner and no refused cancellation by an owner took
 * effect.
 */
const refusalsHaveNoEffect = (
  evidence: ConversationEvidence,
  { interface: interfaceName }: ConversationCall,
): boolean =>
  evidence.calls.some(
    ({ interface: otherName, operation, response, record }) =>
      otherName === interfaceName &&
      operation === "cancel" &&
      response.kind === "success" &&
      hasFullAccess(record.credential),
  ) &&
  !findCreatedConversations(evidence).some(
    (conversation) => conversation.interface === interfaceName && wasCancelledAlthoughRefused(evidence, conversation),
  );

/**
 * Reports whether only the owner tried to cancel a conversation in time, was refused every time, and reads it as
 * cancelled.
 */
function wasCancelledAlthoughRefused(evidence: ConversationEvidence, conversation: CreatedConversation): boolean {
  const cancellations = conversation.calls.filter(({ operation }) => operation === "cancel");
  const isRefused = ({ response, record }: ConversationCall): boolean =>
    response.kind === "refused" && userOf(record.credential) === conversation.user;
  return (
    cancellations.length > 0 &&
    cancellations.every((call) => isRefused(call)) &&
    cancellations.some((call) => progressBefore(conversation, call) === "processing") &&
    conversation.calls.some(
      (read) =>
        read.operation === "get" &&
        hasEndedWithoutCancellation(evidence, read, cancellations[0]?.request.questionId) === false,
    )
  );
}

/**
 * Reports whether no other call could have cancelled the question before a read. If the owner's own later cancellation
 * is refused, the question had ended. It is ignored if the interface refuses cancellations without effect.
 */
function isOnlyPossibleCancellation(
  evidence: ConversationEvidence,
  { call, conversation }: WriteByOtherUser,
  read: ConversationCall,
): boolean {
  const { endedAtMicros } = call.record.times;
  const isRefusedLater = (other: ConversationCall): boolean =>
    other.interface === call.interface &&
    other.operation === "cancel" &&
    other.record.times.sentAtMicros >= endedAtMicros &&
    other.response.kind === "refused" &&
    !isRefusedOrRedirected(other);
  const calls = refusalsHaveNoEffect(evidence, call)
    ? conversation.calls.filter((other) => !isRefusedLater(other))
    : conversation.calls;
  return isOnlyCause({ call, conversation: { ...conversation, calls } }, read);
}

function findCancellationEffect(evidence: ConversationEvidence, write: WriteByOtherUser): WriteEffect {
  const { call, conversation } = write;
  const reads = ownerCallsAfter(write).filter(
    (read) =>
      read.operation === "get" &&
      showsQuestions(read) &&
      isOnlyPossibleCancellation(evidence, write, read) &&
      !isStale(conversation, read),
  );
  const endings = reads.flatMap((read) => hasEndedWithoutCancellation(evidence, read, call.request.questionId) ?? []);
  if (endings.includes(false)) {
    return { description: "its owner reads a question that ended without an answer" };
  }
  return endings.length > 0 ? "none" : "unknown";
}

/** Finds the effect of another user's write in later reads by the owner of the conversation. */
export function findWriteEffect(evidence: ConversationEvidence, write: WriteByOtherUser): WriteEffect {
  switch (write.call.operation) {
    case "delete":
      return findDeletionEffect(write);
    case "follow-up":
      return findQuestionEffect(write);
    case "cancel":
      return findCancellationEffect(evidence, write);
    case "create":
    case "get":
    case "list":
      return "unknown";
  }
}
