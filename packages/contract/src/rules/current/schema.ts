import type { ConversationRuleRow } from "../../rule-record.ts";

/** What the OpenAPI document says of answers. */
export const currentSchemaRules = {
  "current/openapi-schema-is-served": {
    basis: "stated",
    operation: "conversation",
    title: "The reference serves an OpenAPI document",
    requirements: ["conversation-api#9.6-openapi-schema"],
  },
  "current/openapi-schema-describes-operations": {
    basis: "derived",
    operation: "conversation",
    title: "The served OpenAPI document has the operations of the interface",
    requirements: ["conversation-api#4.2.1-post-below-service", "conversation-api#9.6-openapi-schema"],
  },
  "current/responses-fit-openapi": {
    basis: "schema",
    operation: "conversation",
    title: "Every response matches the OpenAPI document",
    requirements: [
      "conversation-api#4.2.2-create",
      "conversation-api#4.2.3-get",
      "conversation-api#4.2.4-list",
      "conversation-api#4.2.5-follow-up",
      "conversation-api#9.6-openapi-schema",
    ],
    demandedBy: "release",
  },
} as const satisfies Readonly<Record<string, ConversationRuleRow>>;
