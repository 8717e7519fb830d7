import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { isFinishedCurrent, isFinishedLegacy, findLinkedConversations } from "./linked-conversations.ts";
import type { LinkedConversation, ConversationRead } from "./linked-conversations.ts";

/** A conversation that ended in one interface and was still processing in the other after the maximum wait. */
export interface LateConversation {
  readonly legacyId: string;
  readonly finishedRead: ConversationRead;
  readonly lateRead: ConversationRead;
}

/** Reports whether a read was sent after the maximum wait for a question. */
const isLateRead = ({ call }: ConversationRead): boolean => call.record.probe === "migration-late";

const unfinishedStates: ReadonlySet<string> = new Set(["pending", "processing"]);

const isUnfinished = ({ view: { state, questions } }: ConversationRead): boolean =>
  unfinishedStates.has(state ?? questions.at(-1)?.status ?? "");

/** Finds late conversations. Skips those that a cancellation may have ended. */
export const findLateConversations = (evidence: ConversationEvidence): readonly LateConversation[] =>
  findLinkedConversations(evidence).flatMap(findLateReads);

function findLateReads({
  legacyId,
  legacyReads,
  currentReads,
  isCancelled,
}: LinkedConversation): readonly LateConversation[] {
  return [
    ...findPair(legacyId, legacyReads.filter(isFinishedLegacy), currentReads),
    ...findPair(legacyId, currentReads.filter(isFinishedCurrent), legacyReads),
  ].filter(({ finishedRead, lateRead }) => !isCancelled(finishedRead) && !isCancelled(lateRead));
}

/**
 * Finds a late read and an earlier finished read. Both must have the same number of questions, because a later one may
 * be processing.
 */
function findPair(
  legacyId: string,
  finishedReads: readonly ConversationRead[],
  otherReads: readonly ConversationRead[],
): readonly LateConversation[] {
  const lateRead = otherReads.findLast((read) => isLateRead(read) && isUnfinished(read));
  const finishedRead = finishedReads.find(
    ({ call, view }) =>
      lateRead !== undefined &&
      call.record.times.endedAtMicros <= lateRead.call.record.times.sentAtMicros &&
      view.questions.length === lateRead.view.questions.length,
  );
  return lateRead === undefined || finishedRead === undefined ? [] : [{ legacyId, finishedRead, lateRead }];
}
