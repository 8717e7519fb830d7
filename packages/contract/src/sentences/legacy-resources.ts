import type { SentenceRows } from "./sentence-row.ts";

const conversation = {
  "conversation-api#2.1.1-id": "`id` is an integer that identifies the conversation.",
  "conversation-api#2.1.2-questions": "`questions` is an array of questions that has an order.",
  "conversation-api#2.1.3-created-at":
    "`created_at` of a conversation is a string, a point in time of ISO 8601 in UTC.",
  "conversation-api#2.1.4-updated-at":
    "`updated_at` of a conversation is a string, a point in time of ISO 8601 in UTC.",
  "conversation-api#2.1.5-user-id": {
    text: "`user_id` is an integer, the owner.",
    partly: "that the number is the owner's, which nothing else tells",
  },
  "conversation-api#2.1.6-read-token": "`read_token` is a string that lets whoever has it read the conversation.",
  "conversation-api#2.1.7-read-token-in-share-url": "The read token is also a part of `share_url`.",
  "conversation-api#2.1.8-share-url": {
    text: "`share_url` is a string, an address to share the conversation with.",
    partly: "that the address works, which is a page for people",
  },
  "conversation-api#2.1.9-viewer":
    "`viewer` is an object with the boolean `is_owner`, and is there when a conversation is retrieved.",
  "conversation-api#2.1.10-quota-usage":
    "`quota_usage` has the integers `total_quota` and `quota_limit` and the point in time `reset_time` in UTC, and is there when a conversation is retrieved.",
} as const satisfies SentenceRows;

const question = {
  "conversation-api#2.2.1-id": "`id` is an integer that identifies the question.",
  "conversation-api#2.2.2-conversation-id": "`conversation_id` is an integer, the conversation around the question.",
  "conversation-api#2.2.3-question": "`question` is a string, the text that was asked.",
  "conversation-api#2.2.4-created-at": "`created_at` of a question is a string, a point in time of ISO 8601 in UTC.",
  "conversation-api#2.2.5-updated-at": "`updated_at` of a question is a string, a point in time of ISO 8601 in UTC.",
  "conversation-api#2.2.6-status": "`status` is a string: pending, processing or completed.",
  "conversation-api#2.2.7-title":
    "`title` is a string that the service makes; it is there once the question is completed.",
  "conversation-api#2.2.8-answer": "`answer` is a string of markdown; it is there when the question is completed.",
  "conversation-api#2.2.9-sources": "`sources` is an array of sources; it is there when the question is completed.",
  "conversation-api#2.2.10-turns": "`turns` is an array of turns; it is there on a new question.",
  "conversation-api#2.2.11-stats": "`stats` is an object of counts.",
  "conversation-api#2.2.12-suggested-followups":
    "`suggested_followups` is an array of strings, or null, as it is while the question is processing.",
  "conversation-api#2.2.13-error": "`error` is an object that is there when processing has failed.",
} as const satisfies SentenceRows;

const parts = {
  "conversation-api#2.2.14-source-type": "The `type` of a source is a string, such as Repository.",
  "conversation-api#2.2.15-source-link":
    "The `link` of a source is a string, a path below the address of the instance.",
  "conversation-api#2.2.16-source-label": "The `label` of a source is a string.",
  "conversation-api#2.2.17-turn-reasoning": "The `reasoning` of a turn is a string.",
  "conversation-api#2.2.18-turn-timestamp": "The `timestamp` of a turn is an integer, Unix time in seconds.",
  "conversation-api#2.2.19-turn-role":
    "The `role` of a turn is a string, which is user for the question that was submitted.",
} as const satisfies SentenceRows;

const stats = {
  "conversation-api#2.3.1-counts": "Every member of the stats is an integer that is not negative.",
  "conversation-api#2.3.2-zero-while-processing":
    "As long as the question is processing, every member of the stats is 0.",
  "conversation-api#2.3.3-members":
    "The stats count the time in `time_millis`, calls of tools in `tool_calls`, tokens in `total_input_tokens`, `cached_tokens`, `cache_creation_input_tokens`, `prompt_tokens`, `completion_tokens` and `total_tokens`, and `credits`.",
} as const satisfies SentenceRows;

/** Sections 2.1 to 2.3: the objects of the legacy interface. */
export const legacyResources = {
  ...conversation,
  ...question,
  ...parts,
  ...stats,
} as const satisfies SentenceRows;
