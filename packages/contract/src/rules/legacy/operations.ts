import type { ConversationRuleRow } from "../../rule-record.ts";

/** What the operations of the legacy interface do. */
export const legacyOperationRules = {
  "legacy/follow-up-is-accepted": {
    basis: "stated",
    operation: "follow-up",
    title: "A follow-up question is accepted and added to its conversation",
    requirements: [
      "conversation-api#4.1.8-follow-up",
      "conversation-api#4.1.10-follow-up-response",
      "conversation-api#1.6-follow-ups-are-added",
    ],
    demandedBy: "release",
  },
  "legacy/follow-up-answers-the-conversation": {
    basis: "stated",
    operation: "follow-up",
    title: "The response to a follow-up question is its conversation with the earlier questions",
    requirements: ["conversation-api#4.1.10-follow-up-response", "conversation-api#2.1.2-questions"],
    demandedBy: "release",
  },
  "legacy/follow-up-id-must-match": {
    basis: "stated",
    operation: "follow-up",
    title: "A follow-up whose `conversation_id` differs from the path is refused",
    requirements: ["conversation-api#4.1.9-follow-up-ids-match"],
    demandedBy: "release",
  },
  "legacy/cancel-is-accepted": {
    basis: "stated",
    operation: "cancel",
    title: "A question that is processing can be cancelled",
    requirements: ["conversation-api#4.1.11-cancel", "conversation-api#1.14-can-be-cancelled"],
    demandedBy: "release",
  },
  "legacy/delete-is-accepted": {
    basis: "stated",
    operation: "delete",
    title: "The owner can delete a conversation",
    requirements: ["conversation-api#4.1.12-delete", "conversation-api#1.12-can-be-deleted"],
    demandedBy: "smoke",
  },
  "legacy/cancel-has-effect": {
    basis: "inferred",
    operation: "cancel",
    title: "Cancelling has an effect: not every cancelled question completes normally",
    why: "Users cancel to stop a long or expensive question. If nothing stops, it still takes quota and its answer still appears.",
    requirements: ["conversation-api#4.1.11-cancel", "conversation-api#1.14-can-be-cancelled"],
  },
  "legacy/deleted-is-gone": {
    basis: "derived",
    operation: "delete",
    title: "Soon after its deletion a conversation is neither returned nor listed, and accepts no question",
    why: "Users delete conversations that quote private code. If they stay, the code stays readable.",
    requirements: ["conversation-api#4.1.12-delete", "conversation-api#1.12-can-be-deleted"],
    demandedBy: "release",
  },
} as const satisfies Readonly<Record<string, ConversationRuleRow>>;
