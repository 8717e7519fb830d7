import type { ConversationRuleRow } from "../../rule-record.ts";

/** What the operations of the current interface do. */
export const currentOperationRules = {
  "current/follow-up-is-accepted": {
    basis: "stated",
    operation: "follow-up",
    title: "AddConversationQuestion is accepted and adds the question",
    requirements: [
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
    requirements: [
      "conversation-api#4.2.1-post-below-service",
      "conversation-api#4.2.6-cancel",
      "conversation-api#1.14-can-be-cancelled",
    ],
    demandedBy: "release",
  },
  "current/delete-is-accepted": {
    basis: "stated",
    operation: "delete",
    title: "The owner can delete a conversation",
    requirements: [
      "conversation-api#4.2.1-post-below-service",
      "conversation-api#4.2.7-delete",
      "conversation-api#1.12-can-be-deleted",
    ],
    demandedBy: "smoke",
  },
  "current/cancel-has-effect": {
    basis: "inferred",
    operation: "cancel",
    title: "Cancelling has an effect: not every cancelled question completes normally",
    why: "Users cancel to stop a long or expensive question. If nothing stops, it still takes quota and its answer still appears.",
    requirements: ["conversation-api#4.2.6-cancel", "conversation-api#1.14-can-be-cancelled"],
  },
  "current/deleted-is-gone": {
    basis: "derived",
    operation: "delete",
    title: "Soon after its deletion a conversation is neither returned nor listed, and accepts no question",
    why: "Users delete conversations that quote private code. If they stay, the code stays readable.",
    requirements: ["conversation-api#4.2.7-delete", "conversation-api#1.12-can-be-deleted"],
    demandedBy: "release",
  },
} as const satisfies Readonly<Record<string, ConversationRuleRow>>;
