import { mayHaveTakenEffect } from "../engine/conversation-call.ts";
import type { ConversationCall } from "../engine/conversation-call.ts";
import { conversationView } from "../engine/conversation-view.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { hasEndedByItself } from "../engine/ended-by-itself.ts";
import { ownConversations } from "../engine/own-conversations.ts";
import type { OwnConversation } from "../engine/own-conversations.ts";
import { progressBefore } from "../engine/progress.ts";
import { isRefusedOrRedirected } from "../engine/refusal.ts";
import { isStale } from "../engine/stale-reads.ts";
import { hasFullAccess, userOf } from "../engine/users.ts";

/**
 * The effect of another user's write, as the owner reads it. `did` is a clause that describes it. `none` means that a
 * read shows no effect, `unknown` that no read shows it either way.
 */
export type WriteEffect = { readonly did: string } | "none" | "unknown";

interface Written {
  readonly call: ConversationCall;
  readonly ownConversation: OwnConversation;
}

/** Calls of the owner after the response to a write. */
const ownerCallsAfter = ({ call, ownConversation }: Written): readonly ConversationCall[] =>
  ownConversation.calls.filter(
    (other) =>
      other.interface === call.interface &&
      userOf(other.record.credential) === ownConversation.user &&
      other.record.times.sentAtMicros >= call.record.times.endedAtMicros,
  );

/**
 * Reports whether no other call could have had the same effect before a response. A refused call of the owner may still
 * have taken effect.
 */
const isOnlyCause = ({ call, ownConversation }: Written, read: ConversationCall): boolean =>
  !ownConversation.calls.some(
    (other) =>
      other !== call &&
      other !== read &&
      other.operation === call.operation &&
      (mayHaveTakenEffect(other) || userOf(other.record.credential) === ownConversation.user) &&
      other.record.times.sentAtMicros <= read.record.times.endedAtMicros,
  );

const isGone = ({ response }: ConversationCall): boolean =>
  response.kind === "refused" && (response.status === 404 || response.status === 410);

const hasQuestions = (read: ConversationCall): boolean => (conversationView(read)?.questions.length ?? 0) > 0;

function effectOfDeletion(write: Written): WriteEffect {
  const later = ownerCallsAfter(write).filter((read) => isOnlyCause(write, read));
  if (later.some((other) => (other.operation === "get" || other.operation === "delete") && isGone(other))) {
    return { did: "its owner no longer finds the conversation" };
  }
  return later.some((read) => read.operation === "get" && hasQuestions(read)) ? "none" : "unknown";
}

function effectOfQuestion(write: Written): WriteEffect {
  const { call, ownConversation } = write;
  const text = call.request.question?.trim();
  const isAsked = (other: ConversationCall): boolean =>
    other !== call && other.request.question?.trim() === text && mayHaveTakenEffect(other);
  const questionCount = ownConversation.calls.filter(isAsked).length;
  const reads = ownerCallsAfter(write).filter((read) => read.operation === "get" && hasQuestions(read));
  const times = (read: ConversationCall): number =>
    (conversationView(read)?.questions ?? []).filter((question) => question.text?.trim() === text).length;
  if (text !== undefined && reads.some((read) => times(read) > questionCount)) {
    return { did: "its owner reads the question in the conversation" };
  }
  return reads.some((read) => !isStale(ownConversation, read)) ? "none" : "unknown";
}

/**
 * Reports whether the interface accepted a cancellation by an owner and no refused cancellation by an owner took
 * effect.
 */
const refusalsHaveNoEffect = (evidence: ConversationEvidence, { interface: name }: ConversationCall): boolean =>
  evidence.calls.some(
    ({ interface: other, operation, response, record }) =>
      other === name && operation === "cancel" && response.kind === "success" && hasFullAccess(record.credential),
  ) &&
  !ownConversations(evidence).some(
    (ownConversation) => ownConversation.interface === name && isCancelledByRefused(evidence, ownConversation),
  );

/**
 * Reports whether only the owner tried to cancel a conversation in time, was refused every time, and reads it as
 * cancelled.
 */
function isCancelledByRefused(evidence: ConversationEvidence, ownConversation: OwnConversation): boolean {
  const cancels = ownConversation.calls.filter(({ operation }) => operation === "cancel");
  const isRefused = ({ response, record }: ConversationCall): boolean =>
    response.kind === "refused" && userOf(record.credential) === ownConversation.user;
  return (
    cancels.length > 0 &&
    cancels.every((call) => isRefused(call)) &&
    cancels.some((call) => progressBefore(ownConversation, call) === "processing") &&
    ownConversation.calls.some(
      (read) => read.operation === "get" && hasEndedByItself(evidence, read, cancels[0]?.request.questionId) === false,
    )
  );
}

/**
 * Reports whether no other call could have cancelled the question before a read. If the owner's own later cancellation
 * is refused, the question had ended. It is ignored if the interface refuses cancellations without effect.
 */
function isOnlyCancellation(
  evidence: ConversationEvidence,
  { call, ownConversation }: Written,
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
    ? ownConversation.calls.filter((other) => !isRefusedLater(other))
    : ownConversation.calls;
  return isOnlyCause({ call, ownConversation: { ...ownConversation, calls } }, read);
}

function effectOfCancellation(evidence: ConversationEvidence, write: Written): WriteEffect {
  const { call, ownConversation } = write;
  const reads = ownerCallsAfter(write).filter(
    (read) =>
      read.operation === "get" &&
      hasQuestions(read) &&
      isOnlyCancellation(evidence, write, read) &&
      !isStale(ownConversation, read),
  );
  const ends = reads.flatMap((read) => hasEndedByItself(evidence, read, call.request.questionId) ?? []);
  if (ends.includes(false)) {
    return { did: "its owner reads a question that ended without an answer" };
  }
  return ends.length > 0 ? "none" : "unknown";
}

/** The effect of another user's write, as the owner of the conversation reads it later. */
export function effectOfWrite(evidence: ConversationEvidence, write: Written): WriteEffect {
  switch (write.call.operation) {
    case "delete":
      return effectOfDeletion(write);
    case "follow-up":
      return effectOfQuestion(write);
    case "cancel":
      return effectOfCancellation(evidence, write);
    case "create":
    case "get":
    case "list":
      return "unknown";
  }
}
