import type { ConversationRuleRow } from "../../rule-record.ts";

/** Lists of conversations, their filters, order and pages. */
export const currentListRules = {
  "current/list-is-accepted": {
    basis: "stated",
    operation: "list",
    title: "ListConversationSummaries succeeds for the parent `users/~self`",
    requirements: [
      "conversation-api#2.4.4-self-as-parent",
      "conversation-api#4.2.1-post-below-service",
      "conversation-api#4.2.4-list",
      "conversation-api#4.2.9-parent",
      "conversation-api#1.10-can-be-listed",
    ],
    demandedBy: "release",
  },
  "current/self-stands-for-the-user": {
    basis: "stated",
    operation: "list",
    title: "`users/~self` stands for the authenticated user",
    requirements: ["conversation-api#2.4.3-self", "conversation-api#4.2.9-parent"],
  },
  "current/pages-do-not-overlap": {
    basis: "derived",
    operation: "list",
    title: "Reading all pages lists every conversation exactly once",
    why: "Clients read a list page by page by its page token. If pages overlap or leave a behaviour, users see conversations twice or not at all.",
    requirements: ["conversation-api#4.2.4-list"],
  },
} as const satisfies Readonly<Record<string, ConversationRuleRow>>;
