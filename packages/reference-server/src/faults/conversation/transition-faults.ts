import type { PayloadObject } from "../../payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { type Fault, type Variants, howParameter, variantOf, violating } from "../fault.ts";
import { edited, editAnswers, isMeant } from "./answer-edits.ts";
import type { EditContext, InterfaceName } from "./answer-edits.ts";
import {
  isConversation,
  isSnake,
  questionsOf,
  stateKey,
  updateNames,
  withLastQuestion,
  withLater,
} from "./conversation-parts.ts";
import { countUp, isSecondRead, keptApart, wasToBeCancelled } from "./seen-conversations.ts";
import { unfinished } from "./unfinished.ts";

/** One object with the times of update of another. */
const updatedLike = (json: PayloadObject, other: PayloadObject): PayloadObject => ({
  ...json,
  ...Object.fromEntries(updateNames.filter((name) => name in other).map((name) => [name, other[name]])),
});

/** A conversation in progress again, not older than it is. */
const inProgressAgain = (json: PayloadObject): PayloadObject => {
  const last = questionsOf(json).at(-1) ?? {};
  return withLastQuestion(updatedLike(unfinished(json), json), (question) => updatedLike(question, last));
};

/** A conversation and its questions, all updated so many seconds later. */
const updatedLater = (json: PayloadObject, seconds: number): PayloadObject => ({
  ...withLater(json, updateNames, seconds * 1000),
  questions: questionsOf(json).map((question) => withLater(question, updateNames, seconds * 1000)),
});

/**
 * Every second read that shows a conversation finished shows it in progress, updated later than ever before; from then on no
 * answer tells an older time of update.
 */
const setBack = (json: PayloadObject, context: EditContext): unknown => {
  const { call, run } = context;
  if (!isConversation(json) || wasToBeCancelled(call, run)) {
    return json;
  }
  const key = `set back ${call.conversation}`;
  if (isSecondRead(json, context)) {
    return updatedLater(inProgressAgain(json), countUp(run, key));
  }
  const times = run.memory.get(key);
  return typeof times === "number" ? updatedLater(json, times) : json;
};

const errorState = (json: PayloadObject): PayloadObject => ({
  error: {
    code: "ERROR_INTERNAL",
    message: "The question could not be answered after all.",
    [isSnake(json) ? "retry_time" : "retryTime"]: "2024-01-01T00:00:00Z",
  },
});

/** Every second read that shows a conversation completed shows that it ended otherwise. */
const endedOtherwise =
  (stateOf: (json: PayloadObject) => PayloadObject) =>
  (json: PayloadObject, context: EditContext): unknown =>
    isSecondRead(json, context) && stateKey(json) === "completed" ? { ...json, state: stateOf(json) } : json;

const currentVariants: Variants<(json: PayloadObject, context: EditContext) => unknown> = {
  "in-progress-again": setBack,
  "error-after-all": endedOtherwise(errorState),
  "canceled-after-all": endedOtherwise(() => ({ canceled: {} })),
};

const reading = (name: InterfaceName) => ({ interface: name, operations: ["get", "follow-up"] }) as const;

const staleFault = (name: InterfaceName): Fault =>
  violating(`${name}/reads-are-current`, `${name}-stale-read`)(
    "Every second read that could show a conversation finished shows it as it was when the last question was asked.",
    keptApart(
      editAnswers(reading(name), (json, context) =>
        isSecondRead(json, context) && !wasToBeCancelled(context.call, context.run) ? unfinished(json) : json,
      ),
    ),
  );

/** What was cancelled twice is in progress again. */
const runningAgain = (name: InterfaceName): ConversationEffect => ({
  layer: "conversation",
  apply: (answer, call, run) => {
    const key = `cancelled twice ${call.conversation}`;
    const times = Number(run.memory.get(key) ?? 0) + (call.operation === "cancel" ? 1 : 0);
    run.memory.set(key, times);
    return isMeant(call, { interface: name, operations: ["get"] }) && times > 1
      ? edited(answer, (json) => updatedLater(inProgressAgain(json), 1), { call, run })
      : answer;
  },
});

/** Faults in how the status of a question or the state of a conversation changes. */
export const transitionFaults: readonly Fault[] = [
  violating("legacy/status-transitions-are-listed", "legacy-status-set-back")(
    "A question that was completed is processing again, with a newer time of update, and then completed.",
    keptApart(editAnswers(reading("legacy"), setBack)),
  ),
  violating("current/state-transitions-are-listed", "current-state-set-back")(
    "A conversation that was completed is processing again, or turns out to have ended otherwise.",
    keptApart(
      editAnswers(
        reading("current"),
        (json, context) => variantOf(currentVariants, context.run)?.(json, context) ?? json,
      ),
    ),
    howParameter(currentVariants),
  ),
  violating("current/state-transitions-are-listed", "current-cancelled-twice-runs")(
    "A conversation that was cancelled twice is processing again.",
    runningAgain("current"),
  ),
  staleFault("legacy"),
  staleFault("current"),
];
