import type { SentenceRows } from "./sentence-row.ts";

const operations = {
  "conversation-api#4.2.1-post-below-service": "Every operation is a POST below `/api/deepsearch.v1.Service/`.",
  "conversation-api#4.2.2-create": "CreateConversation takes the place of creating.",
  "conversation-api#4.2.3-get": "GetConversation takes the place of getting.",
  "conversation-api#4.2.4-list": "ListConversationSummaries takes the place of listing.",
  "conversation-api#4.2.5-follow-up": "AddConversationQuestion takes the place of asking a further question.",
  "conversation-api#4.2.6-cancel": "CancelConversation takes the place of cancelling a question.",
  "conversation-api#4.2.7-delete": "DeleteConversation takes the place of deleting.",
} as const satisfies SentenceRows;

const messages = {
  "conversation-api#4.2.8-create-request": "A creation carries the text of its question in that nested place.",
  "conversation-api#4.2.9-parent": "A request that has to name a parent names `users/~self`.",
  "conversation-api#4.2.10-get-messages": "What GetConversation takes and gives is not shown.",
  "conversation-api#4.2.11-list-messages": "What ListConversationSummaries takes and gives is not shown.",
  "conversation-api#4.2.12-follow-up-messages": "What AddConversationQuestion takes and gives is not shown.",
  "conversation-api#4.2.13-cancel-messages": "What CancelConversation takes and gives is not shown.",
  "conversation-api#4.2.14-delete-messages": "What DeleteConversation takes and gives is not shown.",
  "conversation-api#4.2.15-legacy-delete-body": "With which body the old interface answers a deletion is not shown.",
  "conversation-api#4.2.16-legacy-cancel-body":
    "With which body the old interface answers a cancellation is not shown.",
} as const satisfies SentenceRows;

/** Section 4.2: the operations of the current interface, and what is not shown of both. */
export const currentEndpoints = {
  ...operations,
  ...messages,
} as const satisfies SentenceRows;
