import type { FaultRun } from "../fault-run.ts";
import { editAnswers, showing } from "./answer-edits.ts";
import { changeLastQuestion, changeQuestions, isAnswered, isConversation, isRunning } from "./conversation-parts.ts";
import { type Fault, type Variants, howParameter, observing, variantOf, violating } from "../fault.ts";
import { having, lacking } from "../spoiling.ts";
import type { Spoil } from "../spoiling.ts";
import { isPayloadArray, isPayloadObject } from "../../payload.ts";
import type { PayloadObject } from "../../payload.ts";

/** A way to spoil, and the answers in which it breaks no more than it should. */
interface PlacedSpoil {
  readonly spoil: Spoil;
  readonly operation?: "create" | "get";
}

const inCreation = (spoil: Spoil): PlacedSpoil => ({ spoil, operation: "create" });
const inRetrieval = (spoil: Spoil): PlacedSpoil => ({ spoil, operation: "get" });

// Without questions nothing can be seen of them, so that they are there whenever it counts.
const conversationVariants: Variants<PlacedSpoil> = {
  "id-missing": inRetrieval(lacking("id")),
  "id-text": inRetrieval((data) => ({ ...data, id: String(data["id"]) })),
  "questions-missing": inCreation(lacking("questions")),
  "questions-object": inCreation(having("questions", {})),
  "created-at-missing": inRetrieval(lacking("created_at")),
  "created-at-number": inRetrieval(having("created_at", 1_700_000_000)),
  "updated-at-missing": inRetrieval(lacking("updated_at")),
  "updated-at-null": inRetrieval(having("updated_at", null)),
  "user-id-missing": inRetrieval(lacking("user_id")),
  "user-id-text": inRetrieval((data) => ({ ...data, user_id: String(data["user_id"]) })),
  "read-token-missing": inRetrieval(lacking("read_token")),
  "read-token-number": inRetrieval(having("read_token", 7)),
  "share-url-missing": inRetrieval(lacking("share_url")),
  "share-url-null": inRetrieval(having("share_url", null)),
};

const placedVariant = (ways: Variants<PlacedSpoil>, run: FaultRun, operation: string): Spoil | undefined => {
  const way = variantOf(ways, run);
  return way?.operation === undefined || way.operation === operation ? way?.spoil : undefined;
};

/** What only a question has that ended in success. */
const whenAnswered = (member: string, value: unknown): PlacedSpoil => ({
  spoil: (data) => (isAnswered(data) ? { ...data, [member]: value } : data),
});

const whenFailed = (member: string, value: unknown): PlacedSpoil => ({
  spoil: (data) => (isPayloadObject(data["error"]) ? { ...data, [member]: value } : data),
});

const questionVariants: Variants<PlacedSpoil> = {
  "id-missing": inRetrieval(lacking("id")),
  "id-text": inRetrieval((data) => ({ ...data, id: String(data["id"]) })),
  "conversation-id-missing": inRetrieval(lacking("conversation_id")),
  "conversation-id-text": inRetrieval((data) => ({ ...data, conversation_id: String(data["conversation_id"]) })),
  "question-missing": inCreation(lacking("question")),
  "question-object": inCreation((data) => ({ ...data, question: { text: data["question"] } })),
  "created-at-missing": inRetrieval(lacking("created_at")),
  "created-at-number": inRetrieval(having("created_at", 1_700_000_000)),
  "updated-at-missing": inRetrieval(lacking("updated_at")),
  "updated-at-null": inRetrieval(having("updated_at", null)),
  "status-missing": inCreation(lacking("status")),
  "status-object": inCreation(having("status", { processing: {} })),
  "title-null": inRetrieval((data) => ({ title: null, ...data })),
  "answer-null": inRetrieval((data) => ({ answer: null, ...data })),
  "sources-null": inCreation((data) => ({ sources: null, ...data })),
  "error-null": inRetrieval((data) => ({ error: null, ...data })),
  "turns-null": inRetrieval((data) => ({ turns: null, ...data })),
  "title-number": whenAnswered("title", 7),
  "sources-text": whenAnswered("sources", "none"),
  "turns-text": inRetrieval(having("turns", "none")),
  "stats-text": whenAnswered("stats", "none"),
  "followups-text": whenAnswered("suggested_followups", "none"),
  "followups-numbers": whenAnswered("suggested_followups", [1, 2]),
  "error-text": whenFailed("error", "it failed"),
};

const sourceVariants: Variants<Spoil> = {
  "type-missing": lacking("type"),
  "link-missing": lacking("link"),
  "link-absolute": having("link", "https://elsewhere.example/repository"),
  "link-of-another-host": having("link", "//elsewhere.example/repository"),
  "link-with-backslash": having("link", String.raw`/\elsewhere.example/repository`),
  "label-missing": lacking("label"),
  "label-object": having("label", { text: "a.ts" }),
};

const turn = { reasoning: "Looking for the words of the question.", timestamp: 1_700_000_000, role: "agent" };

const turnVariants: Variants<Spoil> = {
  "reasoning-missing": lacking("reasoning"),
  "timestamp-missing": lacking("timestamp"),
  "timestamp-milliseconds": having("timestamp", 1_700_000_000_000),
  "timestamp-text": having("timestamp", "2024-01-01T00:00:00Z"),
  "timestamp-fraction": having("timestamp", 1_700_000_000.5),
  "role-missing": lacking("role"),
  "role-number": having("role", 1),
  text: () => "Looking for the words of the question.",
};

const statsVariants: Variants<Spoil> = {
  "time-negative": having("time_millis", -1),
  "time-fraction": having("time_millis", 12.5),
  "tool-calls-missing": lacking("tool_calls"),
  "total-input-tokens-text": having("total_input_tokens", "12"),
  "cached-tokens-null": having("cached_tokens", null),
  "cache-creation-input-tokens-missing": lacking("cache_creation_input_tokens"),
  "prompt-tokens-missing": lacking("prompt_tokens"),
  "completion-tokens-missing": lacking("completion_tokens"),
  "total-tokens-missing": lacking("total_tokens"),
  "credits-missing": lacking("credits"),
};

const errorVariants: Variants<Spoil> = {
  "title-missing": lacking("title"),
  "kind-missing": lacking("kind"),
  "message-missing": lacking("message"),
  "message-object": having("message", { text: "it failed" }),
  "details-missing": lacking("details"),
  empty: () => ({}),
};

const legacy = { interface: "legacy", operations: showing } as const;

const changeMember = (data: PayloadObject, member: string, change: Spoil | undefined): PayloadObject => {
  const value = data[member];
  return isPayloadObject(value) && change !== undefined ? { ...data, [member]: change(value) } : data;
};

const changeFirstSource = (data: PayloadObject, change: Spoil | undefined): PayloadObject => {
  const [first, ...rest] = isPayloadArray(data["sources"]) ? data["sources"] : [];
  return isPayloadObject(first) && change !== undefined ? { ...data, sources: [change(first), ...rest] } : data;
};

const withTurn = (data: PayloadObject, change: Spoil | undefined): PayloadObject =>
  isPayloadArray(data["turns"]) && change !== undefined ? { ...data, turns: [...data["turns"], change(turn)] } : data;

/** Faults in the form of legacy conversations, questions and what these hold. */
export const legacyAnswerFaults: readonly Fault[] = [
  violating("legacy/conversation-fits-schema", "legacy-conversation-malformed")(
    "Retrieved or created legacy conversations lack a member or have one of another type.",
    editAnswers({ interface: "legacy", operations: ["create", "get"] }, (json, { call, run }) =>
      isConversation(json) ? (placedVariant(conversationVariants, run, call.operation)?.(json) ?? json) : json,
    ),
    howParameter(conversationVariants),
  ),
  violating("legacy/question-fits-schema", "legacy-question-malformed")(
    "Legacy questions lack a member or have one of another type.",
    editAnswers(legacy, (json, { call, run }) =>
      changeQuestions(json, (question) => placedVariant(questionVariants, run, call.operation)?.(question) ?? question),
    ),
    howParameter(questionVariants),
  ),
  violating("legacy/source-fits-schema", "legacy-source-malformed")(
    "The first source of each answer lacks a member, has one of another type, or links elsewhere.",
    editAnswers(legacy, (json, { run }) =>
      changeQuestions(json, (question) => changeFirstSource(question, variantOf(sourceVariants, run))),
    ),
    howParameter(sourceVariants),
  ),
  violating("legacy/turn-fits-schema", "legacy-turn-malformed")(
    "Questions with turns have one more turn, which lacks a member or has one of another type.",
    editAnswers(legacy, (json, { run }) =>
      changeQuestions(json, (question) => withTurn(question, variantOf(turnVariants, run))),
    ),
    howParameter(turnVariants),
  ),
  violating("legacy/stats-are-counts", "legacy-stats-malformed")(
    "The stats of questions that have ended lack a number or have something else in its place.",
    editAnswers(legacy, (json, { run }) =>
      changeQuestions(json, (question) =>
        isRunning(question) ? question : changeMember(question, "stats", variantOf(statsVariants, run)),
      ),
    ),
    howParameter(statsVariants),
  ),
  violating("legacy/error-fits-schema", "legacy-error-malformed")(
    "The errors of legacy questions lack a member or have one of another type.",
    editAnswers(legacy, (json, { run }) =>
      changeQuestions(json, (question) => changeMember(question, "error", variantOf(errorVariants, run))),
    ),
    howParameter(errorVariants),
  ),
  observing("legacy/error-kind-is-known", "legacy-new-error-kind")(
    "Questions that fail by themselves have an error of another kind.",
    editAnswers(legacy, (json) =>
      changeLastQuestion(json, (question) =>
        changeMember(question, "error", (error) =>
          error["kind"] === "Cancelled" ? error : { ...error, kind: "ModelUnavailable" },
        ),
      ),
    ),
  ),
];
