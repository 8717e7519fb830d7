import type { ConversationRuleRow } from "../../rule-record.ts";

/** What the operations of the legacy interface do. */
export const legacyOperationRules = {
  "legacy/follow-up-is-accepted": {
    basis: "stated",
    operation: "follow-up",
    title: "A follow-up question is accepted and added to its conversation",
    sentences: [
      "conversation-api#4.1.8-follow-up",
      "conversation-api#4.1.10-follow-up-response",
      "conversation-api#1.6-follow-ups-are-added",
    ],
    demandedBy: "release",
  },
  "legacy/follow-up-answers-the-conversation": {
    basis: "stated",
    operation: "follow-up",
    title: "The answer to a follow-up question is its conversation, with the questions before",
    sentences: ["conversation-api#4.1.10-follow-up-response", "conversation-api#2.1.2-questions"],
    demandedBy: "release",
  },
  "legacy/follow-up-id-must-match": {
    basis: "stated",
    operation: "follow-up",
    title: "A follow-up whose conversation_id differs from the path is refused",
    sentences: ["conversation-api#4.1.9-follow-up-ids-match"],
    demandedBy: "release",
  },
  "legacy/cancel-is-accepted": {
    basis: "stated",
    operation: "cancel",
    title: "A question that is processing can be cancelled",
    sentences: ["conversation-api#4.1.11-cancel", "conversation-api#1.14-can-be-cancelled"],
    demandedBy: "release",
  },
  "legacy/delete-is-accepted": {
    basis: "stated",
    operation: "delete",
    title: "A conversation can be deleted by its owner",
    sentences: ["conversation-api#4.1.12-delete", "conversation-api#1.12-can-be-deleted"],
    demandedBy: "smoke",
  },
  "legacy/cancel-has-effect": {
    basis: "inferred",
    operation: "cancel",
    title: "What was cancelled while it was processing does not end as if nothing had happened, every time",
    sentences: ["conversation-api#4.1.11-cancel", "conversation-api#1.14-can-be-cancelled"],
  },
  "legacy/deleted-is-gone": {
    basis: "derived",
    operation: "delete",
    title: "What was deleted is neither delivered nor listed any more, and takes no question, after a while",
    sentences: ["conversation-api#4.1.12-delete", "conversation-api#1.12-can-be-deleted"],
    demandedBy: "release",
  },
} as const satisfies Readonly<Record<string, ConversationRuleRow>>;
