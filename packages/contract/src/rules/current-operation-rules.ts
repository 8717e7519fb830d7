import type { ConversationRuleRow } from "../rule-record.ts";

/** What the operations of the current interface do. */
export const currentOperationRules = {
  "current/follow-up-is-accepted": {
    basis: "stated",
    operation: "follow-up",
    title: "AddConversationQuestion is accepted and adds the question",
    sentences: [
      "conversation-api#4.2.1-post-below-service",
      "conversation-api#4.2.5-follow-up",
      "conversation-api#1.6-follow-ups-are-added",
    ],
  },
  "current/cancel-is-accepted": {
    basis: "stated",
    operation: "cancel",
    title: "A conversation that is processing can be cancelled",
    sentences: [
      "conversation-api#4.2.1-post-below-service",
      "conversation-api#4.2.6-cancel",
      "conversation-api#1.14-can-be-cancelled",
    ],
  },
  "current/delete-is-accepted": {
    basis: "stated",
    operation: "delete",
    title: "A conversation can be deleted by its owner",
    sentences: [
      "conversation-api#4.2.1-post-below-service",
      "conversation-api#4.2.7-delete",
      "conversation-api#1.12-can-be-deleted",
    ],
  },
  "current/list-is-accepted": {
    basis: "stated",
    operation: "list",
    title: "ListConversationSummaries is answered for the parent users/~self",
    sentences: [
      "conversation-api#2.4.4-self-as-parent",
      "conversation-api#4.2.1-post-below-service",
      "conversation-api#4.2.4-list",
      "conversation-api#4.2.9-parent",
      "conversation-api#1.10-can-be-listed",
    ],
  },
  "current/self-stands-for-the-user": {
    basis: "stated",
    operation: "list",
    title: "`users/~self` stands for the authenticated user",
    sentences: ["conversation-api#2.4.3-self", "conversation-api#4.2.9-parent"],
  },
  "current/pages-do-not-overlap": {
    basis: "derived",
    operation: "list",
    title: "Walking the pages meets every conversation once",
    sentences: ["conversation-api#4.2.4-list"],
  },
} as const satisfies Readonly<Record<string, ConversationRuleRow>>;
