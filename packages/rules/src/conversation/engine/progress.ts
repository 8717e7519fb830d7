import { mayHaveHappened } from "./conversation-call.ts";
import type { ConversationCall } from "./conversation-call.ts";
import { conversationView } from "./conversation-view.ts";
import type { ConversationView } from "@assay/reading";

/** The calls that name a conversation, in order of sending. */
interface Called {
  readonly calls: readonly ConversationCall[];
}

/** Progress of a conversation: `processing` if any part of it is, `finished` if all of it has ended in any way. */
export type Progress = "processing" | "finished";

const running: ReadonlySet<string> = new Set(["pending", "processing"]);

const ofStates = (states: readonly (string | undefined)[]): Progress | undefined => {
  if (states.some((state) => state !== undefined && running.has(state))) {
    return "processing";
  }
  return states.length > 0 && states.every((state) => state !== undefined) ? "finished" : undefined;
};

/** Progress of the conversation in a response, or of one legacy question in it. */
export function shownProgress(call: ConversationCall, questionId?: string): Progress | undefined {
  const view = conversationView(call);
  if (view === undefined) {
    return undefined;
  }
  return ofStates(call.interface === "current" ? [view.state] : statusesOf(view, questionId));
}

const statusesOf = ({ questions }: ConversationView, questionId: string | undefined): readonly (string | undefined)[] =>
  questions.filter(({ id }) => questionId === undefined || id === questionId).map(({ status }) => status);

/** The newest response with the progress of a conversation that ended by `atMicros`. */
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

/** When a write was certainly over. One without a successful response may take effect at any later time. */
const overAt = ({ answer, record }: ConversationCall): number =>
  answer.kind === "success" ? record.times.endedAtMicros : Number.POSITIVE_INFINITY;

/** Whether anything may have changed the shown state until `toMicros`. */
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
 * Known progress of a conversation, or of the question of a call, when that call is sent: the newest earlier response
 * shows it, and no other request could have changed it until the call was over.
 */
export function progressBefore(own: Called, call: ConversationCall): Progress | undefined {
  const { sentAtMicros, endedAtMicros } = call.record.times;
  const last = lastShowing(own, sentAtMicros, call.asked.questionId);
  return last === undefined || isOvertaken(own, last.call, { toMicros: endedAtMicros, but: call })
    ? undefined
    : last.progress;
}

/** Whether a conversation certainly did not change from one time to the other. */
export function isSettledDuring(own: Called, { from, to }: { readonly from: number; readonly to: number }): boolean {
  const last = lastShowing(own, from);
  return last?.progress === "finished" && !isOvertaken(own, last.call, { toMicros: to, but: undefined });
}
