import { isPayloadArray, isPayloadObject, type PayloadObject } from "../../service/payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { without } from "../event-transforms.ts";
import {
  type Fault,
  defineLegalVariation,
  selectEffect,
  selectVariant,
  type Variants,
  defineViolation,
} from "../fault.ts";
import { identity, withMember, withoutMember, invalidValues, type JsonMutation } from "../json-mutation.ts";
import {
  passesAll,
  selectCalls,
  type CallTest,
  editJson,
  type JsonEdit,
  namedVariants,
  returnsConversation,
} from "./call-effects.ts";
import {
  createBlock,
  replaceValue,
  inError,
  inLastQuestion,
  inQuestions,
  inText,
  isConversation,
  isFinished,
  retryName,
  usedSpelling,
  readAnswerText,
  editWhen,
  withExtraEntry,
} from "./conversation-parts.ts";
import { hiddenFromOtherInterface } from "./seen-conversations.ts";

const creationCalls = selectCalls("current", "create");
const retrievalCalls = selectCalls("current", "get");
const conversationCalls = returnsConversation("current");

const editRetrieved = (mutate: JsonMutation): ConversationEffect =>
  editJson(retrievalCalls, editWhen(isConversation, mutate));
const editCreated = (mutate: JsonMutation): ConversationEffect =>
  editJson(creationCalls, editWhen(isConversation, mutate));
/** Edits every response with a conversation. Rules that compare responses would also report a member that is missing from only some. */
const editConversations = (mutate: JsonMutation): ConversationEffect =>
  editJson(conversationCalls, editWhen(isConversation, mutate));

const invalidConversations: Variants<ConversationEffect> = {
  ...invalidValues(editRetrieved, { name: ["missing", "number"] }),
  ...invalidValues(editCreated, { state: ["missing"] }),
  ...invalidValues(editConversations, { questions: ["missing", "null", "object"] }),
};

/** Undocumented members, of unexpected types. */
const openMembers: Variants<JsonMutation> = {
  "title-number": withMember("title", 7),
  "url-object": withMember("url", {}),
  "create-time-number": (json) => ({ ...json, [usedSpelling(json, "create_time")]: 1_700_000_000 }),
  "update-time-object": (json) => ({ ...json, [usedSpelling(json, "update_time")]: { seconds: 1_700_000_000 } }),
};

const isFirstPage: CallTest = ({ json }) =>
  !isPayloadObject(json) || (json["pageToken"] ?? json["page_token"]) === undefined;

/** Adds a conversation that was never created. */
const addMisnamedConversation = (name: string): ConversationEffect =>
  editJson(passesAll(selectCalls("current", "list"), isFirstPage), withExtraEntry(name));

const malformedStates: Variants<unknown> = {
  text: "processing",
  "text-of-an-enum": "STATE_PROCESSING",
  null: null,
  list: [{ processing: {} }],
  "no-key": {},
  "two-keys": { processing: {}, completed: {} },
  "null-inside": { processing: null },
  "flag-inside": { processing: true },
};

/** Replaces the retry time of an error with these members. It is removed if there are none. */
const withRetryTime =
  (time: PayloadObject): JsonMutation =>
  (error) => ({ ...["retry_time", "retryTime"].reduce(without, error), ...time });

const errorMutations: Variants<JsonMutation> = {
  ...invalidValues(identity, { code: ["missing", "number"], message: ["missing", "null", "object"] }),
  "retry-time-missing": withRetryTime({}),
  "retry-time-null": withRetryTime({ retry_time: null }),
};

const codeMutations: Variants<JsonMutation> = {
  unlisted: withMember("code", "ERROR_MODEL_UNAVAILABLE"),
  unspecified: withMember("code", "ERROR_UNSPECIFIED"),
  "small-letters": inText("code", (code) => code.toLowerCase()),
  empty: withMember("code", ""),
};

/** Codes of exceeded limits, each with the code that replaces it. */
const otherLimits: Variants<readonly [string, string]> = {
  "quota-as-internal": ["ERROR_QUOTA_EXCEEDED", "ERROR_INTERNAL"],
  "entitlement-as-quota": ["ERROR_ENTITLEMENT_EXCEEDED", "ERROR_QUOTA_EXCEEDED"],
};

const retryTimes: Variants<unknown> = {
  words: "in five minutes",
  duration: 3600,
  "duration-after-1970": "1970-01-01T01:00:00Z",
  fraction: 1_700_000_000.5,
  date: "2024-01-01",
  "no-offset": "2024-01-01T00:00:00",
  "no-such-hour": "2024-01-01T25:00:00Z",
  object: { inSeconds: 60 },
};

const otherRetryTimes: Variants<JsonMutation> = {
  "other-offset": withRetryTime({ retryTime: "2030-01-01T02:00:00+02:00" }),
  nanoseconds: withRetryTime({ retry_time: "2030-01-01T00:00:00.123456789Z" }),
};

/** Sets the retry time of the error, under the name that the conversation's spelling requires. */
const editRetryTime =
  (time: unknown): JsonEdit =>
  (json, context) =>
    inError(withMember(retryName(json), time))(json, context);

const malformedAnswers: Variants<unknown> = {
  number: 7,
  object: { markdown: { text: "It is there." } },
  "list-of-texts": ["It is there."],
  "block-without-text": [{ markdown: {} }],
  "block-with-number": [{ markdown: { text: 7 } }],
  "block-of-text": [{ markdown: "It is there." }],
  "null-in-list": [{ markdown: { text: "It is there." } }, null],
};

/** Converts the text of an answer to content blocks. */
const answersInBlocks: Variants<(text: string) => unknown> = {
  blocks: (text) => [createBlock(text)],
  "several-blocks": (text) => [createBlock(text.slice(0, 9)), createBlock(text.slice(9)), createBlock("")],
  "blocks-of-other-sorts": (text) => [{ image: { uri: "https://search.example/a.png" } }, createBlock(text), {}],
};

const emptyAnswers: Variants<JsonMutation> = {
  missing: withoutMember("answer"),
  null: withMember("answer", null),
  "empty-text": withMember("answer", ""),
  "no-blocks": withMember("answer", []),
  "block-of-nothing": withMember("answer", [{ markdown: { text: "" } }]),
};

const hasAnswer = ({ answer }: PayloadObject): boolean =>
  typeof answer === "string" ? answer !== "" : isPayloadArray(answer) && answer.length > 0;

const editAnswered = (mutate: JsonMutation): ConversationEffect =>
  hiddenFromOtherInterface(editJson(conversationCalls, inQuestions(editWhen(hasAnswer, mutate))));

const addEarlyAnswer: JsonEdit = (json, context) => {
  const beginning = "It is in ";
  const answer = retryName(json) === "retry_time" ? beginning : [{ markdown: { text: beginning } }];
  return isFinished(json) ? json : inLastQuestion(withMember("answer", answer))(json, context);
};

/** Copies or moves the state of the conversation to its last question. */
const moveStateToQuestion =
  (isMoved: boolean): JsonEdit =>
  (json, context) =>
    isConversation(json) && json["state"] !== undefined
      ? inLastQuestion(withMember("state", json["state"]))(isMoved ? without(json, "state") : json, context)
      : json;

/** Faults in the form of current conversations and their questions. */
export const currentAnswerFaults: readonly Fault[] = [
  defineLegalVariation("current-members-of-other-types")(
    "Title, address and times of the current interface have unknown types.",
    selectVariant(openMembers, (mutate) => editJson(retrievalCalls, editWhen(isConversation, mutate))),
  ),
  defineLegalVariation("current-state-of-questions")(
    "The last question of a conversation contains the state. The conversation contains it too, or has no state.",
    selectVariant({ "as-well": false, instead: true }, (isMoved) =>
      editJson(conversationCalls, moveStateToQuestion(isMoved)),
    ),
  ),
  defineLegalVariation("current-retry-time-as-number")(
    "The error of failed conversations has the retry time as an integer, in seconds since 1970.",
    editJson(conversationCalls, editRetryTime(1_700_000_000)),
  ),
  defineLegalVariation("current-retry-time")(
    "The error of failed conversations has its retry time in a different format.",
    selectVariant(otherRetryTimes, (time) => editJson(conversationCalls, inError(time))),
  ),
  defineViolation("current/conversation-fits-schema", "current-conversation-malformed")(
    "Conversations of the current interface lack a member or have a member of the wrong type.",
    selectVariant(invalidConversations, hiddenFromOtherInterface),
  ),
  defineViolation("current/name-is-a-resource-name", "current-name-malformed")(
    "The first page of a list contains an extra conversation with a name of a different form, or reads return one.",
    selectEffect({
      "id-alone": addMisnamedConversation("700001"),
      "no-user": addMisnamedConversation("conversations/700002"),
      "other-collection": addMisnamedConversation("users/1/chats/700003"),
      "slash-before": addMisnamedConversation("/users/1/conversations/700004"),
      // Only the id of the caller's own name is cut off.
      "slash-after": editJson(
        retrievalCalls,
        inText("name", (name) => `${name}/`),
      ),
    }),
  ),
  defineViolation("current/state-has-one-key", "current-state-malformed")(
    "The state in responses to creations has a different form.",
    selectVariant(malformedStates, (state) => editJson(creationCalls, withMember("state", state))),
  ),
  defineViolation("current/state-is-listed", "current-state-unlisted")(
    "The state in responses to creations is not listed.",
    selectVariant(namedVariants("queued", "cancelled", "failed", "PROCESSING"), (state) =>
      editJson(creationCalls, withMember("state", { [state]: {} })),
    ),
  ),
  defineViolation("current/error-has-its-members", "current-error-malformed")(
    "The error of failed conversations lacks its code, message or retry time, or has an invalid value.",
    selectVariant(errorMutations, (mutate) => editJson(conversationCalls, inError(mutate))),
  ),
  defineViolation("current/error-code-is-listed", "current-error-code-unlisted")(
    "The error of failed conversations has a different code.",
    selectVariant(codeMutations, (mutate) => editJson(conversationCalls, inError(mutate))),
  ),
  defineViolation("current/exceeded-limit-has-its-error", "current-error-of-another-limit")(
    "Users without remaining quota or entitlement get a different one of the listed errors.",
    selectVariant(otherLimits, ([limit, code]) =>
      editJson(conversationCalls, inError(replaceValue("code", limit, code))),
    ),
  ),
  defineViolation("current/retry-time-is-a-timestamp", "current-retry-time-malformed")(
    "The error of failed conversations has a retry time in a different form.",
    selectVariant(retryTimes, (time) => editJson(conversationCalls, editRetryTime(time))),
  ),
  defineViolation("current/answer-is-unchanged", "current-answer-malformed")(
    "Answers are neither text nor content blocks.",
    selectVariant(malformedAnswers, (answer) => editAnswered(withMember("answer", answer))),
  ),
  defineViolation("current/answer-is-unchanged", "current-answer-in-blocks")(
    "Answers are arrays of content blocks.",
    selectVariant(answersInBlocks, (form) =>
      editJson(
        conversationCalls,
        inQuestions(
          editWhen(hasAnswer, (question) => ({ ...question, answer: form(readAnswerText(question["answer"])) })),
        ),
      ),
    ),
  ),
  defineLegalVariation("current-answer-too-early")(
    "The last question of a conversation that is processing contains the beginning of an answer.",
    selectVariant({ "while-polling": retrievalCalls, "at-once": creationCalls }, (calls) =>
      editJson(calls, addEarlyAnswer),
    ),
  ),
  defineViolation("current/completed-has-an-answer", "current-answer-missing")(
    "Completed questions have no answer, or an answer without text.",
    selectVariant(emptyAnswers, editAnswered),
  ),
];
