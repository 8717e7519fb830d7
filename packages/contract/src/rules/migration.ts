import type { ConversationRuleRow } from "../rule-record.ts";
import { living } from "./probe-groups.ts";
import { notInBoth } from "./not-tested-reasons.ts";

/** The same conversation through both interfaces. */
export const migrationRules = {
  "migration/questions-agree": {
    basis: "derived",
    operation: "conversation",
    title: "A conversation has the same questions through both interfaces",
    requirements: [
      "conversation-api#4.2.3-get",
      "conversation-api#9.7-base-url",
      "conversation-api#9.10-requests-are-nested",
      "conversation-api#1.4-ordered-questions",
    ],
    codes: ["other-text", "other-count"],
    probes: [...living, "migration", "migration-late"],
    notTested: notInBoth,
  },
  "migration/answers-agree": {
    basis: "derived",
    operation: "conversation",
    title: "A finished answer is the same through both interfaces",
    requirements: ["conversation-api#2.4.8-answer", "conversation-api#4.2.3-get"],
    probes: [...living, "migration", "migration-late"],
    notTested: notInBoth,
  },
  "migration/state-follows-status": {
    basis: "stated",
    operation: "conversation",
    title: "Status and state of a finished conversation agree",
    requirements: ["conversation-api#2.4.6-state-for-status", "conversation-api#9.11-status-becomes-state"],
    probes: [...living, "migration", "migration-late"],
    notTested: notInBoth,
  },
  "migration/error-becomes-state": {
    basis: "stated",
    operation: "conversation",
    title: "A question completed with an error is in the state `error`",
    requirements: ["conversation-api#9.12-error-becomes-state", "conversation-api#8.1-token-limit"],
    probes: [...living, "migration", "migration-late"],
    notTested: notInBoth,
  },
  "migration/deleted-is-gone": {
    basis: "derived",
    operation: "conversation",
    title: "A conversation that one interface deleted is gone from the other",
    why: "Users delete conversations that quote private code. If one interface keeps them, the code stays readable.",
    requirements: [
      "conversation-api#1.12-can-be-deleted",
      "conversation-api#4.2.7-delete",
      "conversation-api#9.7-base-url",
    ],
    probes: [...living, "migration", "delete-at-work", "delete-across", "read-after-delete"],
    notTested: notInBoth,
  },
} as const satisfies Readonly<Record<string, ConversationRuleRow>>;
