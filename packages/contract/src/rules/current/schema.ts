import type { ConversationRuleRow } from "../../rule-record.ts";

/** What the OpenAPI document says of answers. */
export const currentSchemaRules = {
  "current/responses-fit-openapi": {
    basis: "schema",
    operation: "conversation",
    title: "Every answer fits the OpenAPI document",
    sentences: [
      "conversation-api#4.2.2-create",
      "conversation-api#4.2.3-get",
      "conversation-api#4.2.4-list",
      "conversation-api#4.2.5-follow-up",
      "conversation-api#9.6-openapi-schema",
    ],
    demandedBy: "release",
  },
} as const satisfies Readonly<Record<string, ConversationRuleRow>>;
