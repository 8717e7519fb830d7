import type { ConversationRuleRow } from "../../rule-record.ts";

/** How a conversation of the legacy interface changes from answer to answer. */
export const legacyHistoryRules = {
  "legacy/status-transitions-are-listed": {
    basis: "stated",
    operation: "conversation",
    title: "The status of a question changes only as the table in the specification allows",
    why: "Clients stop polling at a final status. If the status changes again, they show an answer that is no longer true.",
    requirements: ["conversation-api#3.1.4-success-completes", "conversation-api#3.1.6-failure-completes"],
    demandedBy: "smoke",
  },
  "legacy/reads-are-current": {
    basis: "inferred",
    operation: "conversation",
    title: "A read shows nothing older than an earlier read",
    why: "A client that polls sees the answer appear and vanish again. It may ask the question a second time.",
    requirements: [
      "conversation-api#3.1.4-success-completes",
      "conversation-api#6.1-completion-by-polling",
      "conversation-api#1.9-polled-until-terminal",
    ],
  },
  "legacy/finished-answer-is-stable": {
    basis: "derived",
    operation: "conversation",
    title: "The content of a completed question does not change",
    why: "Clients keep a finished answer and do not read it again. Two users then see different answers to one question.",
    requirements: [
      "conversation-api#2.2.8-answer",
      "conversation-api#3.1.5-success-fills",
      "conversation-api#1.9-polled-until-terminal",
    ],
  },
  "legacy/ids-are-stable": {
    basis: "derived",
    operation: "conversation",
    title: "A conversation and its questions keep their ids",
    requirements: ["conversation-api#2.1.1-id", "conversation-api#2.2.1-id", "conversation-api#4.1.6-get"],
    demandedBy: "smoke",
  },
  "legacy/question-belongs-to-conversation": {
    basis: "derived",
    operation: "conversation",
    title: "A question has the id of its conversation",
    requirements: ["conversation-api#2.2.2-conversation-id"],
  },
  "legacy/questions-keep-their-order": {
    basis: "derived",
    operation: "conversation",
    title: "Questions keep their order, and new ones are added at the end",
    requirements: [
      "conversation-api#2.1.2-questions",
      "conversation-api#1.4-ordered-questions",
      "conversation-api#1.6-follow-ups-are-added",
    ],
    demandedBy: "release",
  },
  "legacy/question-text-is-kept": {
    basis: "derived",
    operation: "conversation",
    title: "The text of a question stays as the user sent it",
    requirements: [
      "conversation-api#2.2.3-question",
      "conversation-api#4.1.4-create",
      "conversation-api#4.1.8-follow-up",
      "conversation-api#1.5-first-question-creates",
    ],
  },
  "legacy/created-at-is-stable": {
    basis: "derived",
    operation: "conversation",
    title: "The creation time of a conversation or question never changes",
    requirements: ["conversation-api#2.1.3-created-at", "conversation-api#2.2.4-created-at"],
  },
  "legacy/updated-at-never-falls": {
    basis: "inferred",
    operation: "conversation",
    title: "The update time never goes back and is not before the creation time",
    requirements: ["conversation-api#2.1.4-updated-at", "conversation-api#2.2.5-updated-at"],
  },
} as const satisfies Readonly<Record<string, ConversationRuleRow>>;
