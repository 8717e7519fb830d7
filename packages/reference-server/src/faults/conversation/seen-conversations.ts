import type { PayloadObject } from "../../service/payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import type { FaultRun } from "../fault-run.ts";
import { type CallContext, type InterfaceName, isSuccess, type JsonEdit, refusal } from "./call-effects.ts";
import { isFinished, listQuestions, editWhen } from "./conversation-parts.ts";

/** Increments a counter and returns it; the first call returns 1. */
export const countUp = ({ memory }: FaultRun, counterName: string): number => {
  const count = Number(memory.get(counterName) ?? 0) + 1;
  memory.set(counterName, count);
  return count;
};

/**
 * Counts the reads that show the conversation finished with its current questions, starting at 1. Returns undefined for other responses.
 * Call it once for each response.
 */
const countFinishedRead = (json: PayloadObject, { call, run }: CallContext): number | undefined => {
  const { conversationId, interface: name, operation } = call;
  return operation === "get" && isFinished(json)
    ? countUp(run, `finished ${name} ${conversationId} ${listQuestions(json).length}`)
    : undefined;
};

/** Reports whether this is the first read that shows the conversation finished with its current questions. */
export const isFirstRead = (json: PayloadObject, context: CallContext): boolean =>
  countFinishedRead(json, context) === 1;

/**
 * Reports whether this is a second, fourth, … read that shows a conversation finished. A client that reads again after the last question
 * finished always receives one, and every client also sees it finished.
 */
export const isSecondRead = (json: PayloadObject, context: CallContext): boolean =>
  (countFinishedRead(json, context) ?? 1) % 2 === 0;

/** Edits every second read that shows a conversation finished. */
export const inSecondReads = (edit: JsonEdit): JsonEdit => editWhen(isSecondRead, edit);

/** Returns the interface through which a conversation was created, if that was since the start of the server. */
export const findOrigin = (conversation: number | undefined, { memory }: FaultRun): InterfaceName | undefined => {
  const origin = memory.get(`origin ${conversation}`);
  return origin === "legacy" || origin === "current" ? origin : undefined;
};

/** Reports whether a conversation was created through the other interface. */
export const isForeign = (_shown: unknown, { call, run }: CallContext): boolean =>
  (findOrigin(call.conversationId, run) ?? call.interface) !== call.interface;

/** Returns the number of attempts to cancel a conversation. */
export const countCancellations = ({ call, run }: CallContext): number =>
  Number(run.memory.get(`cancellations ${call.conversationId}`) ?? 0);

/** Reports whether a client tried to cancel a conversation. Its later states may depend on that. */
export const wasCancellationRequested = (context: CallContext): boolean => countCancellations(context) > 0;

/** Records where conversations were created, and which cancellations were requested. */
export const trackingOrigins = (effect: ConversationEffect): ConversationEffect => ({
  ...effect,
  apply: (answer, call, run) => {
    if (call.operation === "create" && isSuccess(answer) && call.conversationId !== undefined) {
      run.memory.set(`origin ${call.conversationId}`, call.interface);
    }
    if (call.operation === "cancel") {
      countUp(run, `cancellations ${call.conversationId}`);
    }
    return effect.apply?.(answer, call, run) ?? answer;
  },
});

/**
 * Hides conversations from the interface that did not create them, so that the interfaces cannot disagree. The specification does not
 * define which conversations the other interface shows.
 */
export const hiddenFromOtherInterface = (effect: ConversationEffect): ConversationEffect =>
  trackingOrigins({
    ...effect,
    apply: (answer, call, run) => {
      return call.operation === "get" && isForeign(answer, { call, run }) && isSuccess(answer)
        ? refusal(call.interface, 409, "This conversation is only shown by the interface that created it.")
        : (effect.apply?.(answer, call, run) ?? answer);
    },
  });
