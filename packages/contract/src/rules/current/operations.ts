import type { ConversationRuleRow } from "../../rule-record.ts";

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
    demandedBy: "release",
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
    demandedBy: "release",
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
    demandedBy: "smoke",
  },
  "current/cancel-has-effect": {
    basis: "inferred",
    operation: "cancel",
    title: "What was cancelled while it was processing does not end as if nothing had happened, every time",
    sentences: ["conversation-api#4.2.6-cancel", "conversation-api#1.14-can-be-cancelled"],
  },
  "current/deleted-is-gone": {
    basis: "derived",
    operation: "delete",
    title: "What was deleted is neither delivered nor listed any more, and takes no question, after a while",
    sentences: ["conversation-api#4.2.7-delete", "conversation-api#1.12-can-be-deleted"],
    demandedBy: "release",
  },
} as const satisfies Readonly<Record<string, ConversationRuleRow>>;
