import type { ApiAnswer } from "../../service/conversation/api/api-answer.ts";
import { type ApiCall, askedText } from "../../service/conversation/api/api-call.ts";
import { noWork, type QuestionOutcome } from "../../service/conversation/conversation-record.ts";
import { isPayloadObject, type PayloadObject } from "../../service/payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { without } from "../event-transforms.ts";
import type { FaultRun } from "../fault-run.ts";
import { type Fault, selectVariant, type Variants, defineViolation, withSettings } from "../fault.ts";
import { withMember } from "../json-mutation.ts";
import {
  passesAll,
  allRefusals,
  changeAnswer,
  isSuccess,
  type CallContext,
  selectCalls,
  editJson,
  emptyAnswer,
  replaceStatus,
  type InterfaceName,
  interfaces,
  nonConversations,
  byMainUser,
  type AnswerCreator,
  plainRefusals,
  changeRequest,
  refusals,
  replaceAnswer,
  withJson,
} from "./call-effects.ts";
import {
  creationNames,
  inLastQuestion,
  listQuestions,
  retryName,
  resetQuestion,
  updateNames,
} from "./conversation-parts.ts";
import { countUp } from "./seen-conversations.ts";

/** Reports whether a call contains a question in the documented form. */
const isValidQuestion = (call: ApiCall): boolean => {
  const { conversationId, interface: name, json, operation } = call;
  const hasMatchingId =
    name === "current" ||
    operation === "create" ||
    (isPayloadObject(json) && json["conversation_id"] === conversationId);
  return hasMatchingId && askedText(call).trim() !== "";
};

/** Removes the question from valid calls, so that nothing is created, and responds with one of several refusals. */
const refuseQuestions = (name: InterfaceName, operation: "create" | "follow-up", refuse: AnswerCreator) => {
  const isValidCall = passesAll(selectCalls(name, operation), isValidQuestion);
  const member = name === "current" && operation === "create" ? "conversation" : "question";
  return {
    ...replaceStatus(400, isValidCall, refuse),
    request: (json, call) => (isValidCall(call) && isPayloadObject(json) ? without(json, member) : json),
  } satisfies ConversationEffect;
};

const withoutQuestions = (answer: ApiAnswer): ApiAnswer => withJson(answer, { ...Object(answer.json), questions: [] });

const createUnusableCreations = (name: InterfaceName): typeof nonConversations => ({
  "no-identifier": (answer) => withJson(answer, without(Object(answer.json), name === "legacy" ? "id" : "name")),
  ...(name === "legacy" ? { "no-question": withoutQuestions } : {}),
  ...nonConversations,
});

/** Replaces every third read of an existing conversation, so that a client that polls also receives correct responses. */
const replaceThirdReads = (
  name: InterfaceName,
  createAnswer: (answer: ApiAnswer, call: ApiCall) => ApiAnswer,
): ConversationEffect =>
  replaceAnswer(selectCalls(name, "get"), (answer, { call, run }) =>
    countUp(run, `reads ${call.conversationId}`) % 3 === 0 ? createAnswer(answer, call) : undefined,
  );

/** Builds the response to a follow-up whose question is not stored. */
const createUnstoredQuestion = (json: PayloadObject, { call, run }: CallContext): PayloadObject => {
  const times = [...updateNames, ...creationNames].map((name) => json[name]);
  const now = times.find((time) => typeof time === "string");
  return call.interface === "legacy"
    ? resetQuestion({
        id: 100_000 + countUp(run, "questions that are lost"),
        conversation_id: call.conversationId,
        question: askedText(call),
        created_at: now,
      })
    : {
        input: [{ question: { text: askedText(call) } }],
        [retryName(json) === "retry_time" ? "create_time" : "createTime"]: now,
      };
};

/** Adds such a question to a conversation. */
const addUnstoredQuestion = (json: PayloadObject, context: CallContext): PayloadObject => ({
  ...json,
  questions: [...listQuestions(json), createUnstoredQuestion(json, context)],
});

/** An answer that is available immediately. */
export const readyAnswer: QuestionOutcome = {
  kind: "completed",
  title: "An answer that already existed",
  answer: "This was asked before, so the answer already existed.",
  sources: [],
  followups: ["Who asked it?"],
  stats: { ...noWork, timeMs: 1, toolCalls: 1 },
};

const immediateOutcomes: Variants<QuestionOutcome> = {
  completed: readyAnswer,
  failed: {
    kind: "failed",
    title: "An error at once",
    code: "ERROR_INTERNAL",
    message: "The question could not be answered because of a failure inside the server.",
    stats: noWork,
  },
};

/** Operations that ask a new question. */
const askingOperations = { creation: "create", "follow-up": "follow-up" } as const;
const operationParameter = ["after", "the call that asks the question"] as const;

/** Ends the first question of its kind immediately. A legacy question keeps the user's turn. */
const endImmediately = (name: InterfaceName, operation: "create" | "follow-up", outcome: QuestionOutcome) => {
  const isSelected = selectCalls(name, operation);
  return {
    ...editJson(selectCalls("legacy", "create"), (json, context) =>
      context.run.memory.get("ended") === true
        ? inLastQuestion((question) => ({ ...question, turns: resetQuestion(question)["turns"] }))(json, context)
        : json,
    ),
    store: {
      immediateOutcome: (_question, call, run) => {
        const endsNow = isSelected(call) && countUp(run, "at once") === 1;
        run.memory.set("ended", endsNow);
        if (!endsNow) {
          return undefined;
        }
        run.recordChange();
        return outcome;
      },
    },
  } satisfies ConversationEffect;
};

/** Faults that lose an accepted question, or a conversation under its id. */
const createLosses = (name: InterfaceName): readonly Fault[] => [
  defineViolation(`${name}/follow-up-is-accepted`, `${name}-follow-up-lost`)(
    "Responses to follow-ups contain the new question in progress, but no read ever does.",
    withSettings({ after: { title: "how many follow-ups are kept before", default: 0 } }, ({ after }) => {
      // The count of each conversation is of both interfaces, so that the fault shows only to who asks often enough.
      const isLost = (conversationId: number | undefined, { memory }: FaultRun): boolean =>
        Number(memory.get(`follow-ups ${conversationId}`) ?? 0) > after;
      return {
        ...editJson(selectCalls(name, "follow-up"), (json, context) =>
          isLost(context.call.conversationId, context.run) ? createUnstoredQuestion(json, context) : json,
        ),
        store: {
          shouldPerform: (act, { conversationId, interface: interfaceName }, run) => {
            if (act === "follow-up") {
              countUp(run, `follow-ups ${conversationId}`);
            }
            return act !== "follow-up" || interfaceName !== name || !isLost(conversationId, run);
          },
        },
      };
    }),
  ),
  defineViolation(`${name}/follow-up-is-accepted`, `${name}-simultaneous-follow-up-lost`)(
    "A follow-up while another one is in progress is accepted like that one, but never added.",
    changeAnswer(passesAll(selectCalls(name, "follow-up"), byMainUser), (answer, context) => {
      const { call, run } = context;
      const key = `accepted follow-up ${call.conversationId}`;
      const accepted = run.memory.get(key);
      if (isSuccess(answer)) {
        run.memory.set(key, answer.json);
      }
      return answer.status === 400 && isValidQuestion(call) && isPayloadObject(accepted)
        ? { status: 200, headers: answer.headers, json: addUnstoredQuestion(accepted, context) }
        : answer;
    }),
  ),
  defineViolation(`${name}/id-is-not-reused`, `${name}-id-reused`)(
    "The first conversation after a deletion has the id of the deleted one.",
    {
      layer: "conversation",
      store: {
        shouldPerform: (act, { conversationId, interface: interfaceName }, { memory }) => {
          if (act === "delete" && interfaceName === name && !memory.has("free id")) {
            memory.set("free id", conversationId);
          }
          return true;
        },
        newId: (id, call, run) => {
          const freeId = run.memory.get("free id");
          if (call.interface !== name || typeof freeId !== "number") {
            return id;
          }
          run.memory.set("free id", "used");
          run.recordChange();
          return freeId;
        },
      },
    },
  ),
];

const createFaults = (name: InterfaceName): readonly Fault[] => [
  defineViolation(`${name}/created-in-progress`, `${name}-ended-at-once`)(
    "The answer to the first creation, or to the first follow-up, shows the question as ended.",
    selectVariant(immediateOutcomes, (outcome) =>
      selectVariant(askingOperations, (operation) => endImmediately(name, operation, outcome), operationParameter),
    ),
  ),
  defineViolation(`${name}/create-is-accepted`, `${name}-creation-refused`)(
    "Creations with a question are refused, and nothing is created.",
    // A 404 would mean that the interface does not exist.
    selectVariant(refusals(400, 422), (refuse) => refuseQuestions(name, "create", refuse)),
  ),
  defineViolation(`${name}/create-is-accepted`, `${name}-creation-without-conversation`)(
    "Creations succeed, but the body of the response does not identify the conversation.",
    selectVariant(createUnusableCreations(name), (change) => replaceAnswer(selectCalls(name, "create"), change)),
  ),
  defineViolation(`${name}/create-is-accepted`, `${name}-creation-makes-two`)(
    "Each creation creates two conversations and returns the first.",
    {
      layer: "conversation",
      store: {
        creationCount: (count, call, run) => {
          const isSelected = call.interface === name && byMainUser(call);
          if (isSelected) {
            run.recordChange();
          }
          return isSelected ? 2 * count : count;
        },
      },
    },
  ),
  defineViolation(`${name}/get-returns-the-conversation`, `${name}-retrieval-refused`)(
    "Every third read of an existing conversation is refused.",
    selectVariant(allRefusals, (refuse) => replaceThirdReads(name, (_answer, call) => refuse(call))),
  ),
  defineViolation(`${name}/get-returns-the-conversation`, `${name}-retrieval-of-nothing`)(
    "Every third read of a conversation succeeds, but returns a body that is not a conversation.",
    selectVariant(nonConversations, (change) => replaceThirdReads(name, change)),
  ),
  defineViolation(`${name}/follow-up-is-accepted`, `${name}-follow-up-refused`)(
    "Follow-ups to a conversation that has ended are refused.",
    selectVariant(plainRefusals, (refuse) => refuseQuestions(name, "follow-up", refuse)),
  ),
  ...createLosses(name),
];

const followUps = selectCalls("legacy", "follow-up");

/** Bodies of responses to a follow-up, instead of the conversation. */
const followUpAnswers: Variants<(answer: ApiAnswer) => ApiAnswer> = {
  "question-alone": (answer) => withJson(answer, listQuestions(answer.json).at(-1)),
  "empty-object": (answer) => withJson(answer, {}),
  empty: ({ status }) => emptyAnswer(status),
};

/** Faults in asking questions and in reading conversations. */
export const askingFaults: readonly Fault[] = [
  ...interfaces.flatMap(createFaults),
  defineViolation("legacy/created-in-progress", "legacy-pending-at-once")(
    "The answer to a creation, or to a follow-up, shows the new question pending.",
    selectVariant(
      askingOperations,
      (operation) => editJson(selectCalls("legacy", operation), inLastQuestion(withMember("status", "pending"))),
      operationParameter,
    ),
  ),
  defineViolation("legacy/follow-up-id-must-match", "legacy-mismatch-accepted")(
    "A follow-up whose body contains the id of a different conversation is added to the one in the path.",
    changeRequest(followUps, (json, { call: { conversationId } }) =>
      isPayloadObject(json) && typeof json["conversation_id"] === "number" && json["conversation_id"] !== conversationId
        ? { ...json, conversation_id: conversationId }
        : json,
    ),
  ),
  defineViolation("legacy/follow-up-answers-the-conversation", "legacy-follow-up-answered-otherwise")(
    "The answer to a legacy follow-up is only the new question, or contains nothing of the conversation.",
    selectVariant(followUpAnswers, (change) => replaceAnswer(followUps, change)),
  ),
  defineViolation("legacy/follow-up-answers-the-conversation", "legacy-follow-up-answer-short")(
    "The answer to a legacy follow-up is the conversation with only the new question.",
    editJson(followUps, (json) => ({ ...json, questions: listQuestions(json).slice(-1) })),
  ),
  defineViolation("legacy/user-id-is-the-owner", "legacy-follow-up-user-id")(
    "The conversation in the answer to a legacy follow-up is that of another user.",
    editJson(followUps, (json) => ({ ...json, user_id: Number(json["user_id"]) + 1 })),
  ),
];
