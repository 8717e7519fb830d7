import { judgedBy, leftOpen, notObservable, partlyJudgedBy, sentence } from "./sentence.ts";
import type { Sentence } from "./sentence.ts";

const code = judgedBy("current/error-code-is-listed");

const events: readonly Sentence[] = [
  sentence(
    "conversation-api#6.1-completion-by-polling",
    "That the work is over is learnt by calling GetConversation.",
    judgedBy("current/get-returns-the-conversation", "current/reads-are-current", "legacy/reads-are-current"),
  ),
  sentence(
    "conversation-api#6.2-push",
    "Whether the service tells by itself that the work is over is not given.",
    leftOpen("current/push-notification"),
  ),
];

const statuses: readonly Sentence[] = [
  sentence("conversation-api#7.1-status-200", "Status 200 means success.", judgedBy("legacy/success-status-is-listed")),
  sentence(
    "conversation-api#7.2-status-202",
    "Status 202 means that a request was accepted whose work goes on.",
    judgedBy("legacy/success-status-is-listed"),
  ),
  sentence(
    "conversation-api#7.3-status-400",
    "Status 400 means that the request was bad.",
    judgedBy("legacy/bad-request-is-refused"),
  ),
  sentence(
    "conversation-api#7.4-status-401",
    "Status 401 means that the caller is not authorized.",
    judgedBy("legacy/missing-token-is-refused", "legacy/invalid-token-is-refused"),
  ),
  sentence(
    "conversation-api#7.5-status-404",
    "Status 404 means that there is no such thing.",
    judgedBy("legacy/unknown-id-is-not-found"),
  ),
  sentence(
    "conversation-api#7.6-status-500",
    "Status 500 means that the server failed.",
    notObservable("nothing a caller sends brings it about, and a run that meets it cannot judge what it came for"),
  ),
  sentence(
    "conversation-api#7.7-message",
    "An error response says in words what is wrong.",
    judgedBy("legacy/refusal-has-a-message"),
  ),
  sentence(
    "conversation-api#7.8-error-body",
    "How the body of an error response is built is not given.",
    leftOpen("legacy/error-body"),
  ),
];

const legacyFailure: readonly Sentence[] = [
  sentence(
    "conversation-api#7.9-failed-question",
    "A question of the old interface whose processing failed is completed and has an `error`.",
    judgedBy("legacy/failed-question-is-completed"),
  ),
  sentence(
    "conversation-api#7.10-error-members",
    "That error has four strings: `title`, `kind`, `message` and `details`.",
    judgedBy("legacy/error-fits-schema"),
  ),
  sentence(
    "conversation-api#7.11-error-kind",
    "A `kind` that exists is TokenLimitExceeded.",
    judgedBy("legacy/error-kind-is-known"),
  ),
  sentence(
    "conversation-api#7.12-other-kinds",
    "Which other kinds of error exist is not given.",
    leftOpen("legacy/other-error-kinds"),
  ),
];

const currentFailure: readonly Sentence[] = [
  sentence(
    "conversation-api#7.13-error-state",
    "In the new interface a failure is the state `error`, whose value has a code, a message and a time to retry.",
    judgedBy("current/error-has-its-members", "current/state-has-one-key"),
  ),
  sentence("conversation-api#7.14-internal", "ERROR_INTERNAL is a code.", code),
  sentence("conversation-api#7.15-quota-exceeded", "ERROR_QUOTA_EXCEEDED is a code.", code),
  sentence("conversation-api#7.16-entitlement-exceeded", "ERROR_ENTITLEMENT_EXCEEDED is a code.", code),
  sentence("conversation-api#7.17-token-limit-exceeded", "ERROR_TOKEN_LIMIT_EXCEEDED is a code.", code),
  sentence(
    "conversation-api#7.18-message-is-text",
    "The `message` of that state is a string.",
    judgedBy("current/error-has-its-members"),
  ),
  sentence(
    "conversation-api#7.19-retry-time",
    "The `retry_time` of that state is a point in time.",
    partlyJudgedBy("that the service can be asked again from then on", "current/retry-time-is-a-timestamp"),
  ),
];

/** Sections 6 and 7: how completion is learnt, and errors. */
export const conversationErrors: readonly Sentence[] = [...events, ...statuses, ...legacyFailure, ...currentFailure];
