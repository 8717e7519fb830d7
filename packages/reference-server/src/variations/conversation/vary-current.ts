import { respellMembers } from "../../faults/conversation/conversation-parts.ts";
import { without } from "../../faults/event-transforms.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../../service/payload.ts";
import { withAddedMembers } from "../added-members.ts";
import type { Dice } from "../dice.ts";
import { type OptionalMembers, varyOptionalMembers } from "../optional-members.ts";
import type { AnswerVariation } from "./answer-habits.ts";

const otherBlock = { image: { uri: "https://search.example/a.png" } };

const noAnswers = [undefined, null, ""] as const;

const varyQuestion = (question: PayloadObject, { dice, habits }: AnswerVariation): PayloadObject => {
  const { answer, input } = question;
  const variedQuestion =
    answer === undefined || answer === null
      ? { ...question, answer: dice.chance(habits.otherOptionalProbability) ? dice.pick<unknown>(noAnswers) : answer }
      : question;
  const inputs = isPayloadArray(input) && dice.chance(habits.otherFormProbability / 3) ? [...input, otherBlock] : input;
  return { ...variedQuestion, input: inputs };
};

const optionalTexts: OptionalMembers = { title: [], url: [] };

/** Rarely removes a time in each spelling. Times are optional, but a conversation without them cannot be compared. */
const withoutSomeTimes = (json: PayloadObject, dice: Dice): PayloadObject =>
  dice.chance(0.1) ? without(without(json, dice.pick(["create_time", "createTime"])), "update_time") : json;

const varyState = (state: unknown, { dice, habits }: AnswerVariation): unknown => {
  const [key, value] = isPayloadObject(state) ? (Object.entries(state)[0] ?? []) : [];
  if (key === undefined || !isPayloadObject(value)) {
    return state;
  }
  // The state has a single key, so members are added to the value of that key.
  return { [key]: withAddedMembers(value, dice, habits.addedMemberProbability) };
};

/** Varies a question of the current interface. */
export const varyCurrentQuestion = (question: PayloadObject, variation: AnswerVariation): unknown => {
  const { dice, habits } = variation;
  const respelledQuestion = respellMembers(varyQuestion(question, variation), dice.chance(0.5));
  return withAddedMembers(
    dice.chance(habits.otherFormProbability) ? respelledQuestion : varyQuestion(question, variation),
    dice,
    habits.addedMemberProbability,
  );
};

/** Varies a conversation of the current interface. */
export const varyCurrentConversation = (json: PayloadObject, variation: AnswerVariation): unknown => {
  const { dice, habits } = variation;
  const { questions, state, ...rest } = json;
  const changedConversation = dice.chance(habits.otherOptionalProbability)
    ? withoutSomeTimes(varyOptionalMembers(rest, optionalTexts, dice), dice)
    : rest;
  const variedQuestions = isPayloadArray(questions)
    ? questions.map((question) => (isPayloadObject(question) ? varyQuestion(question, variation) : question))
    : questions;
  const completeConversation = Object(
    withAddedMembers({ ...changedConversation, questions: variedQuestions }, dice, habits.addedMemberProbability),
  );
  const statedConversation: unknown = { ...completeConversation, state: varyState(state, variation) };
  return dice.chance(habits.otherFormProbability)
    ? respellMembers(statedConversation, dice.chance(0.5))
    : statedConversation;
};
