/**
 * Event names that the specification lists. An event with another name is only noted. Source: search-stream, section
 * 6.
 */
export const eventNames = ["matches", "progress", "filters", "alert", "done"] as const;
export type EventName = (typeof eventNames)[number];

/** Match types, a closed list. Source: search-stream, sections 2.3 and 6. */
export const matchTypes = ["content", "path", "commit", "diff", "symbol", "repo"] as const;
export type MatchType = (typeof matchTypes)[number];

/** Levels of alert messages, a closed list. Source: search-stream, section 7. */
export const alertLevels = ["info", "warning", "error"] as const;
export type AlertLevel = (typeof alertLevels)[number];

/** Filter kinds observed so far, an open set. Source: search-stream, section 2.1. */
export const observedFilterKinds = ["utility", "type", "lang", "repo"] as const;

/** Reasons of skipped entries observed so far, an open set. Source: search-stream, section 2.2. */
export const observedSkippedReasons = ["excluded-archive", "shard-match-limit"] as const;

/** Severities of skipped entries observed so far, an open set. Source: search-stream, section 2.2. */
export const observedSeverities = ["info"] as const;

/** Pattern types of the parameter `t`. Source: search-stream, section 4. */
export const patternTypes = ["keyword", "standard", "regexp"] as const;

/** Query parameters of the endpoint. Source: search-stream, section 4. */
export const searchParameters = ["q", "v", "t", "max-line-len", "cm", "display", "cl"] as const;
export type SearchParameter = (typeof searchParameters)[number];

/** Path of the endpoint below the base URL. Source: search-stream, section 4. */
export const searchPath = "/.api/search/stream";

/** Paths of the conversation API below the base URL. Source: conversation-api, section 4. */
export const legacyPath = "/.api/deepsearch/v1";
export const currentPath = "/api/deepsearch.v1.Service";

/**
 * Path below the base URL where an instance shows and serves its OpenAPI document. Source: conversation-api, section
 * 9.
 */
export const apiReferencePath = "/api-reference";

/**
 * Time in milliseconds for which a deleted conversation may still be returned. No requirement says that it disappears immediately. Reads
 * may lag by the same time after any other write. Drivers poll for longer.
 */
export const deletionPatienceMs = 5_000;

/** Last part of the path of each operation of the current interface. Source: conversation-api, section 4.2. */
export const currentProcedures = {
  create: "CreateConversation",
  get: "GetConversation",
  list: "ListConversationSummaries",
  "follow-up": "AddConversationQuestion",
  cancel: "CancelConversation",
  delete: "DeleteConversation",
} as const;

/** Members of the stats of a question. Source: conversation-api, section 2.3. */
export const statsMembers = [
  "time_millis",
  "tool_calls",
  "total_input_tokens",
  "cached_tokens",
  "cache_creation_input_tokens",
  "prompt_tokens",
  "completion_tokens",
  "total_tokens",
  "credits",
] as const;

/** Values of the list parameter `sort`; the last one is the default. Source: conversation-api, section 4.1. */
export const sortOrders = ["id", "-id", "created_at", "-created_at", "updated_at", "-updated_at"] as const;
export type SortOrder = (typeof sortOrders)[number];

/** Query parameters of the legacy list. Source: conversation-api, section 4.1. */
export const listParameters = [
  "filter_id",
  "filter_user_id",
  "filter_read_token",
  "filter_is_starred",
  "page_first",
  "page_after",
  "sort",
] as const;
export type ListParameter = (typeof listParameters)[number];

/** Codes of a failed conversation in the current interface, a closed list. Source: conversation-api, section 7. */
export const errorCodes = [
  "ERROR_INTERNAL",
  "ERROR_QUOTA_EXCEEDED",
  "ERROR_ENTITLEMENT_EXCEEDED",
  "ERROR_TOKEN_LIMIT_EXCEEDED",
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** Kinds of legacy errors observed so far, an open set. Source: conversation-api, section 7. */
export const observedErrorKinds = ["TokenLimitExceeded", "Cancelled", "RateLimitExceeded", "InternalError"] as const;

/** Scopes of the current interface; a token needs one of them. Source: conversation-api, section 5. */
export const externalScopes = ["externalapi:read", "externalapi:write"] as const;
