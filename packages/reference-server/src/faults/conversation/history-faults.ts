import { Buffer } from "node:buffer";
import { setTimeout as pause } from "node:timers/promises";
import type { ApiAnswer } from "../../service/conversation/api/api-answer.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../../service/payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import {
  type Fault,
  defineLegalVariation,
  selectVariant,
  withSettings,
  type Variants,
  defineViolation,
} from "../fault.ts";
import { withMember } from "../json-mutation.ts";
import {
  type CallContext,
  selectCalls,
  editJson,
  type InterfaceName,
  interfaces,
  type JsonEdit,
  replaceAnswer,
  returnsConversation,
} from "./call-effects.ts";
import {
  creationNames,
  inLastQuestion,
  inMember,
  inQuestions,
  inText,
  isConversation,
  listQuestions,
  changeAnswerText,
  reopenLastQuestion,
  retryName,
  respellQuestion,
  rewordQuestion,
  stateKey,
  resetLastQuestion,
  updateNames,
  editWhen,
  inConversations,
  withShiftedTimes,
} from "./conversation-parts.ts";
import {
  countCancellations,
  countUp,
  inSecondReads,
  isSecondRead,
  hiddenFromOtherInterface,
  trackingOrigins,
  wasCancellationRequested,
} from "./seen-conversations.ts";

/** Adds seconds to the update times of a conversation and its questions. */
const withLaterUpdates = (json: PayloadObject, seconds: number): PayloadObject => ({
  ...withShiftedTimes(json, updateNames, seconds * 1000),
  questions: listQuestions(json).map((question) => withShiftedTimes(question, updateNames, seconds * 1000)),
});

/**
 * Shows the conversation in progress in every second read that would show it finished, with a newer update time. Later responses
 * never contain an older time.
 */
const showRunningAgain: JsonEdit = (json, context) => {
  const { call, run } = context;
  if (!isConversation(json) || wasCancellationRequested(context)) {
    return json;
  }
  const key = `set back ${call.conversationId}`;
  if (isSecondRead(json, context)) {
    return withLaterUpdates(reopenLastQuestion(json), countUp(run, key));
  }
  const times = run.memory.get(key);
  return typeof times === "number" ? withLaterUpdates(json, times) : json;
};

const errorState = (json: PayloadObject): PayloadObject => ({
  error: { code: "ERROR_INTERNAL", message: "It failed after all.", [retryName(json)]: "2024-01-01T00:00:00Z" },
});

/** Shows a different final state in every second read of a completed conversation. */
const showOtherEnd = (stateOf: (json: PayloadObject) => PayloadObject): JsonEdit =>
  inSecondReads((json) => (stateKey(json) === "completed" ? { ...json, state: stateOf(json) } : json));

const backwardTransitions: Variants<JsonEdit> = {
  "in-progress-again": showRunningAgain,
  "error-after-all": showOtherEnd(errorState),
  "canceled-after-all": showOtherEnd(() => ({ canceled: {} })),
};

const editReads = (name: InterfaceName, edit: JsonEdit) =>
  hiddenFromOtherInterface(editJson(selectCalls(name, "get", "follow-up"), edit));

const showStale = inSecondReads((json, context) =>
  wasCancellationRequested(context) ? json : resetLastQuestion(json),
);

const createStaleFault = (name: InterfaceName): Fault =>
  defineViolation(`${name}/reads-are-current`, `${name}-stale-read`)(
    "Every second read that could show a conversation finished shows it as it was when the last question was asked.",
    editReads(name, showStale),
  );

/** Shows a conversation in progress again after its second cancellation. */
const runAfterSecondCancellation: JsonEdit = (json, context) =>
  countCancellations(context) > 1 ? withLaterUpdates(reopenLastQuestion(json), 1) : json;

/** Returns the final state of each question, if it was observed. The last question has the state of the conversation. */
const readOwnStates = (json: PayloadObject, { call, run }: CallContext): readonly unknown[] => {
  const questions = listQuestions(json);
  const last = questions.length - 1;
  if (stateKey(json) !== "processing") {
    run.memory.set(`ended ${call.conversationId} ${last}`, json["state"]);
  }
  return questions.map((question, index) =>
    index === last
      ? json["state"]
      : (run.memory.get(`ended ${call.conversationId} ${index}`) ??
        ("answer" in question ? { completed: {} } : { canceled: {} })),
  );
};

/** Adds states to the questions of a conversation. */
const showStates = (statesOf: (json: PayloadObject, context: CallContext) => readonly unknown[]) =>
  editJson(
    returnsConversation("current"),
    editWhen(
      (json) => isPayloadObject(json["state"]) && listQuestions(json).length > 0,
      (json, context) => {
        const states = statesOf(json, context);
        return {
          ...json,
          questions: listQuestions(json).map((question, index) => ({ ...question, state: states[index] })),
        };
      },
    ),
  );

/** Larger than any id in a test. */
const idOffset = 100_000;

/** Adds `idOffset` to a numeric member. Other values are unchanged. */
const withOffset =
  (name: string) =>
  (data: PayloadObject): PayloadObject =>
    typeof data[name] === "number" ? { ...data, [name]: data[name] + idOffset } : data;

const offsetQuestions = inQuestions(withOffset("conversation_id"));

const offsetConversation = editWhen(isConversation, (json, context) =>
  offsetQuestions(withOffset("id")(json), context),
);

const otherIds: Variants<ConversationEffect> = {
  "of-the-conversation": editJson(selectCalls("legacy", "get"), inSecondReads(offsetConversation)),
  "of-the-questions": editJson(selectCalls("legacy", "get"), inSecondReads(inQuestions(withOffset("id")))),
  "in-a-follow-up": editJson(selectCalls("legacy", "follow-up"), offsetConversation),
};

const movedToOtherConversation: Variants<JsonEdit> = {
  all: offsetQuestions,
  "the-first": inQuestions(withOffset("conversation_id"), (index) => index === 0),
};

const otherNames: Variants<(name: string) => string> = {
  "another-conversation": (name) => name.replace(/\d+$/u, (id) => String(Number(id) + idOffset)),
  "another-user": (name) => name.replace(/^users\/[^/]+/u, "users/~self"),
  "a-user-by-name": (name) => name.replace(/^users\/[^/]+/u, "users/somebody"),
};

/** Long enough for parallel reads to arrive. */
const readDelayMs = 60;

/**
 * All reads share one variable for the requested conversation. If a second read arrives while the first one is delayed, the first returns
 * the last known response for the conversation of the second.
 */
const mixUpReads = (name: InterfaceName) =>
  withSettings({}, () => {
    const isRead = selectCalls(name, "get");
    const answers = new Map<number | undefined, ApiAnswer>();
    let lastRequestedId: number | undefined;
    return {
      ...replaceAnswer(isRead, (answer, { call }) => answers.set(call.conversationId, answer).get(lastRequestedId)),
      delay: (call) => {
        lastRequestedId = isRead(call) ? call.conversationId : lastRequestedId;
        return isRead(call) ? pause(readDelayMs) : undefined;
      },
    };
  });

const createMixedUpFault = (rule: string, name: InterfaceName): Fault =>
  defineViolation(`${name}/${rule}`, `${name}-parallel-reads-mixed-up`)(
    "A read returns the conversation of the last read that arrived during it.",
    mixUpReads(name),
  );

const answerRevisions: Variants<JsonEdit> = {
  "answer-grows": changeAnswerText((text) => `${text}\n\nThis was found out later.\n`),
  "answer-is-cut": changeAnswerText((text) => text.slice(0, Math.ceil(text.length / 2))),
};

const revisions: Readonly<Record<InterfaceName, Variants<JsonEdit>>> = {
  legacy: {
    ...answerRevisions,
    title: inText("title", (title) => `${title} (revised)`),
    sources: editWhen(({ sources }) => isPayloadArray(sources), withMember("sources", [])),
    "error-message": inMember("error", withMember("message", "It failed for another reason.")),
  },
  current: answerRevisions,
};

/** True from the second read that shows the conversation finished. */
const isRevised = (json: PayloadObject, context: CallContext): boolean => {
  const { call, run } = context;
  const key = `revised ${call.conversationId}`;
  if (isSecondRead(json, context)) {
    run.memory.set(key, true);
  }
  return run.memory.get(key) === true;
};

/**
 * Reorders questions in every second read of a finished conversation. With `isForGood` the change is permanent, because a list that has
 * grown must not shrink.
 */
const reorderQuestions =
  (order: (questions: readonly PayloadObject[]) => readonly PayloadObject[], isForGood: boolean): JsonEdit =>
  (json, context) => {
    const { call, run } = context;
    const questions = listQuestions(json);
    const key = `disordered ${call.conversationId}`;
    const isReorderedNow = isSecondRead(json, context) && questions.length > 1;
    if (isReorderedNow) {
      run.memory.set(key, questions.length);
    }
    return isReorderedNow || (isForGood && run.memory.get(key) === questions.length)
      ? { ...json, questions: order(questions) }
      : json;
  };

const orders: Variants<JsonEdit> = {
  lost: reorderQuestions((questions) => questions.slice(1), false),
  reordered: reorderQuestions((questions) => questions.toReversed(), false),
  // Without ids, a repeated question cannot be distinguished from a duplicate.
  duplicated: reorderQuestions((questions) => [...questions, ...questions.slice(-1)], true),
};

const rewordLast = inLastQuestion(rewordQuestion);

/** Operations whose responses contain a different question text. */
const rewordings = {
  "in-reads": { operation: "get", edit: inSecondReads(rewordLast) },
  "in-creation": { operation: "create", edit: rewordLast },
  "in-follow-up": { operation: "follow-up", edit: rewordLast },
} as const;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Ways to corrupt the text of a question wherever it is shown. */
const spellings: Variants<(text: string) => string> = {
  escaped: (text) => text.replaceAll(/[&<>"']/gu, (character) => entities[character] ?? character),
  unescaped: (text) => text.replaceAll("&amp;", "&").replaceAll("%20", " "),
  "without-markup": (text) => text.replaceAll(/<[^>]*>/gu, ""),
  "in-ascii": (text) => text.replaceAll(/[^\n\t\x20-\x7e]/gu, "?"),
  "in-latin-1": (text) => Buffer.from(text, "utf8").toString("latin1"),
  tidied: (text) => text.replaceAll(/\s+/gu, " "),
  "without-backslashes": (text) => text.replaceAll("\\", ""),
};

/** Objects with times. In the current interface only the conversation has an update time. */
const timePlaces = {
  conversation: (edit: JsonEdit) => editWhen(isConversation, edit),
  question: inLastQuestion,
} as const;
const updatePlaces = { legacy: timePlaces, current: { conversation: timePlaces.conversation } } as const;

/** Changes a time in every second read of a finished conversation. */
const moveTime = (name: InterfaceName, places: Variants<(edit: JsonEdit) => JsonEdit>, move: JsonEdit) =>
  selectVariant(places, (editAtPlace) => editJson(selectCalls(name, "get"), inSecondReads(editAtPlace(move))));

const moveUpdateBackOneDay: JsonEdit = (json) => withShiftedTimes(json, updateNames, -86_400_000);

const createFaults = (name: InterfaceName): readonly Fault[] => [
  defineViolation(`${name}/finished-answer-is-stable`, `${name}-answer-revised`)(
    "From the second read that shows a conversation finished, its contents differ.",
    selectVariant(revisions[name], (edit) =>
      hiddenFromOtherInterface(editJson(returnsConversation(name), editWhen(isRevised, inQuestions(edit)))),
    ),
  ),
  defineViolation(`${name}/questions-keep-their-order`, `${name}-questions-disordered`)(
    "Every second read of a finished conversation omits a question, repeats one, or reverses the order.",
    selectVariant(orders, (edit) => hiddenFromOtherInterface(editJson(selectCalls(name, "get"), edit))),
  ),
  defineViolation(`${name}/question-text-is-kept`, `${name}-question-reworded`)(
    "The text of a question differs from the text sent, in the response that adds it or in reads.",
    selectVariant(rewordings, ({ edit, operation }) =>
      hiddenFromOtherInterface(editJson(selectCalls(name, operation), edit)),
    ),
  ),
  defineViolation(`${name}/question-text-is-kept`, `${name}-question-spoilt`)(
    "The text of a question is escaped, stripped or re-encoded wherever it is shown.",
    selectVariant(spellings, (spell) =>
      hiddenFromOtherInterface(editJson(returnsConversation(name), inQuestions(respellQuestion(spell)))),
    ),
  ),
  defineViolation(`${name}/created-at-is-stable`, `${name}-creation-moved`)(
    "Every second read of a finished conversation has a different creation time.",
    moveTime(name, timePlaces, (json) => withShiftedTimes(json, creationNames, 1000)),
  ),
  defineViolation(`${name}/updated-at-never-falls`, `${name}-update-moved-back`)(
    "Every second read of a finished conversation has an older update time.",
    moveTime(name, updatePlaces[name], (json) => withShiftedTimes(json, updateNames, -60_000)),
  ),
  defineViolation(`${name}/updated-at-never-falls`, `${name}-updated-before-created`)(
    "The update time of conversations, or of their last questions, is one day too early, which is before their creation.",
    selectVariant(updatePlaces[name], (_, place) =>
      editJson(
        selectCalls(name),
        inConversations(place === "question" ? inLastQuestion(moveUpdateBackOneDay) : moveUpdateBackOneDay),
      ),
    ),
  ),
];

/** Faults in values that must not change, and in changes of a status or state. */
export const historyFaults: readonly Fault[] = [
  ...interfaces.flatMap(createFaults),
  defineViolation("legacy/ids-are-stable", "legacy-ids-changed")(
    "Every second read of a finished conversation, or the response to each follow-up, contains different ids.",
    selectVariant(otherIds, hiddenFromOtherInterface),
  ),
  defineViolation("legacy/question-belongs-to-conversation", "legacy-question-astray")(
    "Questions contain the id of a different conversation.",
    selectVariant(movedToOtherConversation, (edit) => editJson(returnsConversation("legacy"), edit)),
  ),
  defineViolation("current/name-is-stable", "current-name-changed")(
    "Every second read of a finished conversation has a different name.",
    selectVariant(otherNames, (rename) =>
      hiddenFromOtherInterface(editJson(selectCalls("current", "get"), inSecondReads(inText("name", rename)))),
    ),
  ),
  createMixedUpFault("ids-are-stable", "legacy"),
  createMixedUpFault("name-is-stable", "current"),
  defineViolation("legacy/status-transitions-are-listed", "legacy-status-set-back")(
    "A question that was completed is processing again, with a newer update time, and then completed.",
    editReads("legacy", showRunningAgain),
  ),
  defineViolation("current/state-transitions-are-listed", "current-state-set-back")(
    "A completed conversation is processing again, or changes to another final state.",
    selectVariant(backwardTransitions, (edit) => editReads("current", edit)),
  ),
  defineViolation("current/state-transitions-are-listed", "current-cancelled-twice-runs")(
    "A conversation that was cancelled twice is processing again.",
    trackingOrigins(editJson(selectCalls("current", "get"), runAfterSecondCancellation)),
  ),
  ...interfaces.map(createStaleFault),
  defineLegalVariation("current-questions-have-states")(
    "Each question shows its own state in addition to that of the conversation.",
    showStates(readOwnStates),
  ),
  defineViolation("current/state-transitions-are-listed", "current-follow-up-reopens")(
    "Each question has a state of its own. While a follow-up is processing, all questions have that state.",
    hiddenFromOtherInterface(
      showStates((json, context) => {
        const states = readOwnStates(json, context);
        return stateKey(json) === "processing" ? states.map(() => json["state"]) : states;
      }),
    ),
  ),
];
