import type { ConversationRow } from "../../rule-record.ts";
import { answers } from "../finding-codes.ts";
import { removing, asking } from "../probe-groups.ts";

/** The effect of operations. */
export const operationRules = {
  "follow-up-is-accepted": {
    interfaces: ["legacy", "current"],
    basis: "stated",
    operation: "follow-up",
    title: "A follow-up question is accepted and added to its conversation",
    demandedBy: "release",
    codes: answers,
    legacy: {
      requirements: [
        "conversation-api#4.1.8-follow-up",
        "conversation-api#4.1.10-follow-up-response",
        "conversation-api#1.6-follow-ups-are-added",
      ],
    },
    current: {
      title: "AddConversationQuestion is accepted and adds the question",
      requirements: [
        "conversation-api#4.2.1-post-below-service",
        "conversation-api#4.2.5-follow-up",
        "conversation-api#1.6-follow-ups-are-added",
      ],
    },
  },
  "legacy/follow-up-answers-the-conversation": {
    basis: "stated",
    operation: "follow-up",
    title: "The response to a follow-up question is its conversation with the earlier questions",
    requirements: ["conversation-api#4.1.10-follow-up-response", "conversation-api#2.1.2-questions"],
    demandedBy: "release",
    codes: ["question-alone", "no-conversation", "questions-left-out"],
  },
  "legacy/follow-up-id-must-match": {
    basis: "stated",
    operation: "follow-up",
    title: "A follow-up whose `conversation_id` differs from the path is refused",
    requirements: ["conversation-api#4.1.9-follow-up-ids-match"],
    demandedBy: "release",
    probes: [...asking, "follow-up", "follow-up-mismatch"],
  },
  "cancel-is-accepted": {
    interfaces: ["legacy", "current"],
    basis: "stated",
    operation: "cancel",
    title: "A question that is processing can be cancelled",
    demandedBy: "release",
    codes: answers,
    probes: [...asking, "cancel", "cancel-follow-up", "cancel-again"],
    legacy: {
      requirements: ["conversation-api#4.1.11-cancel", "conversation-api#1.14-can-be-cancelled"],
    },
    current: {
      title: "A conversation that is processing can be cancelled",
      requirements: [
        "conversation-api#4.2.1-post-below-service",
        "conversation-api#4.2.6-cancel",
        "conversation-api#1.14-can-be-cancelled",
      ],
    },
  },
  "delete-is-accepted": {
    interfaces: ["legacy", "current"],
    basis: "stated",
    operation: "delete",
    title: "The owner can delete a conversation",
    demandedBy: "smoke",
    codes: answers,
    legacy: {
      requirements: ["conversation-api#4.1.12-delete", "conversation-api#1.12-can-be-deleted"],
    },
    current: {
      requirements: [
        "conversation-api#4.2.1-post-below-service",
        "conversation-api#4.2.7-delete",
        "conversation-api#1.12-can-be-deleted",
      ],
    },
  },
  "cancel-has-effect": {
    interfaces: ["legacy", "current"],
    basis: "inferred",
    operation: "cancel",
    title: "Cancelling has an effect: not every cancelled question completes normally",
    why: "Users cancel to stop a long or expensive question. If nothing stops, it still takes quota and its answer still appears.",
    mayBeUntested: true,
    legacy: {
      requirements: ["conversation-api#4.1.11-cancel", "conversation-api#1.14-can-be-cancelled"],
    },
    current: {
      requirements: ["conversation-api#4.2.6-cancel", "conversation-api#1.14-can-be-cancelled"],
    },
  },
  "deleted-is-gone": {
    interfaces: ["legacy", "current"],
    basis: "derived",
    operation: "delete",
    title: "Soon after its deletion a conversation is neither returned nor listed, and accepts no question",
    why: "Users delete conversations that quote private code. If they stay, the code stays readable.",
    demandedBy: "release",
    codes: answers,
    probes: [...asking, ...removing, "delete-at-work", "follow-up-after-delete"],
    legacy: {
      requirements: ["conversation-api#4.1.12-delete", "conversation-api#1.12-can-be-deleted"],
    },
    current: {
      requirements: ["conversation-api#4.2.7-delete", "conversation-api#1.12-can-be-deleted"],
    },
  },
  "id-is-not-reused": {
    interfaces: ["legacy", "current"],
    basis: "derived",
    operation: "create",
    title: "A new conversation does not have the id of an earlier one",
    why: "Clients keep ids. If one is used again, a client shows or deletes a conversation that it does not know.",
    probes: [...asking, "delete-at-work", "cancel"],
    legacy: {
      requirements: ["conversation-api#2.1.1-id"],
    },
    current: {
      title: "A new conversation does not have the name of an earlier one",
      requirements: ["conversation-api#2.4.2-form-of-names", "conversation-api#2.4.5-name-for-id"],
    },
  },
} as const satisfies Readonly<Record<string, ConversationRow>>;
