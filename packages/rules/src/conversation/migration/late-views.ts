import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { isFinishedCurrent, isFinishedLegacy, linkedConversations } from "./linked-conversations.ts";
import type { LinkedConversation, ConversationRead } from "./linked-conversations.ts";

/** A conversation that had ended in one interface and was still processing in the other after the maximum wait. */
export interface LateView {
  readonly conversation: string;
  readonly ended: ConversationRead;
  readonly late: ConversationRead;
}

/** The probe that reads after the maximum wait for a question. */
const isLateRead = ({ call }: ConversationRead): boolean => call.record.probe === "migration-late";

const running: ReadonlySet<string> = new Set(["pending", "processing"]);

const isRunning = ({ view: { state, questions } }: ConversationRead): boolean =>
  running.has(state ?? questions.at(-1)?.status ?? "");

/** Such conversations, except those that a cancellation may have ended. */
export const lateViews = (evidence: ConversationEvidence): readonly LateView[] =>
  linkedConversations(evidence).flatMap(lateViewsOf);

function lateViewsOf({ conversation, legacy, current, isCancelled }: LinkedConversation): readonly LateView[] {
  return [
    ...pairOf(conversation, legacy.filter(isFinishedLegacy), current),
    ...pairOf(conversation, current.filter(isFinishedCurrent), legacy),
  ].filter(({ ended, late }) => !isCancelled(ended) && !isCancelled(late));
}

/** With the same number of questions: one that was asked in between may be processing. */
function pairOf(
  conversation: string,
  finished: readonly ConversationRead[],
  others: readonly ConversationRead[],
): readonly LateView[] {
  const late = others.findLast((showing) => isLateRead(showing) && isRunning(showing));
  const ended = finished.find(
    ({ call, view }) =>
      late !== undefined &&
      call.record.times.endedAtMicros <= late.call.record.times.sentAtMicros &&
      view.questions.length === late.view.questions.length,
  );
  return late === undefined || ended === undefined ? [] : [{ conversation, ended, late }];
}
