import type { ConversationRuleRow } from "../../rule-record.ts";

/** Who may do what through the current interface, and what is refused. */
export const currentAccessRules = {
  "current/access-token-is-accepted": {
    basis: "stated",
    operation: "conversation",
    title: "A token with a scope of the external API is accepted",
    requirements: ["conversation-api#5.7-scope"],
    demandedBy: "release",
  },
  "current/read-scope-may-read": {
    basis: "stated",
    operation: "get",
    title: "A token with the scope `externalapi:read` can read",
    requirements: ["conversation-api#5.7-scope"],
  },
  "current/write-scope-may-write": {
    basis: "stated",
    operation: "create",
    title: "A token with the scope `externalapi:write` can write",
    requirements: ["conversation-api#5.7-scope"],
  },
  "current/read-scope-may-not-write": {
    basis: "inferred",
    operation: "create",
    title: "A token with only the scope `externalapi:read` cannot write",
    requirements: ["conversation-api#5.7-scope"],
  },
  "current/scope-is-required": {
    basis: "stated",
    operation: "conversation",
    title: "Every operation refuses a token without a scope of the external API",
    requirements: ["conversation-api#5.7-scope", "conversation-api#9.8-token-scope"],
  },
  "current/missing-token-is-refused": {
    basis: "derived",
    operation: "conversation",
    title: "Every operation refuses a request without a token",
    requirements: ["conversation-api#5.7-scope"],
    demandedBy: "release",
  },
  "current/invalid-token-is-refused": {
    basis: "derived",
    operation: "conversation",
    title: "Every operation refuses a token that was never issued",
    requirements: ["conversation-api#5.7-scope"],
  },
  "current/needs-no-x-requested-with": {
    basis: "stated",
    operation: "conversation",
    title: "A request needs no `X-Requested-With`",
    requirements: ["conversation-api#5.8-no-x-requested-with"],
    demandedBy: "release",
  },
  "current/other-users-conversation-is-hidden": {
    basis: "derived",
    operation: "get",
    title: "Another user's conversation is not returned by its name",
    why: "Anyone who knows or guesses a name reads the conversations of other users, with the code they quote.",
    requirements: [
      "conversation-api#2.4.2-form-of-names",
      "conversation-api#2.4.3-self",
      "conversation-api#5.6-other-users",
    ],
  },
  "current/other-user-may-not-write": {
    basis: "derived",
    operation: "conversation",
    title: "Another user cannot ask in a conversation, cancel it or delete it",
    requirements: [
      "conversation-api#2.4.2-form-of-names",
      "conversation-api#2.4.3-self",
      "conversation-api#5.6-other-users",
    ],
  },
  "current/bad-request-is-refused": {
    basis: "derived",
    operation: "create",
    title: "A creation without a question, or with a body that is not JSON, is refused",
    requirements: ["conversation-api#4.2.2-create", "conversation-api#4.2.8-create-request"],
  },
  "current/unknown-name-is-refused": {
    basis: "derived",
    operation: "get",
    title: "An unknown conversation is not returned",
    requirements: ["conversation-api#4.2.3-get"],
  },
  "current/refusal-is-no-server-error": {
    basis: "inferred",
    operation: "conversation",
    title: "A forbidden operation is not answered with a server error every time",
    why: "Clients and gateways retry a server error. They then send a forbidden request again and again, and monitors report an outage.",
    requirements: ["conversation-api#5.7-scope", "conversation-api#4.2.3-get", "conversation-api#4.2.6-cancel"],
  },
} as const satisfies Readonly<Record<string, ConversationRuleRow>>;
