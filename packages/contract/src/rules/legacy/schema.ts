import type { ConversationRuleRow } from "../../rule-record.ts";

/** What the OpenAPI document says of answers. */
export const legacySchemaRules = {
  "legacy/responses-fit-openapi": {
    basis: "schema",
    operation: "conversation",
    title: "Every response matches the OpenAPI document",
    requirements: [
      "conversation-api#4.1.3-responses-are-json",
      "conversation-api#4.1.5-create-response",
      "conversation-api#4.1.6-get",
      "conversation-api#4.1.7-list",
      "conversation-api#4.1.10-follow-up-response",
      "conversation-api#9.6-openapi-schema",
    ],
    demandedBy: "release",
  },
} as const satisfies Readonly<Record<string, ConversationRuleRow>>;
