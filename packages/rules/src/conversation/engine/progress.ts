import { mayHaveHappened } from "./conversation-call.ts";
import type { ConversationCall } from "./conversation-call.ts";
import { conversationView } from "./conversation-view.ts";
import type { ConversationView } from "@assay/reading";

/** What is known of a conversation: the calls that name it, in the order of sending. */
interface Called {
  readonly calls: readonly ConversationCall[];
}

/** How far a conversation is: `processing` while any of it is, `finished` when all of it has ended in any way. */
export type Progress = "processing" | "finished";

const running: ReadonlySet<string> = new Set(["pending", "processing"]);

const ofStates = (states: readonly (string | undefined)[]): Progress | undefined => {
  if (states.some((state) => state !== undefined && running.has(state))) {
    return "processing";
  }
  return states.length > 0 && states.every((state) => state !== undefined) ? "finished" : undefined;
};

/** How far an answer shows a conversation to be, if it is one; of one legacy question, where that is named. */
export function shownProgress(call: ConversationCall, questionId?: string): Progress | undefined {
  const view = conversationView(call);
  if (view === undefined) {
    return undefined;
  }
  return ofStates(call.interface === "current" ? [view.state] : statusesOf(view, questionId));
}

const statusesOf = ({ questions }: ConversationView, questionId: string | undefined): readonly (string | undefined)[] =>
  questions.filter(({ id }) => questionId === undefined || id === questionId).map(({ status }) => status);

/** The newest answer that shows how far a conversation is and ended by `atMicros`. */
export function lastShowing(
  { calls }: Called,
  atMicros: number,
  questionId?: string,
): { readonly call: ConversationCall; readonly progress: Progress } | undefined {
  for (const call of calls.toReversed()) {
    const progress = call.record.times.endedAtMicros <= atMicros ? shownProgress(call, questionId) : undefined;
    if (progress !== undefined) {
      return { call, progress };
    }
  }
  return undefined;
}

const writes: ReadonlySet<string> = new Set(["create", "follow-up", "cancel", "delete"]);

/** When a write was over for certain; one whose answer did not come, or was no success, may happen at any later time. */
const overAt = ({ answer, record }: ConversationCall): number =>
  answer.kind === "success" ? record.times.endedAtMicros : Number.POSITIVE_INFINITY;

/** Whether anything else changed, or may have, what an answer shows until `toMicros`. */
const isOvertaken = (
  { calls }: Called,
  shown: ConversationCall,
  { toMicros, but }: { readonly toMicros: number; readonly but: ConversationCall | undefined },
): boolean =>
  calls.some(
    (call) =>
      call !== shown &&
      call !== but &&
      writes.has(call.operation) &&
      mayHaveHappened(call) &&
      call.record.times.sentAtMicros <= toMicros &&
      overAt(call) > shown.record.times.sentAtMicros,
  );

/**
 * How far a conversation, or the question that a call names, is known to be when that call is sent: what the newest answer
 * before shows, if nothing else was sent until the call was over that could have changed it.
 */
export function progressBefore(own: Called, call: ConversationCall): Progress | undefined {
  const { sentAtMicros, endedAtMicros } = call.record.times;
  const last = lastShowing(own, sentAtMicros, call.asked.questionId);
  return last === undefined || isOvertaken(own, last.call, { toMicros: endedAtMicros, but: call })
    ? undefined
    : last.progress;
}

/** Whether a conversation is known to have stayed as it is from one time to the other. */
export function isSettledDuring(own: Called, { from, to }: { readonly from: number; readonly to: number }): boolean {
  const last = lastShowing(own, from);
  return last?.progress === "finished" && !isOvertaken(own, last.call, { toMicros: to, but: undefined });
}
