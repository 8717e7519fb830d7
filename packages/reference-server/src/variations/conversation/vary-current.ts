import { without } from "../../faults/event-transforms.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../../payload.ts";
import { withAddedMembers } from "../added-members.ts";
import type { Dice } from "../dice.ts";
import { type OptionalMembers, withOtherOptionals } from "../optional-members.ts";
import type { AnswerVariation } from "./answer-habits.ts";

/** Names of more than one word by either spelling. */
const spellings: readonly (readonly [snake: string, camel: string])[] = [
  ["create_time", "createTime"],
  ["update_time", "updateTime"],
  ["retry_time", "retryTime"],
  ["next_page_token", "nextPageToken"],
  ["conversation_summaries", "conversationSummaries"],
];

/** A part of an answer with all its names spelled in one way. */
export const spelledAs = (value: unknown, isSnake: boolean): unknown => {
  if (isPayloadArray(value)) {
    return value.map((element) => spelledAs(element, isSnake));
  }
  if (!isPayloadObject(value)) {
    return value;
  }
  const nameOf = (name: string): string => {
    const pair = spellings.find((names) => names.includes(name));
    return pair === undefined ? name : pair[isSnake ? 0 : 1];
  };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [nameOf(name), spelledAs(member, isSnake)]));
};

/** A part of an answer with the literal for the user in its names of conversations. */
export const withSelf = (value: unknown): unknown => {
  if (isPayloadArray(value)) {
    return value.map(withSelf);
  }
  if (!isPayloadObject(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === "name" && typeof member === "string"
        ? member.replace(/^users\/[^/]+/u, "users/~self")
        : withSelf(member),
    ]),
  );
};

const block = (text: string): PayloadObject => ({ markdown: { text } });
const otherBlock = { image: { uri: "https://search.example/a.png" } };

const textOf = (answer: unknown): string =>
  isPayloadArray(answer)
    ? answer
        .map((part) => (isPayloadObject(part) && isPayloadObject(part["markdown"]) ? part["markdown"]["text"] : ""))
        .join("")
    : String(answer);

/** The same text in one of the forms of an answer. */
const otherAnswer = (answer: unknown, dice: Dice): unknown => {
  const text = textOf(answer);
  const at = dice.whole(0, text.length);
  return dice.pick<unknown>([
    text,
    [block(text)],
    [block(text.slice(0, at)), block(text.slice(at))],
    [otherBlock, block(text), { citation: null }],
  ]);
};

const noAnswers = [undefined, null, "", []] as const;

const varyQuestion = (question: PayloadObject, { dice, habits }: AnswerVariation): PayloadObject => {
  const { answer, input } = question;
  const changed =
    answer === undefined || answer === null
      ? { ...question, answer: dice.chance(habits.otherOptionals) ? dice.pick<unknown>(noAnswers) : answer }
      : { ...question, answer: dice.chance(habits.otherForms) ? otherAnswer(answer, dice) : answer };
  const inputs = isPayloadArray(input) && dice.chance(habits.otherForms / 3) ? [...input, otherBlock] : input;
  return { ...changed, input: inputs };
};

const timeOptionals: OptionalMembers = { title: [], url: [] };

/** Times need not be there; a conversation without them cannot be compared, so that they mostly are. */
const withOtherTimes = (json: PayloadObject, dice: Dice): PayloadObject =>
  dice.chance(0.1) ? without(without(json, dice.pick(["create_time", "createTime"])), "update_time") : json;

const varyState = (state: unknown, { dice, habits }: AnswerVariation): unknown => {
  const [key, value] = isPayloadObject(state) ? (Object.entries(state)[0] ?? []) : [];
  if (key === undefined || !isPayloadObject(value)) {
    return state;
  }
  // The only key of a state says which it is; there is room for more inside.
  return { [key]: withAddedMembers(value, dice, habits.addedMembers) };
};

/** Another legal form of a question of the current interface by itself. */
export const varyCurrentQuestion = (question: PayloadObject, variation: AnswerVariation): unknown => {
  const { dice, habits } = variation;
  const spelled = spelledAs(varyQuestion(question, variation), dice.chance(0.5));
  return withAddedMembers(
    dice.chance(habits.otherForms) ? spelled : varyQuestion(question, variation),
    dice,
    habits.addedMembers,
  );
};

/** Another legal form of a conversation of the current interface. */
export const varyCurrentConversation = (json: PayloadObject, variation: AnswerVariation): unknown => {
  const { dice, habits } = variation;
  const { questions, state, ...rest } = json;
  const others = dice.chance(habits.otherOptionals)
    ? withOtherTimes(withOtherOptionals(rest, timeOptionals, dice), dice)
    : rest;
  const varied = isPayloadArray(questions)
    ? questions.map((question) => (isPayloadObject(question) ? varyQuestion(question, variation) : question))
    : questions;
  const whole = Object(withAddedMembers({ ...others, questions: varied }, dice, habits.addedMembers));
  const named: unknown = { ...whole, state: varyState(state, variation) };
  return dice.chance(habits.otherForms) ? spelledAs(named, dice.chance(0.5)) : named;
};
