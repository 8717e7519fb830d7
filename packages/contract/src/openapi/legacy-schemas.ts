import { observedErrorKinds, statsMembers } from "../vocabulary.ts";
import type { JsonSchema } from "./open-api-document.ts";
import { count, integer, listOf, ref, text } from "./schema-words.ts";

const timestamp = { type: "string", description: "A point in time as in ISO 8601, in UTC." } as const;

const conversationMembers = {
  id: { type: "integer", description: "Identifies the conversation." },
  questions: { type: "array", description: "The questions in the order in which they were asked." },
  created_at: timestamp,
  updated_at: timestamp,
  user_id: { type: "integer", description: "The owner." },
  read_token: { type: "string", description: "Lets others read the conversation; part of `share_url`." },
  share_url: { type: "string", description: "Address for sharing the conversation." },
  viewer: { description: "Part of a retrieved conversation." },
  quota_usage: { description: "Part of a retrieved conversation." },
} as const;

const conversationSchemas = {
  LegacyConversation: {
    type: "object",
    description: "A conversation, without the details of its questions, its viewer and its quota usage.",
    required: ["id", "questions", "created_at", "updated_at", "user_id", "read_token", "share_url"],
    properties: conversationMembers,
  },
  LegacyConversationAnswer: {
    type: "object",
    description: "A conversation with everything in it.",
    required: ["id", "questions", "created_at", "updated_at", "user_id", "read_token", "share_url"],
    properties: {
      ...conversationMembers,
      questions: { ...conversationMembers.questions, items: ref("LegacyQuestionAnswer") },
      viewer: ref("LegacyViewer"),
      quota_usage: ref("LegacyQuotaUsage"),
    },
  },
  LegacyViewer: {
    type: "object",
    description: "The user who reads the conversation.",
    required: ["is_owner"],
    properties: { is_owner: { type: "boolean", description: "Whether the reader is the owner." } },
  },
  LegacyQuotaUsage: {
    type: "object",
    description: "How much of the quota is used. What the values of `quota_limit` mean is not documented.",
    required: ["total_quota", "quota_limit", "reset_time"],
    properties: { total_quota: integer, quota_limit: integer, reset_time: timestamp },
  },
} as const satisfies Record<string, JsonSchema>;

const questionMembers = {
  id: { type: "integer", description: "Identifies the question." },
  conversation_id: { type: "integer", description: "The conversation it is in." },
  question: { type: "string", description: "What was asked." },
  created_at: timestamp,
  updated_at: timestamp,
  status: {
    type: "string",
    description: "Open here, as the status of a question that was cancelled is not documented.",
    examples: ["pending", "processing", "completed"],
  },
  title: { type: "string", description: "Made by the service once the question is completed." },
  answer: { type: "string", description: "Markdown; present once the question is completed." },
  sources: { type: "array", description: "Present once the question is completed." },
  turns: { type: "array", description: "Present in a new question." },
  stats: { type: "object", description: "The cost of the answer." },
  suggested_followups: { type: ["array", "null"], items: text, description: "Null while processing." },
  error: { type: "object", description: "Present if processing failed." },
} as const;

const questionSchemas = {
  LegacyQuestion: {
    type: "object",
    description: "A question, without the details of its sources, turns, stats and error.",
    required: ["id", "conversation_id", "question", "created_at", "updated_at", "status"],
    properties: questionMembers,
  },
  LegacyQuestionAnswer: {
    type: "object",
    description: "A question with everything in it.",
    required: ["id", "conversation_id", "question", "created_at", "updated_at", "status"],
    properties: {
      ...questionMembers,
      sources: { ...questionMembers.sources, items: ref("LegacySource") },
      turns: { ...questionMembers.turns, items: ref("LegacyTurn") },
      stats: ref("LegacyStats"),
      error: ref("LegacyError"),
    },
  },
  LegacySource: {
    type: "object",
    description: "A source of the answer.",
    required: ["type", "link", "label"],
    properties: {
      type: { type: "string", description: "What it is; an open set.", examples: ["Repository"] },
      link: {
        type: "string",
        description: "A path below the base address, with or without a leading slash: no host and no scheme.",
        pattern: "^(/($|[^/\\\\])|[^/\\\\:?#]+($|[/?#]))",
      },
      label: text,
    },
  },
  LegacyTurn: {
    type: "object",
    description: "One step of the work on a question.",
    required: ["reasoning", "timestamp", "role"],
    properties: {
      reasoning: text,
      timestamp: {
        type: "integer",
        description: "Unix time in seconds; a number above the maximum is in another unit.",
        maximum: 100_000_000_000,
      },
      role: { type: "string", description: "An open set.", examples: ["user"] },
    },
  },
  LegacyStats: {
    type: "object",
    description: "The cost of the answer; all 0 while the question is processing.",
    required: statsMembers,
    properties: {
      time_millis: count,
      tool_calls: count,
      total_input_tokens: count,
      cached_tokens: count,
      cache_creation_input_tokens: count,
      prompt_tokens: count,
      completion_tokens: count,
      total_tokens: count,
      credits: count,
    },
  },
  LegacyError: {
    type: "object",
    description: "Why processing failed.",
    required: ["title", "kind", "message", "details"],
    properties: {
      title: text,
      kind: { type: "string", description: "An open set.", examples: observedErrorKinds },
      message: text,
      details: text,
    },
  },
} as const satisfies Record<string, JsonSchema>;

const listSchemas = {
  LegacyConversationList: {
    description: "Conversations. How they are wrapped is not documented: an array, or an object around one.",
    anyOf: [
      { type: "array", items: ref("LegacyListedConversation") },
      {
        type: "object",
        properties: { conversations: listOf("LegacyListedConversation") },
      },
    ],
  },
  LegacyListedConversation: {
    type: "object",
    description:
      "A conversation in a list. The specification does not say which members it has; those it has are the same as elsewhere.",
    properties: {
      ...conversationMembers,
      questions: { type: "array", items: ref("LegacyQuestionAnswer") },
      viewer: ref("LegacyViewer"),
      quota_usage: ref("LegacyQuotaUsage"),
    },
  },
} as const satisfies Record<string, JsonSchema>;

const bodySchemas = {
  LegacyCreateRequest: {
    type: "object",
    description: "The question that begins a conversation.",
    required: ["question"],
    properties: { question: text },
  },
  LegacyFollowUpRequest: {
    type: "object",
    description: "A further question; `conversation_id` repeats the id in the path.",
    required: ["conversation_id", "question"],
    properties: { conversation_id: integer, question: text },
  },
  LegacyFollowUpAnswer: {
    description: "The conversation with the new question in it; some releases answer with the question alone.",
    anyOf: [ref("LegacyConversationAnswer"), ref("LegacyQuestionAnswer")],
  },
  LegacyUndocumentedBody: { description: "A body whose shape is not documented, also an empty one." },
} as const satisfies Record<string, JsonSchema>;

/**
 * Schemas of the legacy interface. Unlisted members are always permitted. The plain names describe one object without
 * the objects in it, so that each deviation is reported once; names that end in `Answer` describe everything. Source:
 * conversation-api, sections 2.1 to 2.3, 4.1 and 7.
 */
export const legacySchemas = {
  ...conversationSchemas,
  ...questionSchemas,
  ...listSchemas,
  ...bodySchemas,
} as const satisfies Record<string, JsonSchema>;

/** Name of a schema of the legacy document. */
export type LegacySchemaName = keyof typeof legacySchemas;
