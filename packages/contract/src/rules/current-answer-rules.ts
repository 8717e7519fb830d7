import type { ConversationRuleRow } from "../rule-record.ts";

/** What answers of the current interface look like. */
export const currentAnswerRules = {
  "current/create-is-accepted": {
    basis: "stated",
    operation: "create",
    title: "CreateConversation is answered with success and the conversation",
    sentences: [
      "conversation-api#2.4.4-self-as-parent",
      "conversation-api#2.4.9-shape-of-create",
      "conversation-api#4.2.1-post-below-service",
      "conversation-api#4.2.2-create",
      "conversation-api#4.2.8-create-request",
      "conversation-api#9.4-current-version",
      "conversation-api#9.7-base-url",
      "conversation-api#9.10-requests-are-nested",
      "conversation-api#1.5-first-question-creates",
    ],
  },
  "current/get-returns-the-conversation": {
    basis: "stated",
    operation: "get",
    title: "GetConversation is answered with success and that conversation",
    sentences: [
      "conversation-api#3.2.8-polled-until-terminal",
      "conversation-api#4.2.1-post-below-service",
      "conversation-api#4.2.3-get",
      "conversation-api#6.1-completion-by-polling",
      "conversation-api#9.4-current-version",
      "conversation-api#1.9-polled-until-terminal",
      "conversation-api#1.11-can-be-fetched",
    ],
  },
  "current/conversation-fits-schema": {
    basis: "stated",
    operation: "conversation",
    title: "A conversation object has its name, its state and its questions in their documented types",
    sentences: [
      "conversation-api#2.4.5-name-for-id",
      "conversation-api#2.4.6-state-for-status",
      "conversation-api#1.4-ordered-questions",
    ],
  },
  "current/name-is-a-resource-name": {
    basis: "stated",
    operation: "conversation",
    title: "The name of a conversation is users/<user>/conversations/<id>",
    sentences: [
      "conversation-api#2.4.1-names-replace-ids",
      "conversation-api#2.4.2-form-of-names",
      "conversation-api#9.9-ids-become-names",
    ],
  },
  "current/state-has-one-key": {
    basis: "stated",
    operation: "conversation",
    title: "The state is an object whose single key is the state",
    sentences: [
      "conversation-api#2.4.7-state-is-a-oneof",
      "conversation-api#7.13-error-state",
      "conversation-api#9.11-status-becomes-state",
    ],
  },
  "current/state-is-listed": {
    basis: "stated",
    operation: "conversation",
    title: "The state is one of the listed values",
    sentences: ["conversation-api#3.2.1-values"],
  },
  "current/error-has-its-members": {
    basis: "stated",
    operation: "conversation",
    title: "The error state carries a code and a message",
    sentences: [
      "conversation-api#3.2.7-error-members",
      "conversation-api#7.13-error-state",
      "conversation-api#7.18-message-is-text",
    ],
  },
  "current/error-code-is-listed": {
    basis: "stated",
    operation: "conversation",
    title: "The code of an error is one of the listed codes",
    sentences: [
      "conversation-api#7.14-internal",
      "conversation-api#7.15-quota-exceeded",
      "conversation-api#7.16-entitlement-exceeded",
      "conversation-api#7.17-token-limit-exceeded",
      "conversation-api#8.1-token-limit",
      "conversation-api#8.2-quota",
      "conversation-api#8.3-entitlement",
    ],
  },
  "current/retry-time-is-a-timestamp": {
    basis: "stated",
    operation: "conversation",
    title: "The time to retry is a timestamp",
    sentences: ["conversation-api#3.2.7-error-members", "conversation-api#7.19-retry-time"],
  },
  "current/answer-is-unchanged": {
    basis: "stated",
    operation: "conversation",
    title: "The answer of a question is text, whole or in blocks",
    sentences: ["conversation-api#2.4.8-answer", "conversation-api#1.2-answer-is-markdown"],
  },
  "current/created-in-progress": {
    basis: "stated",
    operation: "create",
    title: "A new conversation is in progress when its creation is answered",
    sentences: [
      "conversation-api#3.2.3-begins-processing",
      "conversation-api#1.7-asynchronous",
      "conversation-api#1.8-returns-at-once",
    ],
  },
  "current/no-answer-while-processing": {
    basis: "derived",
    operation: "conversation",
    title: "The last question has no answer while the conversation is processing",
    sentences: ["conversation-api#3.2.5-success-brings-answer"],
  },
  "current/completed-has-an-answer": {
    basis: "stated",
    operation: "conversation",
    title: "The last question of a completed conversation has an answer",
    sentences: ["conversation-api#3.2.5-success-brings-answer", "conversation-api#1.1-questions-about-code"],
  },
} as const satisfies Readonly<Record<string, ConversationRuleRow>>;
