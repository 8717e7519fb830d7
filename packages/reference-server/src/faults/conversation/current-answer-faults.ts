import { without } from "../event-transforms.ts";
import type { ApiOperation } from "../../conversation/api/api-call.ts";
import { editAnswers, showing } from "./answer-edits.ts";
import {
  changeLastQuestion,
  changeQuestions,
  isConversation,
  isFinished,
  isSnake,
  spelled,
} from "./conversation-parts.ts";
import { changeEntries } from "./list-entries.ts";
import { keptApart } from "./seen-conversations.ts";
import { type Fault, type Variants, howParameter, legal, variantOf, violating } from "../fault.ts";
import { having, lacking } from "../spoiling.ts";
import type { Spoil } from "../spoiling.ts";
import { isPayloadArray, isPayloadObject } from "../../payload.ts";
import type { PayloadObject } from "../../payload.ts";

interface PlacedSpoil {
  readonly spoil: Spoil;
  readonly operations: readonly ApiOperation[];
}

const inCreation = (spoil: Spoil): PlacedSpoil => ({ spoil, operations: ["create"] });
const inRetrieval = (spoil: Spoil): PlacedSpoil => ({ spoil, operations: ["get"] });
/** What is never shown is not missed later. */
const everywhere = (spoil: Spoil): PlacedSpoil => ({ spoil, operations: showing });

const timed = (member: string, value: unknown): Spoil => {
  return (data) => ({ ...data, [spelled(data, member)]: value });
};

const conversationVariants: Variants<PlacedSpoil> = {
  "name-missing": inRetrieval(lacking("name")),
  "name-number": inRetrieval(having("name", 7)),
  "state-missing": inCreation(lacking("state")),
  "questions-missing": everywhere(lacking("questions")),
  "questions-null": everywhere(having("questions", null)),
  "questions-object": everywhere(having("questions", {})),
};

/** Members of which the document does not tell, of types that nobody saw. */
const openMemberVariants: Variants<PlacedSpoil> = {
  "title-number": inRetrieval(having("title", 7)),
  "url-object": inRetrieval(having("url", {})),
  "create-time-number": inRetrieval(timed("create_time", 1_700_000_000)),
  "update-time-object": inRetrieval(timed("update_time", { seconds: 1_700_000_000 })),
};

/** Names of conversations that nobody asked for, in lists; and the own one, which nothing is cut off but the id. */
const nameVariants: Variants<string | undefined> = {
  "id-alone": "700001",
  "no-user": "conversations/700002",
  "other-collection": "users/1/chats/700003",
  "slash-before": "/users/1/conversations/700004",
  "slash-after": undefined,
};

const withMisnamed = (json: PayloadObject, name: string): PayloadObject =>
  changeEntries(json, (entries) => [...entries, { ...Object(entries[0]), name }]);

const stateVariants: Variants<unknown> = {
  text: "processing",
  "text-of-an-enum": "STATE_PROCESSING",
  null: null,
  list: [{ processing: {} }],
  "no-key": {},
  "two-keys": { processing: {}, completed: {} },
  "null-inside": { processing: null },
  "flag-inside": { processing: true },
};

const unlistedStates: Variants<unknown> = {
  queued: { queued: {} },
  cancelled: { cancelled: {} },
  failed: { failed: {} },
  PROCESSING: { PROCESSING: {} },
};

const errorVariants: Variants<Spoil> = {
  "code-missing": lacking("code"),
  "code-number": having("code", 13),
  "message-missing": lacking("message"),
  "message-null": having("message", null),
  "message-object": having("message", { text: "it failed" }),
  "retry-time-missing": (error) => without(without(error, "retry_time"), "retryTime"),
  "retry-time-null": (error) => ({ ...without(without(error, "retry_time"), "retryTime"), retry_time: null }),
};

const codeVariants: Variants<Spoil> = {
  unlisted: having("code", "ERROR_MODEL_UNAVAILABLE"),
  unspecified: having("code", "ERROR_UNSPECIFIED"),
  "small-letters": (error) => ({ ...error, code: String(error["code"]).toLowerCase() }),
  empty: having("code", ""),
};

/** Other errors in the place of those that tell what is used up. */
const usedUpVariants: Variants<Readonly<Record<string, string>>> = {
  "quota-as-internal": { ERROR_QUOTA_EXCEEDED: "ERROR_INTERNAL" },
  "entitlement-as-quota": { ERROR_ENTITLEMENT_EXCEEDED: "ERROR_QUOTA_EXCEEDED" },
};

const retryVariants: Variants<unknown> = {
  words: "in five minutes",
  fraction: 1_700_000_000.5,
  date: "2024-01-01",
  "no-offset": "2024-01-01T00:00:00",
  "no-such-hour": "2024-01-01T25:00:00Z",
  object: { inSeconds: 60 },
};

const answerVariants: Variants<unknown> = {
  number: 7,
  object: { markdown: { text: "It is there." } },
  "list-of-texts": ["It is there."],
  "block-without-text": [{ markdown: {} }],
  "block-with-number": [{ markdown: { text: 7 } }],
  "block-of-text": [{ markdown: "It is there." }],
  "null-in-list": [{ markdown: { text: "It is there." } }, null],
};

const noAnswers: Variants<Spoil> = {
  missing: lacking("answer"),
  null: having("answer", null),
  "empty-text": having("answer", ""),
  "no-blocks": having("answer", []),
  "block-of-nothing": having("answer", [{ markdown: { text: "" } }]),
};

const answers = { interface: "current", operations: showing } as const;

const hasAnswer = ({ answer }: PayloadObject): boolean =>
  typeof answer === "string" ? answer !== "" : isPayloadArray(answer) && answer.length > 0;

const changeError = (json: PayloadObject, change: Spoil | undefined): PayloadObject => {
  const state = json["state"];
  const error = isPayloadObject(state) ? state["error"] : undefined;
  return isPayloadObject(error) && change !== undefined ? { ...json, state: { error: change(error) } } : json;
};

const spellingOf = (json: PayloadObject): string => (isSnake(json) ? "retry_time" : "retryTime");

const beginning = "It is in ";

/** The state of a conversation in its last question, as well as in the conversation or instead of it. */
const withStateInQuestion = (json: PayloadObject, isInstead: boolean): unknown => {
  const { state, ...rest } = json;
  const placed = changeLastQuestion(isInstead ? rest : json, (question) => ({ ...question, state }));
  return isConversation(json) && state !== undefined ? placed : json;
};

/** Faults in the form of conversations of the current interface and of what they hold. */
export const currentAnswerFaults: readonly Fault[] = [
  legal("current-members-of-other-types")(
    "Title, address and times of the current interface are of types that nobody saw before.",
    editAnswers({ interface: "current", operations: ["get"] }, (json, { run }) =>
      isConversation(json) ? variantOf(openMemberVariants, run)?.spoil(json) : json,
    ),
    howParameter(openMemberVariants),
  ),
  legal("current-state-of-questions")(
    "The last question of a conversation has the state, and the conversation has it too or has none.",
    editAnswers(answers, (json, { run }) => withStateInQuestion(json, run.values["how"] === "instead")),
    howParameter({ "as-well": false, instead: true }),
  ),
  legal("current-retry-time-as-number")(
    "The error of failed conversations tells the time to retry as an integer, in seconds since 1970.",
    editAnswers(answers, (json) => changeError(json, having(spellingOf(json), 1_700_000_000))),
  ),
  violating("current/conversation-fits-schema", "current-conversation-malformed")(
    "Conversations of the current interface lack a member or have one of another type.",
    keptApart(
      editAnswers(answers, (json, { call, run }) => {
        const way = variantOf(conversationVariants, run);
        return isConversation(json) && way?.operations.includes(call.operation) === true ? way.spoil(json) : json;
      }),
    ),
    howParameter(conversationVariants),
  ),
  violating("current/name-is-a-resource-name", "current-name-malformed")(
    "The first page of a list has one more conversation with another sort of name, or reads tell one.",
    editAnswers({ interface: "current", operations: ["get", "list"] }, (json, { call, run }) => {
      const name = variantOf(nameVariants, run);
      if (call.operation === "get") {
        return name === undefined ? { ...json, name: `${String(json["name"])}/` } : json;
      }
      return name === undefined || isLaterPage(call.json) ? json : withMisnamed(json, name);
    }),
    howParameter(nameVariants),
  ),
  violating("current/state-has-one-key", "current-state-malformed")(
    "Creations are answered with a state of another form.",
    editAnswers({ interface: "current", operations: ["create"] }, (json, { run }) => ({
      ...json,
      state: variantOf(stateVariants, run),
    })),
    howParameter(stateVariants),
  ),
  violating("current/state-is-listed", "current-state-unlisted")(
    "Creations are answered with a state that nobody listed.",
    editAnswers({ interface: "current", operations: ["create"] }, (json, { run }) => ({
      ...json,
      state: variantOf(unlistedStates, run),
    })),
    howParameter(unlistedStates),
  ),
  violating("current/error-has-its-members", "current-error-malformed")(
    "The error of failed conversations lacks its code, message or time to retry, or has something else in its place.",
    editAnswers(answers, (json, { run }) => changeError(json, variantOf(errorVariants, run))),
    howParameter(errorVariants),
  ),
  violating("current/error-code-is-listed", "current-error-code-unlisted")(
    "The error of failed conversations has another code.",
    editAnswers(answers, (json, { run }) => changeError(json, variantOf(codeVariants, run))),
    howParameter(codeVariants),
  ),
  violating("current/exceeded-limit-has-its-error", "current-error-of-another-limit")(
    "Who has no quota or no entitlement left gets another of the listed errors.",
    editAnswers(answers, (json, { run }) =>
      changeError(json, (error) => {
        const code = variantOf(usedUpVariants, run)?.[String(error["code"])];
        return code === undefined ? error : { ...error, code };
      }),
    ),
    howParameter(usedUpVariants),
  ),
  violating("current/retry-time-is-a-timestamp", "current-retry-time-malformed")(
    "The error of failed conversations tells the time to retry in another way.",
    editAnswers(answers, (json, { run }) => changeError(json, having(spellingOf(json), variantOf(retryVariants, run)))),
    howParameter(retryVariants),
  ),
  violating("current/answer-is-unchanged", "current-answer-malformed")(
    "Answers are written in a form that is neither text nor blocks of it.",
    keptApart(
      editAnswers(answers, (json, { run }) =>
        changeQuestions(json, (question) =>
          hasAnswer(question) ? { ...question, answer: variantOf(answerVariants, run) } : question,
        ),
      ),
    ),
    howParameter(answerVariants),
  ),
  legal("current-answer-too-early")(
    "The last question of a conversation that is processing has the beginning of an answer.",
    editAnswers(answers, (json, { call, run }) => {
      const operation = run.values["how"] === "at-once" ? "create" : "get";
      return call.operation !== operation || isFinished(json) ? json : withEarlyAnswer(json);
    }),
    howParameter({ "while-polling": "get", "at-once": "create" }),
  ),
  violating("current/completed-has-an-answer", "current-answer-missing")(
    "Questions that ended in success have no answer, or one without text.",
    keptApart(
      editAnswers(answers, (json, { run }) =>
        changeQuestions(json, (question) => (hasAnswer(question) ? variantOf(noAnswers, run)?.(question) : question)),
      ),
    ),
    howParameter(noAnswers),
  ),
];

function isLaterPage(json: unknown): boolean {
  return isPayloadObject(json) && (json["pageToken"] ?? json["page_token"]) !== undefined;
}

function withEarlyAnswer(json: PayloadObject): unknown {
  return changeQuestions(json, (question, index, all) =>
    index === all.length - 1
      ? { ...question, answer: isSnake(json) ? beginning : [{ markdown: { text: beginning } }] }
      : question,
  );
}
