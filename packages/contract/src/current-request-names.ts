/**
 * Possible names of request members of the current interface, by purpose. A run sends the first one. The
 * specification shows only the names for a creation. Source: conversation-api, sections 2.4 and 4.2.
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
  /** The conversation that the request is about. */
  name: ["name", "conversation", "conversationName", "conversation_name", "resourceName", "resource_name", "parent"],
  /** The conversation that a follow-up question is added to. */
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

/**
 * Response members that may hold a cursor, such as `nextPageToken`, with the request member that sends it back, such
 * as `pageToken`.
 */
const cursorMembers: ReadonlyMap<string, string> = new Map(
  currentRequestNames.cursor.flatMap((name) => {
    const camel = [`next${name.charAt(0).toUpperCase()}${name.slice(1)}`, name] as const;
    const snake = [`next_${name}`, name] as const;
    return name.includes("_") ? [snake] : /[A-Z]/u.test(name) ? [camel] : [camel, snake];
  }),
);

/** Possible names of the cursor in a list response of the current interface. */
export const currentCursorNames: readonly string[] = [...cursorMembers.keys(), "endCursor", "end_cursor"];

/** Returns the request member that sends back a cursor with this response name, or undefined if there is none. */
export const findCursorRequestName = (answerName: string): string | undefined => cursorMembers.get(answerName);

/** The purpose of a request member. */
export type CurrentRequestRole = keyof typeof currentRequestNames;
