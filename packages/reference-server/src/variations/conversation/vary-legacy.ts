import { isRunning } from "../../faults/conversation/conversation-parts.ts";
import { without } from "../../faults/event-transforms.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../../service/payload.ts";
import { withAddedMembers } from "../added-members.ts";
import { type OptionalMembers, varyOptionalMembers } from "../optional-members.ts";
import type { Dice } from "../dice.ts";
import type { AnswerVariation } from "./answer-habits.ts";

const agentTurn = {
  reasoning: "Looked for the words of the question.\u{2028}",
  timestamp: 1_700_000_000,
  role: "assistant",
};

/** Kinds that duplicate information from a different member or interface. */
const fixedKinds: ReadonlySet<unknown> = new Set(["Cancelled", "TokenLimitExceeded"]);

const newKinds = ["ModelUnavailable", "kind of its own", ""] as const;

/** Members that must not change after completion, so their variation is the same in all answers. */
const stableMembers = ["sources", "error"] as const;

const otherError = (error: unknown, dice: Dice): unknown =>
  isPayloadObject(error) && !fixedKinds.has(error["kind"]) && dice.chance(0.4)
    ? { ...error, kind: dice.pick(newKinds) }
    : error;

const varyStableMembers = (question: PayloadObject, { habits }: AnswerVariation): PayloadObject =>
  Object.fromEntries(
    stableMembers
      .filter((name) => name in question)
      .map((name) => {
        const dice = habits.diceFor(question[name]);
        const value = name === "error" ? otherError(question[name], dice) : question[name];
        return [name, withAddedMembers(value, dice, habits.addedMemberProbability)];
      }),
  );

/** Optional members of a question in progress, with alternative values of the same meaning. */
const runningOptionals: OptionalMembers = { title: [], answer: [], sources: [], error: [], suggested_followups: [] };
/** Drops stats and turns, which are required only in a question that was just created. */
const seenOptionals: OptionalMembers = { ...runningOptionals, stats: [], turns: [[], [agentTurn]] };
const endedOptionals: OptionalMembers = { turns: [[], [agentTurn, agentTurn]] };

/** Omits null members. Only suggested follow-ups may be null. */
const withoutNulls = (data: PayloadObject): PayloadObject =>
  Object.fromEntries(Object.entries(data).filter(([name, value]) => value !== null || name === "suggested_followups"));

const varyRunning = (question: PayloadObject, isNew: boolean, variation: AnswerVariation): PayloadObject => {
  const { dice, habits, operation } = variation;
  const optionals = isNew ? runningOptionals : seenOptionals;
  const changedQuestion = dice.chance(habits.otherOptionalProbability)
    ? withoutNulls(varyOptionalMembers(question, optionals, dice))
    : question;
  const isPending = operation === "get" && dice.chance(habits.otherFormProbability / 2);
  return isPending ? { ...changedQuestion, status: "pending" } : changedQuestion;
};

const varyEnded = (question: PayloadObject, variation: AnswerVariation): PayloadObject => {
  const { dice, habits } = variation;
  if (!dice.chance(habits.otherOptionalProbability)) {
    return question;
  }
  const changedQuestion = withoutNulls(varyOptionalMembers(question, endedOptionals, dice));
  return dice.chance(0.3) ? { ...changedQuestion, suggested_followups: [] } : changedQuestion;
};

/** Varies a legacy question. `isNew` is true in the response that created it. */
export const varyLegacyQuestion = (
  question: PayloadObject,
  isNew: boolean,
  variation: AnswerVariation,
): PayloadObject => {
  const { dice, habits } = variation;
  const changedQuestion = isRunning(question)
    ? varyRunning(question, isNew, variation)
    : varyEnded(question, variation);
  const otherMembers = withAddedMembers(
    stableMembers.reduce(without, changedQuestion),
    dice,
    habits.addedMemberProbability,
  );
  return { ...Object(otherMembers), ...varyStableMembers(changedQuestion, variation) };
};

/** Members that only a retrieved conversation must have. */
const retrievalOptionals: OptionalMembers = { viewer: [{ is_owner: true }], quota_usage: [] };

/** Varies a legacy conversation. */
export const varyLegacyConversation = (json: PayloadObject, variation: AnswerVariation): PayloadObject => {
  const { dice, habits, operation } = variation;
  const isAsking = operation === "create" || operation === "follow-up";
  const questions = isPayloadArray(json["questions"]) ? json["questions"] : [];
  const variedQuestions = questions.map((question, index) =>
    isPayloadObject(question)
      ? varyLegacyQuestion(question, isAsking && index === questions.length - 1, variation)
      : question,
  );
  const { questions: _questions, ...rest } = json;
  const changedConversation =
    operation === "get" ? rest : withoutNulls(varyOptionalMembers(rest, retrievalOptionals, dice));
  return {
    ...Object(withAddedMembers(changedConversation, dice, habits.addedMemberProbability)),
    questions: variedQuestions,
  };
};
