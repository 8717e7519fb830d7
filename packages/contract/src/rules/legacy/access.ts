import type { ConversationRuleRow } from "../../rule-record.ts";

/** Who may do what through the legacy interface, and what is refused. */
export const legacyAccessRules = {
  "legacy/access-token-is-accepted": {
    basis: "stated",
    operation: "conversation",
    title: "An access token in the scheme `token` is accepted",
    requirements: ["conversation-api#5.1-legacy-authorization", "conversation-api#5.3-any-access-token"],
    demandedBy: "release",
  },
  "legacy/any-access-token-is-accepted": {
    basis: "stated",
    operation: "conversation",
    title: "An access token is accepted whatever its scopes",
    requirements: ["conversation-api#5.3-any-access-token", "conversation-api#9.8-token-scope"],
  },
  "legacy/missing-token-is-refused": {
    basis: "derived",
    operation: "conversation",
    title: "Every operation refuses a request without a token",
    requirements: ["conversation-api#5.1-legacy-authorization", "conversation-api#7.4-status-401"],
    demandedBy: "release",
  },
  "legacy/invalid-token-is-refused": {
    basis: "derived",
    operation: "conversation",
    title: "Every operation refuses a token that was never issued",
    requirements: ["conversation-api#5.2-legacy-token", "conversation-api#7.4-status-401"],
  },
  "legacy/shared-conversation-is-readable": {
    basis: "stated",
    operation: "list",
    title: "If sharing is on, another user can read a conversation with its read token",
    requirements: [
      "conversation-api#2.1.6-read-token",
      "conversation-api#4.1.17-sharing-for-others",
      "conversation-api#5.6-other-users",
      "conversation-api#1.13-can-be-shared",
    ],
  },
  "legacy/unshared-conversation-is-hidden": {
    basis: "stated",
    operation: "list",
    title: "If sharing is off, a read token gives another user no access",
    requirements: ["conversation-api#4.1.17-sharing-for-others", "conversation-api#5.6-other-users"],
  },
  "legacy/other-users-conversation-is-hidden": {
    basis: "derived",
    operation: "get",
    title: "Another user's conversation is not returned by its id",
    why: "Anyone who knows or guesses an id reads the conversations of other users, with the code they quote.",
    requirements: ["conversation-api#5.6-other-users"],
  },
  "legacy/other-user-may-not-write": {
    basis: "derived",
    operation: "conversation",
    title: "Another user cannot ask in a conversation, cancel it or delete it",
    requirements: ["conversation-api#5.6-other-users"],
  },
  "legacy/unknown-id-is-not-found": {
    basis: "stated",
    operation: "get",
    title: "A conversation or question that does not exist is not found",
    why: "Clients forget a conversation that is not found. With another status they retry forever or show an empty one.",
    requirements: ["conversation-api#7.5-status-404"],
    demandedBy: "release",
  },
  "legacy/bad-request-is-refused": {
    basis: "stated",
    operation: "create",
    title: "A creation or follow-up without a question, or with a body that is not JSON, is a bad request",
    why: "Clients learn from a 400 that a retry is useless. With a success they wait for a question that nobody asked.",
    requirements: [
      "conversation-api#4.1.2-requests-are-json",
      "conversation-api#4.1.4-create",
      "conversation-api#7.3-status-400",
    ],
    demandedBy: "release",
  },
  "legacy/refusal-is-no-server-error": {
    basis: "derived",
    operation: "conversation",
    title: "A forbidden operation is not answered with a server error every time",
    why: "Clients and gateways retry a server error. They then send a forbidden request again and again, and monitors report an outage.",
    requirements: [
      "conversation-api#7.3-status-400",
      "conversation-api#7.5-status-404",
      "conversation-api#4.1.11-cancel",
    ],
  },
  "legacy/refusal-has-a-message": {
    basis: "stated",
    operation: "conversation",
    title: "A refusal has a message that says why",
    requirements: ["conversation-api#7.7-message"],
  },
} as const satisfies Readonly<Record<string, ConversationRuleRow>>;
