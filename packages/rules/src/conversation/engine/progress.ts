import { mayHaveTakenEffect } from "./conversation-call.ts";
import type { ConversationCall } from "./conversation-call.ts";
import { conversationView } from "./conversation-view.ts";
import type { ConversationView } from "@assay/reading";

/** The calls for one conversation, sorted by sending time. */
interface Called {
  readonly calls: readonly ConversationCall[];
}

/**
 * Progress of a conversation. `processing`: some part of it is still processing. `finished`: all of it has ended,
 * successfully or not.
 */
export type Progress = "processing" | "finished";

const running: ReadonlySet<string> = new Set(["pending", "processing"]);

const progressOfStates = (states: readonly (string | undefined)[]): Progress | undefined => {
  if (states.some((state) => state !== undefined && running.has(state))) {
    return "processing";
  }
  return states.length > 0 && states.every((state) => state !== undefined) ? "finished" : undefined;
};

/** The progress of the conversation in a response, or of one legacy question in it. */
export function progressIn(call: ConversationCall, questionId?: string): Progress | undefined {
  const view = conversationView(call);
  if (view === undefined) {
    return undefined;
  }
  return progressOfStates(call.interface === "current" ? [view.state] : statusesOf(view, questionId));
}

const statusesOf = ({ questions }: ConversationView, questionId: string | undefined): readonly (string | undefined)[] =>
  questions.filter(({ id }) => questionId === undefined || id === questionId).map(({ status }) => status);

/** The newest response, among those that ended by `atMicros`, that shows the progress of the conversation. */
export function findLastProgress(
  { calls }: Called,
  atMicros: number,
  questionId?: string,
): { readonly call: ConversationCall; readonly progress: Progress } | undefined {
  for (const call of calls.toReversed()) {
    const progress = call.record.times.endedAtMicros <= atMicros ? progressIn(call, questionId) : undefined;
    if (progress !== undefined) {
      return { call, progress };
    }
  }
  return undefined;
}

const writes: ReadonlySet<string> = new Set(["create", "follow-up", "cancel", "delete"]);

/** The time after which a write can no longer take effect. Infinite for a write without a successful response. */
const settledAtMicros = ({ response, record }: ConversationCall): number =>
  response.kind === "success" ? record.times.endedAtMicros : Number.POSITIVE_INFINITY;

/** Reports whether any request may have changed the shown state until `toMicros`. */
const mayHaveChanged = (
  { calls }: Called,
  shown: ConversationCall,
  { toMicros, but }: { readonly toMicros: number; readonly but: ConversationCall | undefined },
): boolean =>
  calls.some(
    (call) =>
      call !== shown &&
      call !== but &&
      writes.has(call.operation) &&
      mayHaveTakenEffect(call) &&
      call.record.times.sentAtMicros <= toMicros &&
      settledAtMicros(call) > shown.record.times.sentAtMicros,
  );

/**
 * The progress of a conversation, or of the question that a call addresses, at the time of the call. Undefined unless
 * the newest earlier response shows it and no other request could have changed it before the call ended.
 */
export function progressBefore(ownConversation: Called, call: ConversationCall): Progress | undefined {
  const { sentAtMicros, endedAtMicros } = call.record.times;
  const last = findLastProgress(ownConversation, sentAtMicros, call.request.questionId);
  return last === undefined || mayHaveChanged(ownConversation, last.call, { toMicros: endedAtMicros, but: call })
    ? undefined
    : last.progress;
}

/** Reports whether a conversation is known not to have changed during a period. */
export function isUnchangedDuring(
  ownConversation: Called,
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  const last = findLastProgress(ownConversation, from);
  return last?.progress === "finished" && !mayHaveChanged(ownConversation, last.call, { toMicros: to, but: undefined });
}
