/**
 * Names that members of a request of the current interface may have, by what they are for; the one that is sent first stands
 * first. Only those of a creation are shown. Source: conversation-api, sections 2.4 and 4.2.
 */
export const currentRequestNames = {
  size: [
    "pageSize",
    "page_size",
    "limit",
    "first",
    "maxResults",
    "max_results",
    "maxPageSize",
    "max_page_size",
    "size",
  ],
  cursor: [
    "pageToken",
    "page_token",
    "cursor",
    "after",
    "pageAfter",
    "page_after",
    "pageCursor",
    "page_cursor",
    "token",
  ],
  /** The conversation that is meant. */
  name: ["name", "conversation", "conversationName", "conversation_name", "resourceName", "resource_name", "parent"],
  /** The conversation that gets a further question. */
  followUpParent: [
    "parent",
    "name",
    "conversation",
    "conversationName",
    "conversation_name",
    "resourceName",
    "resource_name",
  ],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

/** What a member of a request is for. */
export type CurrentRequestRole = keyof typeof currentRequestNames;
