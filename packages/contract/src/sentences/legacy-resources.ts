import { judgedBy, partlyJudgedBy, sentence } from "./sentence.ts";
import type { Sentence } from "./sentence.ts";

const source = judgedBy("legacy/source-fits-schema");
const turn = judgedBy("legacy/turn-fits-schema");

const conversation: readonly Sentence[] = [
  sentence(
    "conversation-api#2.1.1-id",
    "`id` is an integer that identifies the conversation.",
    judgedBy("legacy/conversation-fits-schema", "legacy/ids-are-stable"),
  ),
  sentence(
    "conversation-api#2.1.2-questions",
    "`questions` is an array of questions that has an order.",
    judgedBy("legacy/conversation-fits-schema", "legacy/questions-keep-their-order"),
  ),
  sentence(
    "conversation-api#2.1.3-created-at",
    "`created_at` of a conversation is a string, a point in time of ISO 8601 in UTC.",
    judgedBy("legacy/conversation-fits-schema", "legacy/timestamps-are-utc", "legacy/created-at-is-stable"),
  ),
  sentence(
    "conversation-api#2.1.4-updated-at",
    "`updated_at` of a conversation is a string, a point in time of ISO 8601 in UTC.",
    judgedBy("legacy/conversation-fits-schema", "legacy/timestamps-are-utc", "legacy/updated-at-never-falls"),
  ),
  sentence(
    "conversation-api#2.1.5-user-id",
    "`user_id` is an integer, the owner.",
    partlyJudgedBy("that the number is the owner's, which nothing else tells", "legacy/conversation-fits-schema"),
  ),
  sentence(
    "conversation-api#2.1.6-read-token",
    "`read_token` is a string that lets whoever has it read the conversation.",
    judgedBy(
      "legacy/conversation-fits-schema",
      "legacy/filter-read-token-filters",
      "legacy/shared-conversation-is-readable",
    ),
  ),
  sentence(
    "conversation-api#2.1.7-read-token-in-share-url",
    "The read token is also a part of `share_url`.",
    judgedBy("legacy/share-url-holds-read-token"),
  ),
  sentence(
    "conversation-api#2.1.8-share-url",
    "`share_url` is a string, an address to share the conversation with.",
    partlyJudgedBy("that the address works, which is a page for people", "legacy/conversation-fits-schema"),
  ),
  sentence(
    "conversation-api#2.1.9-viewer",
    "`viewer` is an object with the boolean `is_owner`, and is there when a conversation is retrieved.",
    judgedBy("legacy/viewer-on-retrieval", "legacy/owner-is-viewer"),
  ),
  sentence(
    "conversation-api#2.1.10-quota-usage",
    "`quota_usage` has the integers `total_quota` and `quota_limit` and the point in time `reset_time` in UTC, and is there when a conversation is retrieved.",
    judgedBy("legacy/quota-usage-on-retrieval", "legacy/timestamps-are-utc"),
  ),
];

const question: readonly Sentence[] = [
  sentence(
    "conversation-api#2.2.1-id",
    "`id` is an integer that identifies the question.",
    judgedBy("legacy/question-fits-schema", "legacy/ids-are-stable"),
  ),
  sentence(
    "conversation-api#2.2.2-conversation-id",
    "`conversation_id` is an integer, the conversation around the question.",
    judgedBy("legacy/question-fits-schema", "legacy/question-belongs-to-conversation"),
  ),
  sentence(
    "conversation-api#2.2.3-question",
    "`question` is a string, the text that was asked.",
    judgedBy("legacy/question-fits-schema", "legacy/question-text-is-kept"),
  ),
  sentence(
    "conversation-api#2.2.4-created-at",
    "`created_at` of a question is a string, a point in time of ISO 8601 in UTC.",
    judgedBy("legacy/question-fits-schema", "legacy/timestamps-are-utc", "legacy/created-at-is-stable"),
  ),
  sentence(
    "conversation-api#2.2.5-updated-at",
    "`updated_at` of a question is a string, a point in time of ISO 8601 in UTC.",
    judgedBy("legacy/question-fits-schema", "legacy/timestamps-are-utc", "legacy/updated-at-never-falls"),
  ),
  sentence(
    "conversation-api#2.2.6-status",
    "`status` is a string: pending, processing or completed.",
    judgedBy("legacy/question-fits-schema", "legacy/status-is-listed"),
  ),
  sentence(
    "conversation-api#2.2.7-title",
    "`title` is a string that the service makes; it is there once the question is completed.",
    judgedBy("legacy/question-fits-schema", "legacy/completed-question-is-filled"),
  ),
  sentence(
    "conversation-api#2.2.8-answer",
    "`answer` is a string of markdown; it is there when the question is completed.",
    judgedBy(
      "legacy/question-fits-schema",
      "legacy/completed-question-is-filled",
      "legacy/no-answer-while-processing",
      "legacy/finished-answer-is-stable",
    ),
  ),
  sentence(
    "conversation-api#2.2.9-sources",
    "`sources` is an array of sources; it is there when the question is completed.",
    judgedBy("legacy/question-fits-schema", "legacy/completed-question-is-filled"),
  ),
  sentence(
    "conversation-api#2.2.10-turns",
    "`turns` is an array of turns; it is there on a new question.",
    judgedBy("legacy/question-fits-schema", "legacy/new-question-has-turns"),
  ),
  sentence(
    "conversation-api#2.2.11-stats",
    "`stats` is an object of counts.",
    judgedBy("legacy/question-fits-schema", "legacy/stats-are-counts"),
  ),
  sentence(
    "conversation-api#2.2.12-suggested-followups",
    "`suggested_followups` is an array of strings, or null, as it is while the question is processing.",
    judgedBy("legacy/question-fits-schema", "legacy/followups-null-while-processing"),
  ),
  sentence(
    "conversation-api#2.2.13-error",
    "`error` is an object that is there when processing has failed.",
    judgedBy("legacy/question-fits-schema", "legacy/failed-question-is-completed"),
  ),
];

const parts: readonly Sentence[] = [
  sentence("conversation-api#2.2.14-source-type", "The `type` of a source is a string, such as Repository.", source),
  sentence(
    "conversation-api#2.2.15-source-link",
    "The `link` of a source is a string, a path below the address of the instance.",
    source,
  ),
  sentence("conversation-api#2.2.16-source-label", "The `label` of a source is a string.", source),
  sentence("conversation-api#2.2.17-turn-reasoning", "The `reasoning` of a turn is a string.", turn),
  sentence(
    "conversation-api#2.2.18-turn-timestamp",
    "The `timestamp` of a turn is an integer, Unix time in seconds.",
    turn,
  ),
  sentence(
    "conversation-api#2.2.19-turn-role",
    "The `role` of a turn is a string, which is user for the question that was submitted.",
    judgedBy("legacy/turn-fits-schema", "legacy/new-question-has-turns"),
  ),
];

const stats: readonly Sentence[] = [
  sentence(
    "conversation-api#2.3.1-counts",
    "Every member of the stats is an integer that is not negative.",
    judgedBy("legacy/stats-are-counts"),
  ),
  sentence(
    "conversation-api#2.3.2-zero-while-processing",
    "As long as the question is processing, every member of the stats is 0.",
    judgedBy("legacy/stats-are-zero-while-processing"),
  ),
  sentence(
    "conversation-api#2.3.3-members",
    "The stats count the time in `time_millis`, calls of tools in `tool_calls`, tokens in `total_input_tokens`, `cached_tokens`, `cache_creation_input_tokens`, `prompt_tokens`, `completion_tokens` and `total_tokens`, and `credits`.",
    judgedBy("legacy/stats-are-counts"),
  ),
];

/** Sections 2.1 to 2.3: the objects of the legacy interface. */
export const legacyResources: readonly Sentence[] = [...conversation, ...question, ...parts, ...stats];
