import { isPayloadObject } from "../../service/payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { without } from "../event-transforms.ts";
import { type Fault, defineLegalVariation, selectVariant, type Variants, defineViolation } from "../fault.ts";
import {
  passesAll,
  changeAnswer,
  selectCalls,
  editJson,
  emptyJson,
  type InterfaceName,
  interfaces,
  isSuccess,
  type JsonEdit,
  byMainUser,
  withJson,
} from "./call-effects.ts";
import {
  inLastQuestion,
  inQuestions,
  isAnswered,
  isCancelled,
  listQuestions,
  changeAnswerText,
  stateKey,
  editWhen,
} from "./conversation-parts.ts";

/** Accepts a cancellation that arrives too late. After it, the user's reads return the edited conversation. */
const acceptLateCancellation = (name: InterfaceName, edit: JsonEdit = (json) => json): ConversationEffect =>
  changeAnswer(passesAll(selectCalls(name, "cancel", "get"), byMainUser), (answer, context) => {
    const { call, run } = context;
    const key = `cancelled late ${call.conversationId}`;
    if (call.operation === "cancel" && answer.status === 400) {
      run.memory.set(key, true);
      return emptyJson(200);
    }
    const isEdited = call.operation === "get" && run.memory.has(key) && isSuccess(answer);
    const json = isEdited && isPayloadObject(answer.json) ? edit(answer.json, context) : answer.json;
    return json === answer.json ? answer : withJson(answer, json);
  });

/** Removes the answer or the title of a completed question when it is cancelled. */
const lateRemovals: Variants<JsonEdit> = {
  answer: inLastQuestion(editWhen(isAnswered, (question) => without(question, "answer"))),
  title: inLastQuestion(editWhen(isAnswered, (question) => without(question, "title"))),
};

/** Edits the earlier questions of a conversation after its last question was cancelled. */
const editBeforeCancelled = (edit: JsonEdit): JsonEdit =>
  editWhen(
    (json) => listQuestions(json).slice(-1).some(isCancelled) || stateKey(json) === "canceled",
    inQuestions(editWhen(isAnswered, edit), (index, count) => index < count - 1),
  );

/** Faults in cancellations that change completed questions. */
export const cancellationFaults: readonly Fault[] = [
  defineViolation("current/state-transitions-are-listed", "current-cancelled-late")(
    "A completed conversation becomes canceled when it is cancelled late.",
    acceptLateCancellation("current", (json) =>
      stateKey(json) === "completed" ? { ...json, state: { canceled: {} } } : json,
    ),
  ),
  defineViolation("legacy/completed-question-is-filled", "legacy-cancelled-late")(
    "A completed question loses its answer, or its title, when it is cancelled late.",
    selectVariant(lateRemovals, (edit) => acceptLateCancellation("legacy", edit)),
  ),
  defineViolation("legacy/completed-question-is-filled", "legacy-cancellation-clears-earlier")(
    "When another question is cancelled, those answered before it lose their answers.",
    editJson(
      selectCalls("legacy", "get"),
      editBeforeCancelled((question) => without(question, "answer")),
    ),
  ),
  ...interfaces.map((name) =>
    defineViolation(`${name}/finished-answer-is-stable`, `${name}-cancellation-replaces-earlier`)(
      "When another question is cancelled, those answered before it have different answers.",
      editJson(
        selectCalls(name, "get"),
        editBeforeCancelled(changeAnswerText((text) => `${text}\n\nThis was cancelled.\n`)),
      ),
    ),
  ),
  ...interfaces.map((name) =>
    defineLegalVariation(`${name}-late-cancellation-accepted`)(
      "Cancellations of questions that have ended are accepted but have no effect.",
      acceptLateCancellation(name),
    ),
  ),
];
