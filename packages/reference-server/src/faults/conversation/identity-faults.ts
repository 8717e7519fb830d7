import { setTimeout as pause } from "node:timers/promises";
import type { ApiAnswer } from "../../conversation/api/api-answer.ts";
import type { PayloadObject } from "../../payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { type Fault, type Variants, howParameter, variantOf, violating } from "../fault.ts";
import { editAnswers, isMeant, isSuccess, showing } from "./answer-edits.ts";
import type { EditContext, InterfaceName } from "./answer-edits.ts";
import { changeQuestions, isConversation } from "./conversation-parts.ts";
import { isSecondRead, keptApart } from "./seen-conversations.ts";

/** Far from all ids that a test meets. */
const distance = 100_000;

/** The number under a name, far away; anything else stays. */
const farther = (data: PayloadObject, name: string): PayloadObject => {
  const number = data[name];
  return typeof number === "number" ? { ...data, [name]: number + distance } : data;
};

const conversationMoved = (json: PayloadObject): unknown => {
  const changed = changeQuestions(json, (question) => farther(question, "conversation_id"));
  return isConversation(json) ? { ...Object(changed), ...farther({ id: json["id"] }, "id") } : json;
};

const idVariants: Variants<(json: PayloadObject) => unknown> = {
  "of-the-conversation": conversationMoved,
  "of-the-questions": (json) => changeQuestions(json, (question) => farther(question, "id")),
  "in-a-follow-up": conversationMoved,
};

/** The name with another last part. */
const otherName = (name: string): string => name.replace(/\d+$/u, (id) => String(Number(id) + distance));

const nameVariants: Variants<(name: string) => string> = {
  "another-conversation": otherName,
  "another-user": (name) => name.replace(/^users\/[^/]+/u, "users/~self"),
  "a-user-by-name": (name) => name.replace(/^users\/[^/]+/u, "users/somebody"),
};

const inSecondReads =
  (change: (json: PayloadObject, context: EditContext) => unknown) =>
  (json: PayloadObject, context: EditContext): unknown =>
    isSecondRead(json, context) ? change(json, context) : json;

const strayVariants: Variants<(index: number) => boolean> = { all: () => true, "the-first": (index) => index === 0 };

/** Long enough for reads that are sent at the same moment to be there all. */
const heldMs = 60;

/**
 * What a read is to answer is kept in one place for all calls: a read that is held up while another one comes is answered
 * with what that one asked for, as it was last read.
 */
const mixedUp = (name: InterfaceName): ConversationEffect => {
  const reads = { interface: name, operations: ["get"] } as const;
  return {
    layer: "conversation",
    hold: (call, run) => {
      if (!isMeant(call, reads)) {
        return undefined;
      }
      run.memory.set("asked for last", call.conversation);
      return pause(heldMs);
    },
    apply: (answer, call, run) => {
      if (!isMeant(call, reads) || !isSuccess(answer)) {
        return answer;
      }
      const answers = answersIn(run.memory);
      answers.set(call.conversation, answer);
      const other = answers.get(Number(run.memory.get("asked for last"))) ?? answer;
      if (other !== answer) {
        run.applied();
      }
      return other;
    },
  };
};

/** The answers to reads that are kept in the memory of a server, by conversation. */
const answersIn = (memory: Map<string, unknown>): Map<number | undefined, ApiAnswer> => {
  const kept = memory.get("read answers");
  const answers: Map<number | undefined, ApiAnswer> = kept instanceof Map ? kept : new Map();
  memory.set("read answers", answers);
  return answers;
};

/** Reads of one interface that are answered with another conversation where they overlap. */
const mixedUpFault = (attacks: string, name: InterfaceName): Fault =>
  violating(attacks, `${name}-parallel-reads-mixed-up`)(
    "A read is answered with the conversation of the read that came last, if one came while it was under way.",
    mixedUp(name),
  );

/** Faults in which conversation and which question an answer is about. */
export const identityFaults: readonly Fault[] = [
  violating("legacy/ids-are-stable", "legacy-ids-changed")(
    "Every second read of a finished conversation, or each follow-up, is answered with other ids.",
    keptApart(
      editAnswers({ interface: "legacy", operations: ["get", "follow-up"] }, (json, context) => {
        const { call, run } = context;
        const isInFollowUp = run.values["how"] === "in-a-follow-up";
        const isNow = isInFollowUp ? call.operation === "follow-up" : isSecondRead(json, context);
        return isNow ? (variantOf(idVariants, run)?.(json) ?? json) : json;
      }),
    ),
    howParameter(idVariants),
  ),
  violating("legacy/question-belongs-to-conversation", "legacy-question-astray")(
    "Questions say that they are in another conversation than the one they come with.",
    editAnswers({ interface: "legacy", operations: showing }, (json, { run }) =>
      changeQuestions(json, (question, index) =>
        variantOf(strayVariants, run)?.(index) === true ? farther(question, "conversation_id") : question,
      ),
    ),
    howParameter(strayVariants),
  ),
  violating("current/name-is-stable", "current-name-changed")(
    "Every second read of a finished conversation tells another name.",
    keptApart(
      editAnswers(
        { interface: "current", operations: ["get"] },
        inSecondReads((json, { run }) => ({
          ...json,
          name: variantOf(nameVariants, run)?.(String(json["name"])) ?? json["name"],
        })),
      ),
    ),
    howParameter(nameVariants),
  ),
  mixedUpFault("legacy/ids-are-stable", "legacy"),
  mixedUpFault("current/name-is-stable", "current"),
];
