import { inTheBody, inTheHead, observed } from "./unspecified-row.ts";
import type { UnspecifiedRow } from "./unspecified-row.ts";

const notShown = {
  "current/schemas": {
    origin: "not-shown",
    unknown: "which further members the messages of the current interface have",
    accepted: ["any members besides the documented ones, also none"],
    recorded: inTheBody,
    requirements: ["conversation-api#2.4.10-full-schemas", "conversation-api#4.2.10-get-messages"],
  },
  "current/list-body": {
    origin: "not-shown",
    unknown: "the request for a list of summaries, and the form of the list",
    accepted: ["an object with an array in it, under any name", "entries with any members", "any cursor, also none"],
    recorded: observed("that names the members in which summaries and cursor were found"),
    requirements: ["conversation-api#4.2.11-list-messages"],
  },
  "current/follow-up-body": {
    origin: "not-shown",
    unknown: "the request for a further question, and its response",
    accepted: ["the new question", "the conversation", "any other object"],
    recorded: observed("that names the form of the answer"),
    requirements: ["conversation-api#4.2.12-follow-up-messages"],
  },
  "current/cancel-body": {
    origin: "not-shown",
    unknown: "the request that cancels a conversation, and the body of its response",
    accepted: ["the conversation", "any other body, also none"],
    recorded: observed("that names the form of the body"),
    requirements: ["conversation-api#4.2.13-cancel-messages"],
  },
  "current/delete-body": {
    origin: "not-shown",
    unknown: "the request that deletes a conversation, and the body of its response",
    accepted: ["an empty object", "any other body, also none"],
    recorded: observed("that names the form of the body"),
    requirements: ["conversation-api#4.2.14-delete-messages"],
  },
  "current/authorization-form": {
    origin: "not-shown",
    unknown: "how `Authorization` is written for the current interface",
    accepted: ["the token after the word `token`", "the token after the word `Bearer`; a run tries both"],
    recorded: observed("if the token is accepted after the word `Bearer`"),
    requirements: ["conversation-api#5.9-authorization-form"],
  },
  "current/push-notification": {
    origin: "not-shown",
    unknown: "whether the service reports on its own that the work is finished",
    accepted: ["it does not", "it does, in any way; a run keeps polling"],
    recorded: "nothing",
    requirements: ["conversation-api#6.2-push"],
  },
} as const satisfies Readonly<Record<string, UnspecifiedRow>>;

const unmentionedForm = {
  "current/member-spelling": {
    origin: "silent",
    unknown: "whether names of members with more than one word have underscores or capitals",
    accepted: ["`retry_time`", "`retryTime`", "either spelling of any other such member"],
    recorded: observed("with the observed spelling"),
    requirements: ["conversation-api#3.2.7-error-members", "conversation-api#7.19-retry-time"],
  },
  "current/replaced-members": {
    origin: "silent",
    unknown: "whether members that others have replaced are still sent",
    accepted: ["no", "`id` next to `name`, `status` next to `state`, with any values"],
    recorded: observed("that names the observed old members"),
    requirements: ["conversation-api#2.4.5-name-for-id", "conversation-api#2.4.6-state-for-status"],
  },
  "current/answer-while-processing": {
    origin: "silent",
    unknown: "whether the last question can have an answer while its conversation is still processing",
    accepted: ["no answer", "an answer, whole or the beginning of one"],
    recorded: observed("for conversations that are processing and have an answer to their last question"),
    requirements: ["conversation-api#3.2.5-success-brings-answer"],
  },
  "current/place-of-state": {
    origin: "silent",
    unknown: "whether the state is in the conversation, in its questions, or in both",
    accepted: [
      "in the conversation",
      "in the questions; that of the last one is the state of the conversation",
      "in both",
    ],
    recorded: observed("for questions that have a state"),
    requirements: ["conversation-api#2.4.6-state-for-status", "conversation-api#7.13-error-state"],
  },
  "current/form-of-retry-time": {
    origin: "silent",
    unknown: "the format of the retry time",
    accepted: ["as in ISO 8601", "as an integer, Unix time"],
    recorded: observed("for times that are integers"),
    requirements: ["conversation-api#7.19-retry-time"],
  },
  "current/error-with-answer": {
    origin: "silent",
    unknown: "whether a failed conversation can have an answer to its last question",
    accepted: ["no answer", "an answer, whole or cut off"],
    recorded: observed("for failed conversations with an answer"),
    requirements: ["conversation-api#3.2.6-failure-is-error"],
  },
  "current/user-in-names": {
    origin: "silent",
    unknown: "how names of conversations spell the user",
    accepted: ["a number", "a name", "`~self`"],
    recorded: inTheBody,
    requirements: ["conversation-api#2.4.2-form-of-names", "conversation-api#2.4.3-self"],
  },
  "current/status-codes": {
    origin: "silent",
    unknown: "which status codes the current interface uses",
    accepted: ["any status of the class 2xx for success", "any status of the class 4xx for a refusal"],
    recorded: inTheHead,
    requirements: ["conversation-api#4.2.1-post-below-service"],
  },
  "current/error-body": {
    origin: "silent",
    unknown: "the body of a refusal in the current interface",
    accepted: ["an object with a code and a message", "any other body, also none"],
    recorded: inTheBody,
    requirements: ["conversation-api#4.2.1-post-below-service", "conversation-api#7.8-error-body"],
  },
} as const satisfies Readonly<Record<string, UnspecifiedRow>>;

const unmentionedBehaviour = {
  "current/canceled-state": {
    origin: "silent",
    unknown: "how a conversation becomes canceled: the value is listed, but no row of the table leads to it",
    accepted: ["from processing, after a cancellation", "from processing, without one", "never"],
    recorded: observed("for conversations that went from processing to canceled"),
    requirements: ["conversation-api#3.2.1-values", "conversation-api#4.2.6-cancel"],
  },
  "current/processing-time": {
    origin: "silent",
    unknown: "how long a conversation may be processing",
    accepted: ["any time; a run stops waiting after a while and judges the reads until then"],
    recorded: "the time at which each conversation was first seen in a terminal state",
    requirements: ["conversation-api#3.2.8-polled-until-terminal"],
  },
  "current/cancel-of-finished": {
    origin: "silent",
    unknown: "what happens to a cancellation of a conversation that is no longer processing",
    accepted: ["refused in any way", "accepted without effect"],
    recorded: observed("with the status of the answer"),
    requirements: ["conversation-api#4.2.6-cancel"],
  },
  "current/read-after-delete": {
    origin: "silent",
    unknown: "how GetConversation responds for a deleted conversation",
    accepted: ["that it is not found", "any other refusal", "the conversation, for at most five seconds"],
    recorded: observed("with the status of the answer"),
    requirements: ["conversation-api#4.2.7-delete"],
  },
  "current/other-method": {
    origin: "silent",
    unknown: "the response to an operation that is called with GET; only POST is named",
    accepted: ["refused in any way", "answered like a call with POST"],
    recorded: observed("with the status of a success"),
    requirements: ["conversation-api#4.2.1-post-below-service"],
  },
  "current/follow-up-while-processing": {
    origin: "silent",
    unknown: "what happens to AddConversationQuestion while the conversation is processing",
    accepted: ["refused in any way", "accepted, and processed now or later"],
    recorded: observed("with the status of the answer"),
    requirements: ["conversation-api#4.2.5-follow-up"],
  },
  "current/write-by-other-user": {
    origin: "silent",
    unknown: "the response to AddConversationQuestion, CancelConversation or DeleteConversation of another user",
    accepted: ["refused in any way", "answered with success and without effect"],
    recorded: observed("with the status of a success"),
    requirements: ["conversation-api#5.6-other-users"],
  },
  "current/follow-up-after-other-end": {
    origin: "silent",
    unknown: "what happens to AddConversationQuestion after the previous question was cancelled or failed",
    accepted: ["refused in any way", "accepted"],
    recorded: observed("with the status of a refusal"),
    requirements: ["conversation-api#4.2.5-follow-up", "conversation-api#3.2.6-failure-is-error"],
  },
} as const satisfies Readonly<Record<string, UnspecifiedRow>>;

/**
 * What the specification leaves open about the current interface: first what it says it does not show, then what it
 * does not mention.
 */
export const currentUnspecified = { ...notShown, ...unmentionedForm, ...unmentionedBehaviour } as const;
