import type { SentenceRows } from "./sentence-row.ts";

const events = {
  "conversation-api#6.1-completion-by-polling": "That the work is over is learnt by calling GetConversation.",
  "conversation-api#6.2-push": "Whether the service tells by itself that the work is over is not given.",
} as const satisfies SentenceRows;

const statuses = {
  "conversation-api#7.1-status-200": "Status 200 means success.",
  "conversation-api#7.2-status-202": "Status 202 means that a request was accepted whose work goes on.",
  "conversation-api#7.3-status-400": "Status 400 means that the request was bad.",
  "conversation-api#7.4-status-401": "Status 401 means that the caller is not authorized.",
  "conversation-api#7.5-status-404": "Status 404 means that there is no such thing.",
  "conversation-api#7.6-status-500": {
    text: "Status 500 means that the server failed.",
    notObservable: "nothing a caller sends brings it about, and a run that meets it cannot judge what it came for",
  },
  "conversation-api#7.7-message": "An error response says in words what is wrong.",
  "conversation-api#7.8-error-body": "How the body of an error response is built is not given.",
} as const satisfies SentenceRows;

const legacyFailure = {
  "conversation-api#7.9-failed-question":
    "A question of the old interface whose processing failed is completed and has an `error`.",
  "conversation-api#7.10-error-members": "That error has four strings: `title`, `kind`, `message` and `details`.",
  "conversation-api#7.11-error-kind": "A `kind` that exists is TokenLimitExceeded.",
  "conversation-api#7.12-other-kinds": "Which other kinds of error exist is not given.",
} as const satisfies SentenceRows;

const currentFailure = {
  "conversation-api#7.13-error-state":
    "In the new interface a failure is the state `error`, whose value has a code, a message and a time to retry.",
  "conversation-api#7.14-internal": "ERROR_INTERNAL is a code.",
  "conversation-api#7.15-quota-exceeded": "ERROR_QUOTA_EXCEEDED is a code.",
  "conversation-api#7.16-entitlement-exceeded": "ERROR_ENTITLEMENT_EXCEEDED is a code.",
  "conversation-api#7.17-token-limit-exceeded": "ERROR_TOKEN_LIMIT_EXCEEDED is a code.",
  "conversation-api#7.18-message-is-text": "The `message` of that state is a string.",
  "conversation-api#7.19-retry-time": {
    text: "The `retry_time` of that state is a point in time.",
    partly: "that the service can be asked again from then on",
  },
} as const satisfies SentenceRows;

/** Sections 6 and 7: how completion is learnt, and errors. */
export const conversationErrors = {
  ...events,
  ...statuses,
  ...legacyFailure,
  ...currentFailure,
} as const satisfies SentenceRows;
