import type { ConversationRow } from "../../rule-record.ts";
import { transitionCodes, orderCodes, asAsked } from "../finding-codes.ts";
import { living } from "../probe-groups.ts";
import { noTime, noCurrentTime } from "../not-tested-reasons.ts";

/** How a conversation changes between responses. */
export const historyRules = {
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
    codes: transitionCodes,
  },
  "legacy/status-transitions-are-listed": {
    basis: "stated",
    operation: "conversation",
    title: "The status of a question changes only as the table in the specification allows",
    why: "Clients stop polling at a final status. If the status changes again, they show an answer that is no longer true.",
    requirements: ["conversation-api#3.1.4-success-completes", "conversation-api#3.1.6-failure-completes"],
    demandedBy: "smoke",
    codes: transitionCodes,
  },
  "reads-are-current": {
    interfaces: ["legacy", "current"],
    basis: "inferred",
    operation: "conversation",
    title: "A read shows nothing older than an earlier read",
    why: "A client that polls sees the answer appear and vanish again. It may ask the question a second time.",
    legacy: {
      requirements: [
        "conversation-api#3.1.4-success-completes",
        "conversation-api#6.1-completion-by-polling",
        "conversation-api#1.9-polled-until-terminal",
      ],
      notTested: noTime("updated_at"),
    },
    current: {
      requirements: [
        "conversation-api#3.2.4-success-completes",
        "conversation-api#3.2.8-polled-until-terminal",
        "conversation-api#6.1-completion-by-polling",
        "conversation-api#1.9-polled-until-terminal",
      ],
      notTested: noCurrentTime("updateTime"),
      mayBeUntested: true,
    },
  },
  "finished-answer-is-stable": {
    interfaces: ["legacy", "current"],
    basis: "derived",
    operation: "conversation",
    title: "The content of a completed question does not change",
    why: "Clients keep a finished answer and do not read it again. Two users then see different answers to one question.",
    legacy: {
      requirements: [
        "conversation-api#2.2.8-answer",
        "conversation-api#3.1.5-success-fills",
        "conversation-api#1.9-polled-until-terminal",
      ],
    },
    current: {
      title: "The content of a finished conversation does not change",
      requirements: ["conversation-api#3.2.2-terminal-values", "conversation-api#1.9-polled-until-terminal"],
    },
  },
  "current/name-is-stable": {
    basis: "derived",
    operation: "conversation",
    title: "A conversation keeps its name",
    requirements: ["conversation-api#2.4.2-form-of-names", "conversation-api#2.4.5-name-for-id"],
    demandedBy: "smoke",
    probes: [...living, "parallel-reads"],
  },
  "legacy/ids-are-stable": {
    basis: "derived",
    operation: "conversation",
    title: "A conversation and its questions keep their ids",
    requirements: ["conversation-api#2.1.1-id", "conversation-api#2.2.1-id", "conversation-api#4.1.6-get"],
    demandedBy: "smoke",
    codes: ["question-id-changed", "other-conversation"],
    probes: [...living, "parallel-reads"],
  },
  "legacy/question-belongs-to-conversation": {
    basis: "derived",
    operation: "conversation",
    title: "A question has the id of its conversation",
    requirements: ["conversation-api#2.2.2-conversation-id"],
  },
  "questions-keep-their-order": {
    interfaces: ["legacy", "current"],
    basis: "derived",
    operation: "conversation",
    title: "Questions keep their order, and new ones are added at the end",
    demandedBy: "release",
    codes: orderCodes,
    legacy: {
      requirements: [
        "conversation-api#2.1.2-questions",
        "conversation-api#1.4-ordered-questions",
        "conversation-api#1.6-follow-ups-are-added",
      ],
    },
    current: {
      requirements: ["conversation-api#1.4-ordered-questions", "conversation-api#1.6-follow-ups-are-added"],
    },
  },
  "question-text-is-kept": {
    interfaces: ["legacy", "current"],
    basis: "derived",
    operation: "conversation",
    title: "The text of a question stays as the user sent it",
    codes: asAsked,
    legacy: {
      requirements: [
        "conversation-api#2.2.3-question",
        "conversation-api#4.1.4-create",
        "conversation-api#4.1.8-follow-up",
        "conversation-api#1.5-first-question-creates",
      ],
    },
    current: {
      requirements: [
        "conversation-api#2.4.9-shape-of-create",
        "conversation-api#4.2.5-follow-up",
        "conversation-api#4.2.8-create-request",
        "conversation-api#1.5-first-question-creates",
      ],
    },
  },
  "created-at-is-stable": {
    interfaces: ["legacy", "current"],
    basis: "derived",
    operation: "conversation",
    title: "The creation time of a conversation or question never changes",
    legacy: {
      requirements: ["conversation-api#2.1.3-created-at", "conversation-api#2.2.4-created-at"],
      notTested: noTime("created_at"),
    },
    current: {
      basis: "inferred",
      title: "The creation time never changes",
      requirements: ["conversation-api#4.2.3-get"],
      notTested: noCurrentTime("createTime"),
      mayBeUntested: true,
    },
  },
  "updated-at-never-falls": {
    interfaces: ["legacy", "current"],
    basis: "inferred",
    operation: "conversation",
    title: "The update time never goes back and is not before the creation time",
    legacy: {
      requirements: ["conversation-api#2.1.4-updated-at", "conversation-api#2.2.5-updated-at"],
      notTested: noTime("updated_at"),
    },
    current: {
      requirements: ["conversation-api#4.2.3-get"],
      notTested: noCurrentTime("updateTime"),
      mayBeUntested: true,
    },
  },
} as const satisfies Readonly<Record<string, ConversationRow>>;
