import type { ApiAnswer } from "../../conversation/api/api-answer.ts";
import { type ApiCall, askedText } from "../../conversation/api/api-call.ts";
import { isPayloadObject } from "../../payload.ts";
import type { PayloadObject } from "../../payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { without } from "../event-transforms.ts";
import { type Fault, type Variants, howParameter, variantOf, violating } from "../fault.ts";
import { editAnswers, isMeant, replaceAnswers, withJson } from "./answer-edits.ts";
import type { EditContext, InterfaceName } from "./answer-edits.ts";
import { creationNames, isConversation, isSnake, questionsOf, updateNames } from "./conversation-parts.ts";
import { allRefusals, creationRefusals, noConversations, plainRefusals } from "./refusal-variants.ts";
import { countUp } from "./seen-conversations.ts";
import { unfinishedQuestion } from "./unfinished.ts";

/** Whether a call asks a question in the form that the document wants. */
const asksWell = (call: ApiCall): boolean => {
  const { conversation, interface: name, json, operation } = call;
  const isMatching =
    name === "current" || operation === "create" || (isPayloadObject(json) && json["conversation_id"] === conversation);
  return isMatching && askedText(call).trim() !== "";
};

type Asking = "create" | "follow-up";

/** Good questions are read as none, so that nothing is created, and are refused in one way or another. */
const refusedQuestions = (name: InterfaceName, operation: Asking): ConversationEffect => {
  const isGood = (call: EditContext["call"]): boolean =>
    isMeant(call, { interface: name, operations: [operation] }) && asksWell(call);
  const member = name === "current" && operation === "create" ? "conversation" : "question";
  return {
    layer: "conversation",
    request: (json, call) => (isGood(call) && isPayloadObject(json) ? without(json, member) : json),
    apply: (answer, call, run) => {
      if (answer.status !== 400 || !isGood(call)) {
        return answer;
      }
      run.applied();
      return variantOf(operation === "create" ? creationRefusals : plainRefusals, run)?.(name) ?? answer;
    },
  };
};

const creationVariants = (name: InterfaceName): Variants<(answer: ApiAnswer) => ApiAnswer> => ({
  "no-identifier": (answer) =>
    withJson(answer, without(isPayloadObject(answer.json) ? answer.json : {}, name === "legacy" ? "id" : "name")),
  ...(name === "legacy"
    ? {
        "no-question": (answer: ApiAnswer) => withJson(answer, { ...Object(answer.json), questions: [] }),
      }
    : {}),
  ...noConversations,
});

/** Every third read of a conversation that is there: no poller gets only those. */
const thirdReads = (name: InterfaceName, other: (answer: ApiAnswer, context: EditContext) => ApiAnswer | undefined) =>
  replaceAnswers({ interface: name, operations: ["get"] }, (answer, context) =>
    countUp(context.run, `reads ${context.call.conversation}`) % 3 === 0 ? other(answer, context) : undefined,
  );

const newQuestion = (json: PayloadObject, { call, run }: EditContext): PayloadObject => {
  const created = creationNames.concat(updateNames).map((name) => json[name]);
  const now = created.find((time) => typeof time === "string");
  if (call.interface === "legacy") {
    return unfinishedQuestion({
      id: 100_000 + countUp(run, "questions that are lost"),
      conversation_id: call.conversation,
      question: askedText(call),
      created_at: json["updated_at"] ?? now,
    });
  }
  return {
    input: [{ question: { text: askedText(call) } }],
    [isSnake(json) ? "create_time" : "createTime"]: json["update_time"] ?? json["updateTime"] ?? now,
  };
};

/** Follow-ups are answered with the new question as if it had been added, and it never is. */
const lostFollowUps = (name: InterfaceName): ConversationEffect => ({
  ...replaceAnswers({ interface: name, operations: ["follow-up"] }, (answer, context) =>
    isPayloadObject(answer.json) ? withJson(answer, newQuestion(answer.json, context)) : undefined,
  ),
  store: { does: (act, call) => act !== "follow-up" || call.interface !== name },
});

const creationFaults = (name: InterfaceName): readonly Fault[] => [
  violating(`${name}/create-is-accepted`, `${name}-creation-refused`)(
    "Creations with a question are refused, and nothing is created.",
    refusedQuestions(name, "create"),
    howParameter(creationRefusals),
  ),
  violating(`${name}/create-is-accepted`, `${name}-creation-without-conversation`)(
    "Creations are answered with success, and with a body from which the conversation cannot be told.",
    replaceAnswers({ interface: name, operations: ["create"] }, (answer, { run }) =>
      variantOf(creationVariants(name), run)?.(answer),
    ),
    howParameter(creationVariants(name)),
  ),
];

const laterFaults = (name: InterfaceName): readonly Fault[] => [
  violating(`${name}/get-returns-the-conversation`, `${name}-retrieval-refused`)(
    "Every third read of a conversation that is there is refused.",
    thirdReads(name, (_answer, { run }) => variantOf(allRefusals, run)?.(name)),
    howParameter(allRefusals),
  ),
  violating(`${name}/get-returns-the-conversation`, `${name}-retrieval-of-nothing`)(
    "Every third read of a conversation is answered with success and a body that is no conversation.",
    thirdReads(name, (answer, { run }) => variantOf(noConversations, run)?.(answer)),
    howParameter(noConversations),
  ),
  violating(`${name}/follow-up-is-accepted`, `${name}-follow-up-refused`)(
    "Follow-ups to a conversation that has ended are refused.",
    refusedQuestions(name, "follow-up"),
    howParameter(plainRefusals),
  ),
  violating(`${name}/follow-up-is-accepted`, `${name}-follow-up-lost`)(
    "Follow-ups are answered with the new question in progress, and no read ever shows it.",
    lostFollowUps(name),
  ),
];

/** What a follow-up is answered with in the place of its conversation. */
const followUpAnswers: Variants<(answer: ApiAnswer) => ApiAnswer> = {
  "question-alone": (answer) => withJson(answer, questionsOf(answer.json).at(-1)),
  "empty-object": (answer) => withJson(answer, {}),
  empty: ({ status }) => ({ status, headers: {}, text: "" }),
};

/** Faults in asking and in reading what was asked. */
export const askingFaults: readonly Fault[] = [
  ...creationFaults("legacy"),
  ...laterFaults("legacy"),
  ...creationFaults("current"),
  ...laterFaults("current"),
  violating("legacy/follow-up-id-must-match", "legacy-mismatch-accepted")(
    "A follow-up whose body names another conversation is added to the one in the path.",
    {
      layer: "conversation",
      request: (json, call, run) => {
        const isOther = isPayloadObject(json) && typeof json["conversation_id"] === "number";
        if (!isMeant(call, { interface: "legacy", operations: ["follow-up"] }) || !isOther) {
          return json;
        }
        if (json["conversation_id"] !== call.conversation) {
          run.applied();
        }
        return { ...json, conversation_id: call.conversation };
      },
    },
  ),
  violating("legacy/follow-up-answers-the-conversation", "legacy-follow-up-answered-otherwise")(
    "The answer to a legacy follow-up is the new question alone, or nothing of the conversation at all.",
    replaceAnswers({ interface: "legacy", operations: ["follow-up"] }, (answer, { run }) =>
      variantOf(followUpAnswers, run)?.(answer),
    ),
    howParameter(followUpAnswers),
  ),
  violating("legacy/follow-up-answers-the-conversation", "legacy-follow-up-answer-short")(
    "The answer to a legacy follow-up is the conversation with the new question alone.",
    editAnswers({ interface: "legacy", operations: ["follow-up"] }, (json) =>
      isConversation(json) ? { ...json, questions: questionsOf(json).slice(-1) } : json,
    ),
  ),
  violating("legacy/user-id-is-the-owner", "legacy-follow-up-user-id")(
    "The conversation in the answer to a legacy follow-up is that of another user.",
    editAnswers({ interface: "legacy", operations: ["follow-up"] }, (json) =>
      isConversation(json) ? { ...json, user_id: Number(json["user_id"]) + 1 } : json,
    ),
  ),
];
