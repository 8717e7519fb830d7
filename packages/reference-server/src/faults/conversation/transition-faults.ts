import { isPayloadObject, type PayloadObject } from "../../payload.ts";
import { type Fault, legal, oneOf, type Variants, violating } from "../fault.ts";
import { type CallContext, callsOf, editing, type InterfaceName, type JsonEdit, showing } from "./call-effects.ts";
import {
  isConversation,
  questionsOf,
  reopened,
  retryName,
  stateKey,
  unfinished,
  updateNames,
  when,
  withLater,
} from "./conversation-parts.ts";
import {
  cancellationsOf,
  countUp,
  inSecondReads,
  isSecondRead,
  keptApart,
  rememberingOrigins,
  wasToBeCancelled,
} from "./seen-conversations.ts";

/** A conversation and its questions, all updated so many seconds later. */
const updatedLater = (json: PayloadObject, seconds: number): PayloadObject => ({
  ...withLater(json, updateNames, seconds * 1000),
  questions: questionsOf(json).map((question) => withLater(question, updateNames, seconds * 1000)),
});

/**
 * Every second read that shows a conversation finished shows it in progress, updated later than ever before; from then on no
 * answer tells an older time of update.
 */
const setBack: JsonEdit = (json, context) => {
  const { call, run } = context;
  if (!isConversation(json) || wasToBeCancelled(context)) {
    return json;
  }
  const key = `set back ${call.conversation}`;
  if (isSecondRead(json, context)) {
    return updatedLater(reopened(json), countUp(run, key));
  }
  const times = run.memory.get(key);
  return typeof times === "number" ? updatedLater(json, times) : json;
};

const errorState = (json: PayloadObject): PayloadObject => ({
  error: {
    code: "ERROR_INTERNAL",
    message: "The question could not be answered after all.",
    [retryName(json)]: "2024-01-01T00:00:00Z",
  },
});

/** Every second read that shows a conversation completed shows that it ended otherwise. */
const endedOtherwise = (stateOf: (json: PayloadObject) => PayloadObject): JsonEdit =>
  inSecondReads((json) => (stateKey(json) === "completed" ? { ...json, state: stateOf(json) } : json));

const setBacks: Variants<JsonEdit> = {
  "in-progress-again": setBack,
  "error-after-all": endedOtherwise(errorState),
  "canceled-after-all": endedOtherwise(() => ({ canceled: {} })),
};

const inReads = (name: InterfaceName, edit: JsonEdit) => keptApart(editing(callsOf(name, "get", "follow-up"), edit));

const staleFault = (name: InterfaceName): Fault =>
  violating(`${name}/reads-are-current`, `${name}-stale-read`)(
    "Every second read that could show a conversation finished shows it as it was when the last question was asked.",
    inReads(
      name,
      inSecondReads((json, context) => (wasToBeCancelled(context) ? json : unfinished(json))),
    ),
  );

/** The state in which each question ended, where one was seen to; the last one has that of its conversation. */
const ownStates = (json: PayloadObject, { call, run }: CallContext): readonly unknown[] => {
  const questions = questionsOf(json);
  const last = questions.length - 1;
  if (stateKey(json) !== "processing") {
    run.memory.set(`ended ${call.conversation} ${last}`, json["state"]);
  }
  return questions.map((question, index) =>
    index === last
      ? json["state"]
      : (run.memory.get(`ended ${call.conversation} ${index}`) ??
        ("answer" in question ? { completed: {} } : { canceled: {} })),
  );
};

/** Shows states of their own in the questions of a conversation. */
const showingStates = (statesOf: (json: PayloadObject, context: CallContext) => readonly unknown[]) =>
  editing(
    callsOf("current", ...showing),
    when(
      (json) => isPayloadObject(json["state"]) && questionsOf(json).length > 0,
      (json, context) => {
        const states = statesOf(json, context);
        return { ...json, questions: questionsOf(json).map((question, at) => ({ ...question, state: states[at] })) };
      },
    ),
  );

/** Faults in how the status of a question or the state of a conversation changes. */
export const transitionFaults: readonly Fault[] = [
  violating("legacy/status-transitions-are-listed", "legacy-status-set-back")(
    "A question that was completed is processing again, with a newer time of update, and then completed.",
    inReads("legacy", setBack),
  ),
  violating("current/state-transitions-are-listed", "current-state-set-back")(
    "A conversation that was completed is processing again, or turns out to have ended otherwise.",
    oneOf(setBacks, (edit) => inReads("current", edit)),
  ),
  violating("current/state-transitions-are-listed", "current-cancelled-twice-runs")(
    "A conversation that was cancelled twice is processing again.",
    rememberingOrigins(
      editing(
        callsOf("current", "get"),
        when(
          (_json, context) => cancellationsOf(context) > 1,
          (json) => updatedLater(reopened(json), 1),
        ),
      ),
    ),
  ),
  staleFault("legacy"),
  staleFault("current"),
  legal("current-questions-have-states")(
    "Each question shows its own state besides that of the conversation.",
    showingStates(ownStates),
  ),
  violating("current/state-transitions-are-listed", "current-follow-up-reopens")(
    "Each question shows a state of its own; while a follow-up is processing, all of them are.",
    keptApart(
      showingStates((json, context) => {
        const states = ownStates(json, context);
        return stateKey(json) === "processing" ? states.map(() => json["state"]) : states;
      }),
    ),
  ),
];
