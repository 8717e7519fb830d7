import { isPayloadArray, isPayloadObject, type PayloadObject } from "../../service/payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { type Fault, observing, selectEffect, selectVariant, type Variants, violating } from "../fault.ts";
import { identity, withMember, withoutMember, invalidValues, type JsonMutation } from "../json-mutation.ts";
import { selectCalls, type CallTest, editing, type JsonEdit, namedVariants, showing } from "./call-effects.ts";
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
  when,
  zeroStats,
} from "./conversation-parts.ts";
import { isFirstRead, hiddenFromOtherInterface } from "./seen-conversations.ts";

const creations = selectCalls("legacy", "create");

const hasFailed = (question: PayloadObject): boolean => !isAnswered(question) && !isCancelled(question);

/** Invalid statuses, and the questions that show them. */
const statuses: Variants<(question: PayloadObject) => boolean> = {
  done: isAnswered,
  succeeded: isAnswered,
  COMPLETED: isAnswered,
  failed: hasFailed,
  error: hasFailed,
};

const newTurns = (calls: CallTest, mutate: JsonMutation): ConversationEffect => editing(calls, inLastQuestion(mutate));

const whileRunning = (calls: CallTest, edit: JsonEdit): ConversationEffect =>
  editing(calls, inQuestions(when(isRunning, edit)));

const withStats = (stats: PayloadObject): JsonMutation => withMember("stats", { ...zeroStats, ...stats });

const unfilled: Variants<JsonMutation> = {
  ...invalidValues(identity, { title: ["missing", "null"], answer: ["missing", "null"], sources: ["missing", "null"] }),
  ...invalidValues(identity, { stats: ["missing", "null"] }),
  "answer-empty": withMember("answer", ""),
  "title-empty": withMember("title", ""),
  "stats-zero": withMember("stats", zeroStats),
  "followups-missing": withoutMember("suggested_followups"),
  "followups-null": withMember("suggested_followups", null),
};

const error = { title: "Internal error", kind: "InternalError", message: "The search failed.", details: "" };

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
  created: (write) => when(isConversation, inText("created_at", write)),
  updated: (write) => when(isConversation, inText("updated_at", write)),
  "question-created": (write) => inQuestions(inText("created_at", write)),
  "question-updated": (write) => inQuestions(inText("updated_at", write)),
  reset: (write) => inQuota(inText("reset_time", write)),
};

const retrievals = selectCalls("legacy", "get");

const retrieved = (mutate: JsonMutation): ConversationEffect => editing(retrievals, when(isConversation, mutate));
const created = (mutate: JsonMutation): ConversationEffect => editing(creations, when(isConversation, mutate));

const inAnswers = (edit: JsonEdit): ConversationEffect => editing(showing("legacy"), inQuestions(edit));
const inRetrieved = (edit: JsonEdit): ConversationEffect => editing(retrievals, inQuestions(edit));
const inCreated = (edit: JsonEdit): ConversationEffect => editing(creations, inQuestions(edit));
/** Changes answered questions. */
const inAnswered = (mutate: JsonMutation): ConversationEffect => inAnswers(when(isAnswered, mutate));

const nullIfAbsent =
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
  violating("legacy/conversation-fits-schema", "legacy-conversation-malformed")(
    "Retrieved or created legacy conversations lack a member or have a member of the wrong type.",
    selectEffect({
      // `questions` is kept, because without it rules cannot check questions.
      ...invalidValues(retrieved, { id: ["missing", "text"] }),
      ...invalidValues(created, { questions: ["missing", "object"] }),
      ...invalidValues(retrieved, {
        created_at: ["missing", "number"],
        updated_at: ["missing", "null"],
        user_id: ["missing", "text"],
        read_token: ["missing", "number"],
        share_url: ["missing", "null"],
      }),
    }),
  ),
  violating("legacy/question-fits-schema", "legacy-question-malformed")(
    "Legacy questions lack a member or have a member of the wrong type.",
    selectEffect({
      ...invalidValues(inRetrieved, { id: ["missing", "text"], conversation_id: ["missing", "text"] }),
      ...invalidValues(inCreated, { question: ["missing", "object"] }),
      ...invalidValues(inRetrieved, { created_at: ["missing", "number"], updated_at: ["missing", "null"] }),
      ...invalidValues(inCreated, { status: ["missing", "object"] }),
      "title-null": inRetrieved(nullIfAbsent("title")),
      "answer-null": inRetrieved(nullIfAbsent("answer")),
      "sources-null": inCreated(nullIfAbsent("sources")),
      "error-null": inRetrieved(nullIfAbsent("error")),
      "turns-null": inRetrieved(nullIfAbsent("turns")),
      "turns-text": inRetrieved(withMember("turns", "none")),
      ...invalidValues(inAnswered, { title: ["number"], sources: ["text"], stats: ["text"] }),
      "followups-text": inAnswered(withMember("suggested_followups", "none")),
      "followups-numbers": inAnswered(withMember("suggested_followups", [1, 2])),
      "error-text": inAnswers(when(({ error }) => isPayloadObject(error), withMember("error", "it failed"))),
    }),
  ),
  violating("legacy/source-fits-schema", "legacy-source-malformed")(
    "The first source of each answer lacks a member, has a member of the wrong type, or links to a different page.",
    selectVariant(invalidSources, (mutate) => inAnswers(inElements("sources", mutate, (index) => index === 0))),
  ),
  violating("legacy/turn-fits-schema", "legacy-turn-malformed")(
    "Questions with turns have one more turn, which lacks a member or has a member of the wrong type.",
    selectVariant(invalidTurns, (mutate) => inAnswers(withTurn(mutate))),
  ),
  violating("legacy/stats-are-counts", "legacy-stats-malformed")(
    "The stats of questions that have ended lack a number or have a value of the wrong type.",
    selectVariant(invalidStats, (mutate) =>
      inAnswers(when((question) => !isRunning(question), inMember("stats", mutate))),
    ),
  ),
  violating("legacy/error-fits-schema", "legacy-error-malformed")(
    "The errors of legacy questions lack a member or have a member of the wrong type.",
    selectVariant(invalidErrors, (mutate) => inAnswers(inMember("error", mutate))),
  ),
  observing("legacy/error-kind-is-known", "legacy-new-error-kind")(
    "Questions that fail have an error of a different kind.",
    inAnswers(when((question) => !isCancelled(question), inMember("error", withMember("kind", "ModelUnavailable")))),
  ),
  violating("legacy/viewer-on-retrieval", "legacy-viewer-malformed")(
    "Retrieved legacy conversations have no `viewer`, or one without `is_owner`.",
    selectVariant(viewers, (mutate) => editing(retrievals, mutate)),
  ),
  violating("legacy/owner-is-viewer", "legacy-owner-denied")(
    "Users who retrieve their own legacy conversation are not shown as its owner.",
    editing(retrievals, withMember("viewer", { is_owner: false })),
  ),
  violating("legacy/quota-usage-on-retrieval", "legacy-quota-usage-malformed")(
    "Retrieved legacy conversations have no `quota_usage`, or one that lacks a member or has a member of the wrong type.",
    selectVariant(quotas, (mutate) => editing(retrievals, mutate)),
  ),
  violating("legacy/share-url-holds-read-token", "legacy-share-url-of-another-token")(
    "The share URL of retrieved legacy conversations contains a different read token, or none.",
    selectVariant(shareUrls, (write) => editing(retrievals, inText("share_url", write))),
  ),
  violating("legacy/timestamps-are-utc", "legacy-timestamp-not-utc")(
    "A time of legacy conversations has a different format everywhere except in lists.",
    selectVariant(timeForms, (write) =>
      selectVariant(timePlaces, (placed) => editing(showing("legacy"), placed(write)), ["member", "which time"]),
    ),
  ),
  violating("legacy/status-is-listed", "legacy-status-unlisted")(
    "The first read that shows a question completed or failed has a different status.",
    selectVariant(statuses, (isSelected, status) =>
      editing(retrievals, when(isFirstRead, inLastQuestion(when(isSelected, withMember("status", status))))),
    ),
  ),
  violating("legacy/new-question-has-turns", "legacy-turns-missing")(
    "The question in responses to creations or follow-ups has no turns, or no turn of the user.",
    selectEffect({
      missing: newTurns(creations, withoutMember("turns")),
      null: newTurns(creations, withMember("turns", null)),
      empty: newTurns(creations, withMember("turns", [])),
      "of-others": newTurns(
        creations,
        withMember("turns", [{ reasoning: "Looking for it.", timestamp: 1_700_000_000, role: "agent" }]),
      ),
      "missing-in-follow-up": newTurns(selectCalls("legacy", "follow-up"), withoutMember("turns")),
    }),
  ),
  violating("legacy/stats-are-zero-while-processing", "legacy-stats-too-early")(
    "A question that is processing has stats other than zero, or a new one has none.",
    selectEffect({
      "one-tool-call": whileRunning(retrievals, withStats({ tool_calls: 1 })),
      "time-passes": whileRunning(retrievals, withStats({ time_millis: 37 })),
      "credits-at-once": whileRunning(creations, withStats({ credits: 1 })),
      "tokens-at-once": whileRunning(creations, withStats({ total_tokens: 12 })),
      "missing-at-once": whileRunning(creations, withoutMember("stats")),
      "null-at-once": whileRunning(creations, withMember("stats", null)),
    }),
  ),
  violating("legacy/no-answer-while-processing", "legacy-answer-too-early")(
    "A question that is processing has the beginning of an answer, or an empty answer.",
    selectEffect({
      "while-polling": whileRunning(retrievals, withMember("answer", "It is in ")),
      "at-once": whileRunning(creations, withMember("answer", "It is in ")),
      empty: whileRunning(retrievals, withMember("answer", "")),
    }),
  ),
  violating("legacy/followups-null-while-processing", "legacy-followups-too-early")(
    "The suggested follow-ups of a question that is processing are a list, not null.",
    selectVariant({ empty: [], some: ["What calls it?"] }, (followups) =>
      whileRunning(showing("legacy"), withMember("suggested_followups", followups)),
    ),
  ),
  violating("legacy/completed-question-is-filled", "legacy-completed-unfilled")(
    "Completed questions lack a required member.",
    selectVariant(unfilled, (mutate) =>
      hiddenFromOtherInterface(editing(showing("legacy"), inQuestions(when(isAnswered, mutate)))),
    ),
  ),
  violating("legacy/failed-question-is-completed", "legacy-error-while-processing")(
    "A question in progress already has an error.",
    selectVariant(namedVariants("processing", "pending"), (status) =>
      whileRunning(retrievals, (question) => ({ ...question, status, error })),
    ),
  ),
];
