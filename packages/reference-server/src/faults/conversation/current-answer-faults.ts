import { isPayloadArray, isPayloadObject, type PayloadObject } from "../../service/payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { without } from "../event-transforms.ts";
import { type Fault, legal, oneEffectOf, oneOf, type Variants, violating } from "../fault.ts";
import { asItIs, having, lacking, misfits, type Spoil } from "../spoiling.ts";
import { allOf, callsOf, type CallTest, editing, type JsonEdit, named, showing } from "./call-effects.ts";
import {
  block,
  exchanging,
  inError,
  inLastQuestion,
  inQuestions,
  inText,
  isConversation,
  isFinished,
  retryName,
  spelled,
  textOf,
  when,
  withOneMore,
} from "./conversation-parts.ts";
import { keptApart } from "./seen-conversations.ts";

const creations = callsOf("current", "create");
const retrievals = callsOf("current", "get");
const answers = showing("current");

const retrieved = (spoil: Spoil): ConversationEffect => editing(retrievals, when(isConversation, spoil));
const created = (spoil: Spoil): ConversationEffect => editing(creations, when(isConversation, spoil));
/** What is never shown is not missed later. */
const shown = (spoil: Spoil): ConversationEffect => editing(answers, when(isConversation, spoil));

const conversationMisfits: Variants<ConversationEffect> = {
  ...misfits(retrieved, { name: ["missing", "number"] }),
  ...misfits(created, { state: ["missing"] }),
  ...misfits(shown, { questions: ["missing", "null", "object"] }),
};

/** Members of which the document does not tell, of types that nobody saw. */
const openMembers: Variants<Spoil> = {
  "title-number": having("title", 7),
  "url-object": having("url", {}),
  "create-time-number": (json) => ({ ...json, [spelled(json, "create_time")]: 1_700_000_000 }),
  "update-time-object": (json) => ({ ...json, [spelled(json, "update_time")]: { seconds: 1_700_000_000 } }),
};

const isFirstPage: CallTest = ({ json }) =>
  !isPayloadObject(json) || (json["pageToken"] ?? json["page_token"]) === undefined;

/** One more conversation, which nobody asked for. */
const misnamed = (name: string): ConversationEffect =>
  editing(allOf(callsOf("current", "list"), isFirstPage), withOneMore(name));

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

/** The error with a time to retry by one of its names, or with none. */
const retriedAt =
  (time: PayloadObject): Spoil =>
  (error) => ({ ...["retry_time", "retryTime"].reduce(without, error), ...time });

const errors: Variants<Spoil> = {
  ...misfits(asItIs, { code: ["missing", "number"], message: ["missing", "null", "object"] }),
  "retry-time-missing": retriedAt({}),
  "retry-time-null": retriedAt({ retry_time: null }),
};

const codes: Variants<Spoil> = {
  unlisted: having("code", "ERROR_MODEL_UNAVAILABLE"),
  unspecified: having("code", "ERROR_UNSPECIFIED"),
  "small-letters": inText("code", (code) => code.toLowerCase()),
  empty: having("code", ""),
};

/** The code of one exceeded limit, and another in its place. */
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

const otherRetryTimes: Variants<Spoil> = {
  "other-offset": retriedAt({ retryTime: "2030-01-01T02:00:00+02:00" }),
  nanoseconds: retriedAt({ retry_time: "2030-01-01T00:00:00.123456789Z" }),
};

/** Another time to retry. */
const retrying =
  (time: unknown): JsonEdit =>
  (json, context) =>
    inError(having(retryName(json), time))(json, context);

const malformedAnswers: Variants<unknown> = {
  number: 7,
  object: { markdown: { text: "It is there." } },
  "list-of-texts": ["It is there."],
  "block-without-text": [{ markdown: {} }],
  "block-with-number": [{ markdown: { text: 7 } }],
  "block-of-text": [{ markdown: "It is there." }],
  "null-in-list": [{ markdown: { text: "It is there." } }, null],
};

/** The text of an answer in content blocks. */
const answersInBlocks: Variants<(text: string) => unknown> = {
  blocks: (text) => [block(text)],
  "several-blocks": (text) => [block(text.slice(0, 9)), block(text.slice(9)), block("")],
  "blocks-of-other-sorts": (text) => [{ image: { uri: "https://search.example/a.png" } }, block(text), {}],
};

const noAnswers: Variants<Spoil> = {
  missing: lacking("answer"),
  null: having("answer", null),
  "empty-text": having("answer", ""),
  "no-blocks": having("answer", []),
  "block-of-nothing": having("answer", [{ markdown: { text: "" } }]),
};

const hasAnswer = ({ answer }: PayloadObject): boolean =>
  typeof answer === "string" ? answer !== "" : isPayloadArray(answer) && answer.length > 0;

const inAnswered = (spoil: Spoil): ConversationEffect =>
  keptApart(editing(answers, inQuestions(when(hasAnswer, spoil))));

const earlyAnswer: JsonEdit = (json, context) => {
  const beginning = "It is in ";
  const answer = retryName(json) === "retry_time" ? beginning : [{ markdown: { text: beginning } }];
  return isFinished(json) ? json : inLastQuestion(having("answer", answer))(json, context);
};

/** The state of a conversation in its last question, as well as in the conversation or instead of it. */
const stateInQuestion =
  (isInstead: boolean): JsonEdit =>
  (json, context) =>
    isConversation(json) && json["state"] !== undefined
      ? inLastQuestion(having("state", json["state"]))(isInstead ? without(json, "state") : json, context)
      : json;

/** Faults in the form of conversations of the current interface and of what they hold. */
export const currentAnswerFaults: readonly Fault[] = [
  legal("current-members-of-other-types")(
    "Title, address and times of the current interface are of types that nobody saw before.",
    oneOf(openMembers, (spoil) => editing(retrievals, when(isConversation, spoil))),
  ),
  legal("current-state-of-questions")(
    "The last question of a conversation has the state, and the conversation has it too or has none.",
    oneOf({ "as-well": false, instead: true }, (isInstead) => editing(answers, stateInQuestion(isInstead))),
  ),
  legal("current-retry-time-as-number")(
    "The error of failed conversations tells the time to retry as an integer, in seconds since 1970.",
    editing(answers, retrying(1_700_000_000)),
  ),
  legal("current-retry-time")(
    "The error of failed conversations has its time to retry written otherwise.",
    oneOf(otherRetryTimes, (time) => editing(answers, inError(time))),
  ),
  violating("current/conversation-fits-schema", "current-conversation-malformed")(
    "Conversations of the current interface lack a member or have one of another type.",
    oneOf(conversationMisfits, keptApart),
  ),
  violating("current/name-is-a-resource-name", "current-name-malformed")(
    "The first page of a list has one more conversation with another sort of name, or reads tell one.",
    oneEffectOf({
      "id-alone": misnamed("700001"),
      "no-user": misnamed("conversations/700002"),
      "other-collection": misnamed("users/1/chats/700003"),
      "slash-before": misnamed("/users/1/conversations/700004"),
      // Nothing is cut off the own name but the id.
      "slash-after": editing(
        retrievals,
        inText("name", (name) => `${name}/`),
      ),
    }),
  ),
  violating("current/state-has-one-key", "current-state-malformed")(
    "Creations are answered with a state of another form.",
    oneOf(malformedStates, (state) => editing(creations, having("state", state))),
  ),
  violating("current/state-is-listed", "current-state-unlisted")(
    "Creations are answered with a state that nobody listed.",
    oneOf(named("queued", "cancelled", "failed", "PROCESSING"), (state) =>
      editing(creations, having("state", { [state]: {} })),
    ),
  ),
  violating("current/error-has-its-members", "current-error-malformed")(
    "The error of failed conversations lacks its code, message or time to retry, or has something else in its place.",
    oneOf(errors, (spoil) => editing(answers, inError(spoil))),
  ),
  violating("current/error-code-is-listed", "current-error-code-unlisted")(
    "The error of failed conversations has another code.",
    oneOf(codes, (spoil) => editing(answers, inError(spoil))),
  ),
  violating("current/exceeded-limit-has-its-error", "current-error-of-another-limit")(
    "Who has no quota or no entitlement left gets another of the listed errors.",
    oneOf(otherLimits, ([limit, code]) => editing(answers, inError(exchanging("code", limit, code)))),
  ),
  violating("current/retry-time-is-a-timestamp", "current-retry-time-malformed")(
    "The error of failed conversations tells the time to retry in another way.",
    oneOf(retryTimes, (time) => editing(answers, retrying(time))),
  ),
  violating("current/answer-is-unchanged", "current-answer-malformed")(
    "Answers are written in a form that is neither text nor blocks of it.",
    oneOf(malformedAnswers, (answer) => inAnswered(having("answer", answer))),
  ),
  violating("current/answer-is-unchanged", "current-answer-in-blocks")(
    "Answers are arrays of content blocks.",
    oneOf(answersInBlocks, (form) =>
      editing(
        answers,
        inQuestions(when(hasAnswer, (question) => ({ ...question, answer: form(textOf(question["answer"])) }))),
      ),
    ),
  ),
  legal("current-answer-too-early")(
    "The last question of a conversation that is processing has the beginning of an answer.",
    oneOf({ "while-polling": retrievals, "at-once": creations }, (calls) => editing(calls, earlyAnswer)),
  ),
  violating("current/completed-has-an-answer", "current-answer-missing")(
    "Questions that ended in success have no answer, or one without text.",
    oneOf(noAnswers, inAnswered),
  ),
];
