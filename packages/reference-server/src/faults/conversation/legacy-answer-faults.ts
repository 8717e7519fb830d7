import { isPayloadArray, isPayloadObject, type PayloadObject } from "../../service/payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { type Fault, defineNote, selectEffect, selectVariant, type Variants, defineViolation } from "../fault.ts";
import { identity, withMember, withoutMember, invalidValues, type JsonMutation } from "../json-mutation.ts";
import {
  selectCalls,
  type CallTest,
  editJson,
  type JsonEdit,
  namedVariants,
  returnsConversation,
} from "./call-effects.ts";
import {
  inElements,
  inLastQuestion,
  inMember,
  inOtherZone,
  inQuestions,
  inText,
  isAnswered,
  isCancelled,
  isConversation,
  isRunning,
  editWhen,
  zeroStats,
} from "./conversation-parts.ts";
import { isFirstRead, hiddenFromOtherInterface } from "./seen-conversations.ts";

const creationCalls = selectCalls("legacy", "create");

const hasFailed = (question: PayloadObject): boolean => !isAnswered(question) && !isCancelled(question);

/** Invalid statuses, and the questions that show them. */
const statuses: Variants<(question: PayloadObject) => boolean> = {
  done: isAnswered,
  succeeded: isAnswered,
  COMPLETED: isAnswered,
  failed: hasFailed,
  error: hasFailed,
};

const editNewTurns = (calls: CallTest, mutate: JsonMutation): ConversationEffect =>
  editJson(calls, inLastQuestion(mutate));

const editRunning = (calls: CallTest, edit: JsonEdit): ConversationEffect =>
  editJson(calls, inQuestions(editWhen(isRunning, edit)));

const withStats = (stats: PayloadObject): JsonMutation => withMember("stats", { ...zeroStats, ...stats });

const unfilledMembers: Variants<JsonMutation> = {
  ...invalidValues(identity, { title: ["missing", "null"], answer: ["missing", "null"], sources: ["missing", "null"] }),
  ...invalidValues(identity, { stats: ["missing", "null"] }),
  "answer-empty": withMember("answer", ""),
  "title-empty": withMember("title", ""),
  "stats-zero": withMember("stats", zeroStats),
  "followups-missing": withoutMember("suggested_followups"),
  "followups-null": withMember("suggested_followups", null),
};

const internalError = { title: "Internal error", kind: "InternalError", message: "The search failed.", details: "" };

const viewers: Variants<JsonMutation> = {
  missing: withoutMember("viewer"),
  null: withMember("viewer", null),
  text: withMember("viewer", "owner"),
  empty: withMember("viewer", {}),
  "is-owner-text": withMember("viewer", { is_owner: "true" }),
};

const inQuota = (mutate: JsonMutation): JsonEdit => inMember("quota_usage", mutate);

const quotas: Variants<JsonEdit> = {
  missing: withoutMember("quota_usage"),
  null: withMember("quota_usage", null),
  "total-missing": inQuota(withoutMember("total_quota")),
  "total-fraction": inQuota(withMember("total_quota", 0.5)),
  "limit-missing": inQuota(withoutMember("quota_limit")),
  "limit-text": inQuota(withMember("quota_limit", "none")),
  "reset-missing": inQuota(withoutMember("reset_time")),
  "reset-number": inQuota(withMember("reset_time", 1_700_000_000)),
};

const shareUrls: Variants<(url: string) => string> = {
  "other-token": (url) => url.replace(/[^/]*$/u, "00000000-0000-4000-8000-000000000000"),
  "no-token": (url) => url.replace(/\/[^/]*$/u, ""),
  "half-token": (url) => url.slice(0, -18),
};

/** Time formats other than ISO 8601 in UTC. The first ones still denote the same instant. */
const timeForms: Variants<(time: string) => string> = {
  "no-offset": (time) => time.replace("Z", ""),
  "other-offset": inOtherZone,
  "date-alone": (time) => time.slice(0, 10),
  words: (time) => new Date(time).toUTCString(),
  "no-such-day": (time) => time.replace(/-\d\d-\d\dT/u, "-13-32T"),
};

const timePlaces: Variants<(write: (time: string) => string) => JsonEdit> = {
  created: (write) => editWhen(isConversation, inText("created_at", write)),
  updated: (write) => editWhen(isConversation, inText("updated_at", write)),
  "question-created": (write) => inQuestions(inText("created_at", write)),
  "question-updated": (write) => inQuestions(inText("updated_at", write)),
  reset: (write) => inQuota(inText("reset_time", write)),
};

const retrievalCalls = selectCalls("legacy", "get");

const editRetrieved = (mutate: JsonMutation): ConversationEffect =>
  editJson(retrievalCalls, editWhen(isConversation, mutate));
const editCreated = (mutate: JsonMutation): ConversationEffect =>
  editJson(creationCalls, editWhen(isConversation, mutate));

const editQuestions = (edit: JsonEdit): ConversationEffect =>
  editJson(returnsConversation("legacy"), inQuestions(edit));
const editRetrievedQuestions = (edit: JsonEdit): ConversationEffect => editJson(retrievalCalls, inQuestions(edit));
const editCreatedQuestions = (edit: JsonEdit): ConversationEffect => editJson(creationCalls, inQuestions(edit));
/** Changes answered questions. */
const editAnswered = (mutate: JsonMutation): ConversationEffect => editQuestions(editWhen(isAnswered, mutate));

const addNullIfAbsent =
  (member: string): JsonMutation =>
  (data) => ({ [member]: null, ...data });

const invalidSources: Variants<JsonMutation> = {
  ...invalidValues(identity, { type: ["missing"], link: ["missing"], label: ["missing", "object"] }),
  "link-absolute": withMember("link", "https://elsewhere.example/repository"),
  "link-of-another-host": withMember("link", "//elsewhere.example/repository"),
  "link-with-backslash": withMember("link", String.raw`/\elsewhere.example/repository`),
};

const invalidTurns: Variants<JsonMutation> = {
  ...invalidValues(identity, { reasoning: ["missing"], timestamp: ["missing"], role: ["missing", "number"] }),
  "timestamp-milliseconds": withMember("timestamp", 1_700_000_000_000),
  "timestamp-text": withMember("timestamp", "2024-01-01T00:00:00Z"),
  "timestamp-fraction": withMember("timestamp", 1_700_000_000.5),
  text: () => "Looking for the words of the question.",
};

const withTurn =
  (mutate: JsonMutation): JsonMutation =>
  (question) => {
    const turn = { reasoning: "Looking for the words of the question.", timestamp: 1_700_000_000, role: "agent" };
    return isPayloadArray(question["turns"]) ? { ...question, turns: [...question["turns"], mutate(turn)] } : question;
  };

const invalidStats: Variants<JsonMutation> = {
  "time-negative": withMember("time_millis", -1),
  "time-fraction": withMember("time_millis", 12.5),
  ...invalidValues(identity, {
    tool_calls: ["missing"],
    total_input_tokens: ["text"],
    cached_tokens: ["null"],
    cache_creation_input_tokens: ["missing"],
    prompt_tokens: ["missing"],
    completion_tokens: ["missing"],
    total_tokens: ["missing"],
    credits: ["missing"],
  }),
};

const invalidErrors: Variants<JsonMutation> = {
  ...invalidValues(identity, {
    title: ["missing"],
    kind: ["missing"],
    message: ["missing", "object"],
    details: ["missing"],
  }),
  empty: () => ({}),
};

/** Faults in the form of legacy conversations and questions, and in the members of each status. */
export const legacyAnswerFaults: readonly Fault[] = [
  defineViolation("legacy/conversation-fits-schema", "legacy-conversation-malformed")(
    "Retrieved or created legacy conversations lack a member or have a member of the wrong type.",
    selectEffect({
      // `questions` is kept, because without it rules cannot check questions.
      ...invalidValues(editRetrieved, { id: ["missing", "text"] }),
      ...invalidValues(editCreated, { questions: ["missing", "object"] }),
      ...invalidValues(editRetrieved, {
        created_at: ["missing", "number"],
        updated_at: ["missing", "null"],
        user_id: ["missing", "text"],
        read_token: ["missing", "number"],
        share_url: ["missing", "null"],
      }),
    }),
  ),
  defineViolation("legacy/question-fits-schema", "legacy-question-malformed")(
    "Legacy questions lack a member or have a member of the wrong type.",
    selectEffect({
      ...invalidValues(editRetrievedQuestions, { id: ["missing", "text"], conversation_id: ["missing", "text"] }),
      ...invalidValues(editCreatedQuestions, { question: ["missing", "object"] }),
      ...invalidValues(editRetrievedQuestions, { created_at: ["missing", "number"], updated_at: ["missing", "null"] }),
      ...invalidValues(editCreatedQuestions, { status: ["missing", "object"] }),
      "title-null": editRetrievedQuestions(addNullIfAbsent("title")),
      "answer-null": editRetrievedQuestions(addNullIfAbsent("answer")),
      "sources-null": editCreatedQuestions(addNullIfAbsent("sources")),
      "error-null": editRetrievedQuestions(addNullIfAbsent("error")),
      "turns-null": editRetrievedQuestions(addNullIfAbsent("turns")),
      "turns-text": editRetrievedQuestions(withMember("turns", "none")),
      ...invalidValues(editAnswered, { title: ["number"], sources: ["text"], stats: ["text"] }),
      "followups-text": editAnswered(withMember("suggested_followups", "none")),
      "followups-numbers": editAnswered(withMember("suggested_followups", [1, 2])),
      "error-text": editQuestions(editWhen(({ error }) => isPayloadObject(error), withMember("error", "it failed"))),
    }),
  ),
  defineViolation("legacy/source-fits-schema", "legacy-source-malformed")(
    "The first source of each answer lacks a member, has a member of the wrong type, or links to a different page.",
    selectVariant(invalidSources, (mutate) => editQuestions(inElements("sources", mutate, (index) => index === 0))),
  ),
  defineViolation("legacy/turn-fits-schema", "legacy-turn-malformed")(
    "Questions with turns have one more turn, which lacks a member or has a member of the wrong type.",
    selectVariant(invalidTurns, (mutate) => editQuestions(withTurn(mutate))),
  ),
  defineViolation("legacy/stats-are-counts", "legacy-stats-malformed")(
    "The stats of questions that have ended lack a number or have a value of the wrong type.",
    selectVariant(invalidStats, (mutate) =>
      editQuestions(editWhen((question) => !isRunning(question), inMember("stats", mutate))),
    ),
  ),
  defineViolation("legacy/error-fits-schema", "legacy-error-malformed")(
    "The errors of legacy questions lack a member or have a member of the wrong type.",
    selectVariant(invalidErrors, (mutate) => editQuestions(inMember("error", mutate))),
  ),
  defineNote("legacy/error-kind-is-known", "legacy-new-error-kind")(
    "Questions that fail have an error of a different kind.",
    editQuestions(
      editWhen((question) => !isCancelled(question), inMember("error", withMember("kind", "ModelUnavailable"))),
    ),
  ),
  defineViolation("legacy/viewer-on-retrieval", "legacy-viewer-malformed")(
    "Retrieved legacy conversations have no `viewer`, or one without `is_owner`.",
    selectVariant(viewers, (mutate) => editJson(retrievalCalls, mutate)),
  ),
  defineViolation("legacy/owner-is-viewer", "legacy-owner-denied")(
    "Users who retrieve their own legacy conversation are not shown as its owner.",
    editJson(retrievalCalls, withMember("viewer", { is_owner: false })),
  ),
  defineViolation("legacy/quota-usage-on-retrieval", "legacy-quota-usage-malformed")(
    "Retrieved legacy conversations have no `quota_usage`, or one that lacks a member or has a member of the wrong type.",
    selectVariant(quotas, (mutate) => editJson(retrievalCalls, mutate)),
  ),
  defineViolation("legacy/share-url-holds-read-token", "legacy-share-url-of-another-token")(
    "The share URL of retrieved legacy conversations contains a different read token, or none.",
    selectVariant(shareUrls, (write) => editJson(retrievalCalls, inText("share_url", write))),
  ),
  defineViolation("legacy/timestamps-are-utc", "legacy-timestamp-not-utc")(
    "A time of legacy conversations has a different format everywhere except in lists.",
    selectVariant(timeForms, (write) =>
      selectVariant(timePlaces, (editAtPlace) => editJson(returnsConversation("legacy"), editAtPlace(write)), [
        "member",
        "which time",
      ]),
    ),
  ),
  defineViolation("legacy/status-is-listed", "legacy-status-unlisted")(
    "The first read that shows a question completed or failed has a different status.",
    selectVariant(statuses, (isSelected, status) =>
      editJson(
        retrievalCalls,
        editWhen(isFirstRead, inLastQuestion(editWhen(isSelected, withMember("status", status)))),
      ),
    ),
  ),
  defineViolation("legacy/new-question-has-turns", "legacy-turns-missing")(
    "The question in responses to creations or follow-ups has no turns, or no turn of the user.",
    selectEffect({
      missing: editNewTurns(creationCalls, withoutMember("turns")),
      null: editNewTurns(creationCalls, withMember("turns", null)),
      empty: editNewTurns(creationCalls, withMember("turns", [])),
      "of-others": editNewTurns(
        creationCalls,
        withMember("turns", [{ reasoning: "Looking for it.", timestamp: 1_700_000_000, role: "agent" }]),
      ),
      "missing-in-follow-up": editNewTurns(selectCalls("legacy", "follow-up"), withoutMember("turns")),
    }),
  ),
  defineViolation("legacy/stats-are-zero-while-processing", "legacy-stats-too-early")(
    "A question that is processing has stats other than zero, or a new one has none.",
    selectEffect({
      "one-tool-call": editRunning(retrievalCalls, withStats({ tool_calls: 1 })),
      "time-passes": editRunning(retrievalCalls, withStats({ time_millis: 37 })),
      "credits-at-once": editRunning(creationCalls, withStats({ credits: 1 })),
      "tokens-at-once": editRunning(creationCalls, withStats({ total_tokens: 12 })),
      "missing-at-once": editRunning(creationCalls, withoutMember("stats")),
      "null-at-once": editRunning(creationCalls, withMember("stats", null)),
    }),
  ),
  defineViolation("legacy/no-answer-while-processing", "legacy-answer-too-early")(
    "A question that is processing has the beginning of an answer, or an empty answer.",
    selectEffect({
      "while-polling": editRunning(retrievalCalls, withMember("answer", "It is in ")),
      "at-once": editRunning(creationCalls, withMember("answer", "It is in ")),
      empty: editRunning(retrievalCalls, withMember("answer", "")),
    }),
  ),
  defineViolation("legacy/followups-null-while-processing", "legacy-followups-too-early")(
    "The suggested follow-ups of a question that is processing are a list, not null.",
    selectVariant({ empty: [], some: ["What calls it?"] }, (followups) =>
      editRunning(returnsConversation("legacy"), withMember("suggested_followups", followups)),
    ),
  ),
  defineViolation("legacy/completed-question-is-filled", "legacy-completed-unfilled")(
    "Completed questions lack a required member.",
    selectVariant(unfilledMembers, (mutate) =>
      hiddenFromOtherInterface(editJson(returnsConversation("legacy"), inQuestions(editWhen(isAnswered, mutate)))),
    ),
  ),
  defineViolation("legacy/failed-question-is-completed", "legacy-error-while-processing")(
    "A question in progress already has an error.",
    selectVariant(namedVariants("processing", "pending"), (status) =>
      editRunning(retrievalCalls, (question) => ({ ...question, status, error: internalError })),
    ),
  ),
];
