import type { ConversationRuleRow } from "../../rule-record.ts";

/** How a conversation of the current interface changes from answer to answer. */
export const currentHistoryRules = {
  "current/state-transitions-are-listed": {
    basis: "stated",
    operation: "conversation",
    title: "The state of a conversation changes only as the table in the specification allows",
    why: "Clients stop polling at a final state. If the state changes again, they show an answer that is no longer true.",
    requirements: [
      "conversation-api#3.2.2-terminal-values",
      "conversation-api#3.2.4-success-completes",
      "conversation-api#3.2.6-failure-is-error",
    ],
    demandedBy: "smoke",
  },
  "current/reads-are-current": {
    basis: "inferred",
    operation: "conversation",
    title: "A read shows nothing older than an earlier read",
    why: "A client that polls sees the answer appear and vanish again. It may ask the question a second time.",
    requirements: [
      "conversation-api#3.2.4-success-completes",
      "conversation-api#3.2.8-polled-until-terminal",
      "conversation-api#6.1-completion-by-polling",
      "conversation-api#1.9-polled-until-terminal",
    ],
  },
  "current/finished-answer-is-stable": {
    basis: "derived",
    operation: "conversation",
    title: "The content of a finished conversation does not change",
    why: "Clients keep a finished answer and do not read it again. Two users then see different answers to one question.",
    requirements: ["conversation-api#3.2.2-terminal-values", "conversation-api#1.9-polled-until-terminal"],
  },
  "current/name-is-stable": {
    basis: "derived",
    operation: "conversation",
    title: "A conversation keeps its name",
    requirements: ["conversation-api#2.4.2-form-of-names", "conversation-api#2.4.5-name-for-id"],
    demandedBy: "smoke",
  },
  "current/questions-keep-their-order": {
    basis: "derived",
    operation: "conversation",
    title: "Questions keep their order, and new ones are added at the end",
    requirements: ["conversation-api#1.4-ordered-questions", "conversation-api#1.6-follow-ups-are-added"],
    demandedBy: "release",
  },
  "current/question-text-is-kept": {
    basis: "derived",
    operation: "conversation",
    title: "The text of a question stays as the user sent it",
    requirements: [
      "conversation-api#2.4.9-shape-of-create",
      "conversation-api#4.2.5-follow-up",
      "conversation-api#4.2.8-create-request",
      "conversation-api#1.5-first-question-creates",
    ],
  },
  "current/created-at-is-stable": {
    basis: "inferred",
    operation: "conversation",
    title: "The creation time never changes",
    requirements: ["conversation-api#4.2.3-get"],
  },
  "current/updated-at-never-falls": {
    basis: "inferred",
    operation: "conversation",
    title: "The update time never goes back and is not before the creation time",
    requirements: ["conversation-api#4.2.3-get"],
  },
} as const satisfies Readonly<Record<string, ConversationRuleRow>>;
