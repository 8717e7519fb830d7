import { isPayloadArray, type PayloadObject } from "../../payload.ts";
import { type Fault, oneOf, type Variants, violating } from "../fault.ts";
import { having } from "../spoiling.ts";
import { type CallContext, callsOf, editing, type InterfaceName, type JsonEdit, showing } from "./call-effects.ts";
import {
  creationNames,
  inLastQuestion,
  inMember,
  inQuestions,
  inText,
  isConversation,
  questionsOf,
  reanswered,
  reworded,
  updateNames,
  when,
  withLater,
} from "./conversation-parts.ts";
import { inSecondReads, isSecondRead, keptApart } from "./seen-conversations.ts";

const answerRevisions: Variants<JsonEdit> = {
  "answer-grows": reanswered((text) => `${text}\n\nThis was found out later.\n`),
  "answer-is-cut": reanswered((text) => text.slice(0, Math.ceil(text.length / 2))),
};

const revisions: Readonly<Record<InterfaceName, Variants<JsonEdit>>> = {
  legacy: {
    ...answerRevisions,
    title: inText("title", (title) => `${title} (revised)`),
    sources: when(({ sources }) => isPayloadArray(sources), having("sources", [])),
    "error-message": inMember("error", having("message", "It failed for another reason.")),
  },
  current: answerRevisions,
};

/** From the second read on that shows a conversation finished, its questions are changed for good. */
const isRevised = (json: PayloadObject, context: CallContext): boolean => {
  const { call, run } = context;
  const key = `revised ${call.conversation}`;
  if (isSecondRead(json, context)) {
    run.memory.set(key, true);
  }
  return run.memory.get(key) === true;
};

type Order = (questions: readonly PayloadObject[]) => readonly PayloadObject[];

/** A list that has once grown does not shrink again: only a question that was asked may be missing. */
const inOrder =
  (order: Order, isForGood: boolean): JsonEdit =>
  (json, context) => {
    const { call, run } = context;
    const questions = questionsOf(json);
    const key = `disordered ${call.conversation}`;
    const isNow = isSecondRead(json, context) && questions.length > 1;
    if (isNow) {
      run.memory.set(key, questions.length);
    }
    return isNow || (isForGood && run.memory.get(key) === questions.length)
      ? { ...json, questions: order(questions) }
      : json;
  };

const orders: Variants<JsonEdit> = {
  lost: inOrder((questions) => questions.slice(1), false),
  reordered: inOrder((questions) => questions.toReversed(), false),
  // Without ids a question that was asked twice looks like one that is there twice.
  duplicated: inOrder((questions) => [...questions, ...questions.slice(-1)], true),
};

const rewordLast = inLastQuestion(reworded);

/** Where the text of a question is another one. */
const rewordings = {
  "in-reads": { operation: "get", edit: inSecondReads(rewordLast) },
  "in-creation": { operation: "create", edit: rewordLast },
  "in-follow-up": { operation: "follow-up", edit: rewordLast },
} as const;

/** Where a time stands; in the current interface only the conversation has one of update. */
const timePlaces = { conversation: (edit: JsonEdit) => when(isConversation, edit), question: inLastQuestion } as const;
const updatePlaces = { legacy: timePlaces, current: { conversation: timePlaces.conversation } } as const;

/** Every second read of a finished conversation tells another time. */
const movedTime = (name: InterfaceName, places: Variants<(edit: JsonEdit) => JsonEdit>, move: JsonEdit) =>
  oneOf(places, (placed) => editing(callsOf(name, "get"), inSecondReads(placed(move))));

const faultsOf = (name: InterfaceName): readonly Fault[] => [
  violating(`${name}/finished-answer-is-stable`, `${name}-answer-revised`)(
    "From the second read that shows a conversation finished, what it says is different.",
    oneOf(revisions[name], (edit) => keptApart(editing(callsOf(name, ...showing), when(isRevised, inQuestions(edit))))),
  ),
  violating(`${name}/questions-keep-their-order`, `${name}-questions-disordered`)(
    "Every second read of a finished conversation lacks a question, has one twice, or turns the order.",
    oneOf(orders, (edit) => keptApart(editing(callsOf(name, "get"), edit))),
  ),
  violating(`${name}/question-text-is-kept`, `${name}-question-reworded`)(
    "The text of a question is another one than was asked, in the answer that adds it or in reads.",
    oneOf(rewordings, ({ edit, operation }) => keptApart(editing(callsOf(name, operation), edit))),
  ),
  violating(`${name}/created-at-is-stable`, `${name}-creation-moved`)(
    "Every second read of a finished conversation tells another time of creation.",
    movedTime(name, timePlaces, (json) => withLater(json, creationNames, 1000)),
  ),
  violating(`${name}/updated-at-never-falls`, `${name}-update-moved-back`)(
    "Every second read of a finished conversation tells an older time of update.",
    movedTime(name, updatePlaces[name], (json) => withLater(json, updateNames, -60_000)),
  ),
];

/** Faults in what has to stay as it was: answers, questions and times. */
export const keepingFaults: readonly Fault[] = [...faultsOf("legacy"), ...faultsOf("current")];
