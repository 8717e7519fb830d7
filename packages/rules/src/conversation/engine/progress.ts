import { mayHaveTakenEffect } from "./conversation-call.ts";
import type { ConversationCall } from "./conversation-call.ts";
import type { TimeSpan } from "./time-span.ts";
import { conversationView } from "./conversation-view.ts";
import type { ConversationView } from "@assay/reading";

/** The calls for one conversation, sorted by sending time. */
interface ConversationCalls {
  readonly calls: readonly ConversationCall[];
}

/**
 * Progress of a conversation. `processing`: some part of it is still processing. `finished`: all of it has ended,
 * successfully or not.
 */
export type Progress = "processing" | "finished";

const unfinishedStates: ReadonlySet<string> = new Set(["pending", "processing"]);

const combineStates = (states: readonly (string | undefined)[]): Progress | undefined => {
  if (states.some((state) => state !== undefined && unfinishedStates.has(state))) {
    return "processing";
  }
  return states.length > 0 && states.every((state) => state !== undefined) ? "finished" : undefined;
};

/** Returns the progress of the conversation in a response, or of one legacy question in it. */
export function progressIn(call: ConversationCall, questionId?: string): Progress | undefined {
  const view = conversationView(call);
  if (view === undefined) {
    return undefined;
  }
  return combineStates(call.interface === "current" ? [view.state] : selectStatuses(view, questionId));
}

const selectStatuses = (
  { questions }: ConversationView,
  questionId: string | undefined,
): readonly (string | undefined)[] =>
  questions.filter(({ id }) => questionId === undefined || id === questionId).map(({ status }) => status);

/** Returns the newest response, among those that ended by `atMicros`, that shows the progress of the conversation. */
export function findLastProgress(
  { calls }: ConversationCalls,
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

const writingOperations: ReadonlySet<string> = new Set(["create", "follow-up", "cancel", "delete"]);

/**
 * Returns the time after which a write can no longer take effect. Infinite for a write without a successful response.
 */
const lastEffectMicros = ({ response, record }: ConversationCall): number =>
  response.kind === "success" ? record.times.endedAtMicros : Number.POSITIVE_INFINITY;

/** Reports whether any request except `ignoredCall` may have changed the state shown by `read` until `toMicros`. */
const mayHaveChanged = (
  { calls }: ConversationCalls,
  read: ConversationCall,
  { toMicros, ignoredCall }: { readonly toMicros: number; readonly ignoredCall?: ConversationCall },
): boolean =>
  calls.some(
    (call) =>
      call !== read &&
      call !== ignoredCall &&
      writingOperations.has(call.operation) &&
      mayHaveTakenEffect(call) &&
      call.record.times.sentAtMicros <= toMicros &&
      lastEffectMicros(call) > read.record.times.sentAtMicros,
  );

/**
 * Returns the progress of a conversation, or of the question that a call addresses, at the time of the call. It returns
 * undefined unless the newest earlier response shows it and no other request could have changed it before the call
 * ended.
 */
export function progressBefore(conversation: ConversationCalls, call: ConversationCall): Progress | undefined {
  const { sentAtMicros, endedAtMicros } = call.record.times;
  const latestResponse = findLastProgress(conversation, sentAtMicros, call.request.questionId);
  return latestResponse === undefined ||
    mayHaveChanged(conversation, latestResponse.call, { toMicros: endedAtMicros, ignoredCall: call })
    ? undefined
    : latestResponse.progress;
}

/** Reports whether a conversation is known not to have changed during a period. */
export function isUnchangedDuring(conversation: ConversationCalls, { fromMicros, toMicros }: TimeSpan): boolean {
  const latestResponse = findLastProgress(conversation, fromMicros);
  return latestResponse?.progress === "finished" && !mayHaveChanged(conversation, latestResponse.call, { toMicros });
}
