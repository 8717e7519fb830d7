import type { PayloadObject } from "../../service/payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import type { FaultRun } from "../fault-run.ts";
import { type CallContext, type InterfaceName, isSuccess, type JsonEdit, refusal } from "./call-effects.ts";
import { isFinished, questionsOf, when } from "./conversation-parts.ts";

/** How often something was counted, this time included: from 1. */
export const countUp = ({ memory }: FaultRun, what: string): number => {
  const count = Number(memory.get(what) ?? 0) + 1;
  memory.set(what, count);
  return count;
};

/**
 * Which read this is of those that showed a conversation with so many questions finished, from 1; undefined for answers that
 * do not show that. To be asked once for an answer.
 */
const finishedRead = (json: PayloadObject, { call, run }: CallContext): number | undefined => {
  const { conversation, interface: name, operation } = call;
  return operation === "get" && isFinished(json)
    ? countUp(run, `finished ${name} ${conversation} ${questionsOf(json).length}`)
    : undefined;
};

/** Whether a read is the first one that shows a conversation with so many questions finished. */
export const isFirstRead = (json: PayloadObject, context: CallContext): boolean => finishedRead(json, context) === 1;

/**
 * Whether a read is one of those that a fault of single reads takes hold of: every second of those that show a conversation
 * finished. One that comes after it has ended is among them whatever pollers saw at the same time, and none is kept from
 * seeing the end.
 */
export const isSecondRead = (json: PayloadObject, context: CallContext): boolean =>
  (finishedRead(json, context) ?? 1) % 2 === 0;

/** Edits every second read that shows a conversation finished. */
export const inSecondReads = (edit: JsonEdit): JsonEdit => when(isSecondRead, edit);

/** The interface through which a conversation was created, as far as the server saw it since its start. */
export const originOf = (conversation: number | undefined, { memory }: FaultRun): InterfaceName | undefined => {
  const origin = memory.get(`origin ${conversation}`);
  return origin === "legacy" || origin === "current" ? origin : undefined;
};

/** Whether a conversation was created through the other interface. */
export const isForeign = (_shown: unknown, { call, run }: CallContext): boolean =>
  (originOf(call.conversation, run) ?? call.interface) !== call.interface;

/** How often somebody tried to cancel a conversation. */
export const cancellationsOf = ({ call, run }: CallContext): number =>
  Number(run.memory.get(`cancellations ${call.conversation}`) ?? 0);

/** Whether somebody tried to cancel a conversation; what it shows afterwards may say something about that. */
export const wasToBeCancelled = (context: CallContext): boolean => cancellationsOf(context) > 0;

/** An effect that keeps in mind where conversations were created, and which were to be cancelled. */
export const rememberingOrigins = (effect: ConversationEffect): ConversationEffect => ({
  ...effect,
  apply: (answer, call, run) => {
    if (call.operation === "create" && isSuccess(answer) && call.conversation !== undefined) {
      run.memory.set(`origin ${call.conversation}`, call.interface);
    }
    if (call.operation === "cancel") {
      countUp(run, `cancellations ${call.conversation}`);
    }
    return effect.apply?.(answer, call, run) ?? answer;
  },
});

/**
 * An effect on conversations that only the interface shows through which they were created: the other one refuses to, so that
 * what one shows wrongly does not differ from what the other shows. Which conversations the other one shows is not documented.
 */
export const keptApart = (effect: ConversationEffect): ConversationEffect =>
  rememberingOrigins({
    ...effect,
    apply: (answer, call, run) => {
      return call.operation === "get" && isForeign(answer, { call, run }) && isSuccess(answer)
        ? refusal(call.interface, 409, "This conversation is only shown by the interface that created it.")
        : (effect.apply?.(answer, call, run) ?? answer);
    },
  });
