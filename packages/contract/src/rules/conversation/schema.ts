import type { ConversationRow } from "../../rule-record.ts";
import { schemaKeywords } from "../finding-codes.ts";
import { living, lists } from "../probe-groups.ts";

/** The OpenAPI documents, and whether responses fit them. */
export const conversationSchemaRules = {
  "current/openapi-schema-is-served": {
    basis: "stated",
    operation: "conversation",
    title: "The reference serves an OpenAPI document",
    requirements: ["conversation-api#9.6-openapi-schema"],
    codes: ["missing", "no-link", "no-schema"],
    probes: ["list"],
  },
  "current/openapi-schema-describes-operations": {
    basis: "derived",
    operation: "conversation",
    title: "The served OpenAPI document has the operations of the interface",
    requirements: ["conversation-api#4.2.1-post-below-service", "conversation-api#9.6-openapi-schema"],
    codes: ["lacks"],
    probes: ["list"],
  },
  "responses-fit-openapi": {
    interfaces: ["legacy", "current"],
    basis: "schema",
    operation: "conversation",
    title: "Every response matches the OpenAPI document",
    demandedBy: "release",
    codes: schemaKeywords,
    probes: [...living, ...lists],
    likelyCause: "A version of the API that its OpenAPI document does not describe.",
    legacy: {
      requirements: [
        "conversation-api#4.1.3-responses-are-json",
        "conversation-api#4.1.5-create-response",
        "conversation-api#4.1.6-get",
        "conversation-api#4.1.7-list",
        "conversation-api#4.1.10-follow-up-response",
        "conversation-api#9.6-openapi-schema",
      ],
    },
    current: {
      requirements: [
        "conversation-api#4.2.2-create",
        "conversation-api#4.2.3-get",
        "conversation-api#4.2.4-list",
        "conversation-api#4.2.5-follow-up",
        "conversation-api#9.6-openapi-schema",
      ],
    },
  },
} as const satisfies Readonly<Record<string, ConversationRow>>;
