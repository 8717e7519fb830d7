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

/** Members of answers that hold a cursor, such as `nextPageToken`, with the request member that sends it back, such as `pageToken`. */
const cursorMembers: ReadonlyMap<string, string> = new Map(
  currentRequestNames.cursor.flatMap((name) => {
    const camel = [`next${name.charAt(0).toUpperCase()}${name.slice(1)}`, name] as const;
    const snake = [`next_${name}`, name] as const;
    return name.includes("_") ? [snake] : /[A-Z]/u.test(name) ? [camel] : [camel, snake];
  }),
);

/** Names that the cursor of a list of the current interface may have in an answer. */
export const currentCursorNames: readonly string[] = [...cursorMembers.keys(), "endCursor", "end_cursor"];

/** The request member that sends back the cursor which an answer has under a name; undefined where none goes with it. */
export const requestNameOfCursor = (answerName: string): string | undefined => cursorMembers.get(answerName);

/** What a member of a request is for. */
export type CurrentRequestRole = keyof typeof currentRequestNames;
