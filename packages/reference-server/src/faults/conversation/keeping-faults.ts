import { questionText } from "../../conversation/api/api-call.ts";
import { isPayloadArray, isPayloadObject } from "../../payload.ts";
import type { PayloadObject } from "../../payload.ts";
import { type Fault, type Variants, howParameter, variantOf, violating } from "../fault.ts";
import { editAnswers, showing } from "./answer-edits.ts";
import type { EditContext, InterfaceName } from "./answer-edits.ts";
import {
  changeLastQuestion,
  changeQuestions,
  creationNames,
  isConversation,
  questionsOf,
  updateNames,
  withLastQuestion,
  withLater,
  withText,
} from "./conversation-parts.ts";
import { isSecondRead, keptApart } from "./seen-conversations.ts";

type Change = (json: PayloadObject) => unknown;

/** The text of an answer in either form, changed. */
const withAnswer =
  (change: (text: string) => string): Change =>
  (question) => {
    const { answer } = question;
    if (typeof answer === "string") {
      return { ...question, answer: change(answer) };
    }
    const [first] = isPayloadArray(answer) ? answer : [];
    const markdown = isPayloadObject(first) ? first["markdown"] : undefined;
    const text = isPayloadObject(markdown) ? markdown["text"] : undefined;
    return typeof text === "string" ? { ...question, answer: [{ markdown: { text: change(text) } }] } : question;
  };

const addition = "\n\nThis was found out later.\n";
const answerVariants: Variants<Change> = {
  "answer-grows": withAnswer((text) => `${text}${addition}`),
  "answer-is-cut": withAnswer((text) => text.slice(0, Math.ceil(text.length / 2))),
};

const inError: Change = (question) =>
  isPayloadObject(question["error"])
    ? { ...question, error: { ...question["error"], message: "It failed for another reason." } }
    : question;

const contentVariants: Readonly<Record<InterfaceName, Variants<Change>>> = {
  legacy: {
    ...answerVariants,
    title: (question) =>
      typeof question["title"] === "string" ? { ...question, title: `${question["title"]} (revised)` } : question,
    sources: (question) => (isPayloadArray(question["sources"]) ? { ...question, sources: [] } : question),
    "error-message": inError,
  },
  current: answerVariants,
};

/** From the second read on that shows a conversation finished, its answers are changed for good. */
const revised =
  (ways: Variants<Change>) =>
  (json: PayloadObject, context: EditContext): unknown => {
    const { call, run } = context;
    const key = `revised ${call.conversation}`;
    if (isSecondRead(json, context)) {
      run.memory.set(key, true);
    }
    return run.memory.get(key) === true
      ? changeQuestions(json, (question) => variantOf(ways, run)?.(question) ?? question)
      : json;
  };

type Order = (questions: readonly PayloadObject[]) => readonly PayloadObject[];

const orderVariants: Variants<Order> = {
  lost: (questions) => questions.slice(1),
  reordered: (questions) => questions.toReversed(),
};

/** Without ids a question that was asked twice looks like one that is there twice. */
const orders: Variants<Order> = { ...orderVariants, duplicated: (questions) => [...questions, ...questions.slice(-1)] };

/** A list that has once grown does not shrink again: only a question that was asked may be missing. */
const reorder = (json: PayloadObject, context: EditContext): unknown => {
  const { call, run } = context;
  const questions = questionsOf(json);
  const how = run.values["how"];
  const key = `disordered ${call.conversation}`;
  if (isSecondRead(json, context) && questions.length > 1) {
    run.memory.set(key, questions.length);
  } else if (how !== "duplicated" || run.memory.get(key) !== questions.length) {
    return json;
  }
  return { ...json, questions: variantOf(orders, run)?.(questions) ?? questions };
};

const textVariants = { "in-reads": "get", "in-creation": "create", "in-follow-up": "follow-up" } as const;

const rewordLast: Change = (json) =>
  changeLastQuestion(json, (question) => withText(question, `${questionText(question)} (in short)`));

const reword = (json: PayloadObject, context: EditContext): unknown => {
  const operation = variantOf(textVariants, context.run);
  const isNow = context.call.operation === operation && (operation !== "get" || isSecondRead(json, context));
  return isNow ? rewordLast(json) : json;
};

/** Where a time stands. In the current interface only the conversation has a time of update. */
type Place = (json: PayloadObject, change: (part: PayloadObject) => PayloadObject) => unknown;
const places: Variants<Place> = {
  conversation: (json, change) => (isConversation(json) ? change(json) : json),
  question: (json, change) => withLastQuestion(json, change),
};

const movedTime = (ways: Variants<Place>, names: readonly string[], byMs: number) => {
  return (json: PayloadObject, context: EditContext): unknown =>
    isSecondRead(json, context)
      ? (variantOf(ways, context.run)?.(json, (part) => withLater(part, names, byMs)) ?? json)
      : json;
};

const updatePlaces: Readonly<Record<InterfaceName, Variants<Place>>> = {
  legacy: places,
  current: Object.fromEntries(Object.entries(places).slice(0, 1)),
};

const contentFaults = (name: InterfaceName): readonly Fault[] => [
  violating(`${name}/finished-answer-is-stable`, `${name}-answer-revised`)(
    "From the second read that shows a conversation finished, what it says is different.",
    keptApart(editAnswers({ interface: name, operations: showing }, revised(contentVariants[name]))),
    howParameter(contentVariants[name]),
  ),
  violating(`${name}/questions-keep-their-order`, `${name}-questions-disordered`)(
    "Every second read of a finished conversation lacks a question, has one twice, or turns the order.",
    keptApart(editAnswers({ interface: name, operations: ["get"] }, reorder)),
    howParameter(orders),
  ),
  violating(`${name}/question-text-is-kept`, `${name}-question-reworded`)(
    "The text of a question is another one than was asked, in the answer that adds it or in reads.",
    keptApart(editAnswers({ interface: name, operations: ["create", "get", "follow-up"] }, reword)),
    howParameter(textVariants),
  ),
];

const timeFaults = (name: InterfaceName): readonly Fault[] => [
  violating(`${name}/created-at-is-stable`, `${name}-creation-moved`)(
    "Every second read of a finished conversation tells another time of creation.",
    editAnswers({ interface: name, operations: ["get"] }, movedTime(places, creationNames, 1000)),
    howParameter(places),
  ),
  violating(`${name}/updated-at-never-falls`, `${name}-update-moved-back`)(
    "Every second read of a finished conversation tells an older time of update.",
    editAnswers({ interface: name, operations: ["get"] }, movedTime(updatePlaces[name], updateNames, -60_000)),
    howParameter(updatePlaces[name]),
  ),
];

/** Faults in what has to stay as it was: answers, questions and times. */
export const keepingFaults: readonly Fault[] = [
  ...contentFaults("legacy"),
  ...timeFaults("legacy"),
  ...contentFaults("current"),
  ...timeFaults("current"),
];
