/** Event names the document lists. An event with another name is an observation. Source: search-stream, section 6. */
export const eventNames = ["matches", "progress", "filters", "alert", "done"] as const;
export type EventName = (typeof eventNames)[number];

/** Match types; the document closes this list. Source: search-stream, sections 2.3 and 6. */
export const matchTypes = ["content", "path", "commit", "diff", "symbol", "repo"] as const;
export type MatchType = (typeof matchTypes)[number];

/** Filter kinds seen so far; an open set. Source: search-stream, section 2.1. */
export const observedFilterKinds = ["utility", "type", "lang", "repo"] as const;

/** Reasons of skipped entries seen so far; an open set. Source: search-stream, section 2.2. */
export const observedSkippedReasons = ["excluded-archive", "shard-match-limit"] as const;

/** Severities of skipped entries seen so far; an open set. Source: search-stream, section 2.2. */
export const observedSeverities = ["info"] as const;

/** Pattern types of the parameter `t`. Source: search-stream, section 4. */
export const patternTypes = ["keyword", "standard", "regexp"] as const;

/** Query parameters of the endpoint. Source: search-stream, section 4. */
export const searchParameters = ["q", "v", "t", "max-line-len", "cm", "display", "cl"] as const;
export type SearchParameter = (typeof searchParameters)[number];

/** Path of the endpoint below the base URL. Source: search-stream, section 4. */
export const searchPath = "/.api/search/stream";
