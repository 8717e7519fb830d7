import { inTheBody, inTheHead, observed } from "./unspecified-row.ts";
import type { UnspecifiedRow } from "./unspecified-row.ts";

const notShown = {
  "legacy/pending-status": {
    origin: "not-shown",
    unknown: "how a question becomes pending, and which status follows",
    accepted: ["no question that is pending", "pending at any time after the answer that shows the question first"],
    recorded: observed("for pending questions"),
    requirements: ["conversation-api#3.1.8-pending"],
  },
  "legacy/status-after-cancel": {
    origin: "not-shown",
    unknown: "the final status of a cancelled question",
    accepted: [
      "completed, with an error or without",
      "a status that is not listed",
      "processing, if it is never stopped",
      "none: the question is no longer shown",
    ],
    recorded: observed("with the status after the cancellation"),
    requirements: ["conversation-api#3.1.9-after-cancellation"],
  },
  "legacy/cancel-body": {
    origin: "not-shown",
    unknown: "the response body of a cancellation",
    accepted: ["any body of any type, also none"],
    recorded: observed("that names the form of the body"),
    requirements: ["conversation-api#4.2.16-legacy-cancel-body"],
  },
  "legacy/delete-body": {
    origin: "not-shown",
    unknown: "the response body of a deletion",
    accepted: ["any body of any type, also none"],
    recorded: observed("that names the form of the body"),
    requirements: ["conversation-api#4.2.15-legacy-delete-body"],
  },
  "legacy/error-body": {
    origin: "not-shown",
    unknown: "the body of a refusal in the legacy interface",
    accepted: ["JSON of any shape", "text", "anything else that contains words"],
    recorded: inTheBody,
    requirements: ["conversation-api#7.8-error-body"],
  },
  "legacy/other-error-kinds": {
    origin: "not-shown",
    unknown: "which kinds of error exist besides TokenLimitExceeded",
    accepted: ["any string"],
    recorded: "a kind that was not observed before, as a note of the rule `legacy/error-kind-is-known`",
    requirements: ["conversation-api#7.12-other-kinds"],
  },
  "legacy/quota-limit": {
    origin: "not-shown",
    unknown: "what the values of `quota_limit` mean, such as numbers below 1",
    accepted: ["any integer"],
    recorded: inTheBody,
    requirements: ["conversation-api#8.7-quota-limit"],
  },
  "legacy/rate-limit": {
    origin: "not-shown",
    unknown: "the rate limit for requests about conversations",
    accepted: ["no limit", "any limit; a request refused with status 429 is not judged"],
    recorded: inTheHead,
    requirements: ["conversation-api#8.5-rate-limits"],
  },
  "legacy/page-size": {
    origin: "not-shown",
    unknown: "the maximum size of a list page, and its size without `page_first`",
    accepted: ["any number up to `page_first`", "any number without it"],
    recorded: inTheBody,
    requirements: ["conversation-api#8.6-page-size"],
  },
  "legacy/removal-date": {
    origin: "not-shown",
    unknown: "when the legacy interface will be removed",
    accepted: ["at any time; declare a target without it"],
    recorded: "nothing",
    requirements: ["conversation-api#9.13-removal-date"],
  },
} as const satisfies Readonly<Record<string, UnspecifiedRow>>;

const unmentionedForm = {
  "legacy/list-envelope": {
    origin: "silent",
    unknown: "the envelope of a list, and which members of conversations it has",
    accepted: ["an array", "an object with an array in it", "conversations with any of their members"],
    recorded: observed("that names the envelope"),
    requirements: ["conversation-api#4.1.7-list"],
  },
  "legacy/list-of-new": {
    origin: "silent",
    unknown: "how soon a list shows a new conversation, and whether it does so before the first question has ended",
    accepted: ["at once, with the question in progress", "a little later, or only when the question has ended"],
    recorded: inTheBody,
    requirements: ["conversation-api#4.1.7-list", "conversation-api#1.10-can-be-listed"],
  },
  "legacy/list-cursor": {
    origin: "silent",
    unknown: "where the cursor for `page_after` comes from",
    accepted: [
      "a member of the envelope",
      "the id of the last conversation of a page",
      "a header field",
      "no cursor at all",
    ],
    recorded: observed("that names the cursor, or reports that there is none"),
    requirements: ["conversation-api#4.1.20-page-after"],
  },
  "legacy/success-code": {
    origin: "silent",
    unknown: "when each of the two success codes is sent",
    accepted: ["200 or 202 for every operation"],
    recorded: inTheHead,
    requirements: ["conversation-api#7.1-status-200", "conversation-api#7.2-status-202"],
  },
  "legacy/refusal-status": {
    origin: "silent",
    unknown: "the status of a refusal for a reason that the table of codes does not name",
    accepted: ["any status of the class 4xx"],
    recorded: inTheHead,
    requirements: [
      "conversation-api#7.3-status-400",
      "conversation-api#7.4-status-401",
      "conversation-api#7.5-status-404",
    ],
  },
  "legacy/null-for-absent": {
    origin: "silent",
    unknown: "whether a member without a value is left out or empty",
    accepted: [
      "a member without a value yet is left out or empty; only suggested follow-ups can be null",
      "`suggested_followups` is left out while the question is processing",
    ],
    recorded: observed("for suggested follow-ups that are left out while processing"),
    requirements: ["conversation-api#2.2.8-answer", "conversation-api#2.2.12-suggested-followups"],
  },
  "legacy/turns-after-creation": {
    origin: "silent",
    unknown: "whether a question that is no longer new still has turns, and with which roles",
    accepted: ["no turns", "turns of any role"],
    recorded: inTheBody,
    requirements: ["conversation-api#2.2.10-turns", "conversation-api#2.2.19-turn-role"],
  },
  "legacy/failed-question-members": {
    origin: "silent",
    unknown: "which members besides the error a failed question has",
    accepted: ["no answer, title and sources", "any of them"],
    recorded: inTheBody,
    requirements: ["conversation-api#2.2.8-answer", "conversation-api#3.1.7-failure-fills-error"],
  },
} as const satisfies Readonly<Record<string, UnspecifiedRow>>;

const unmentionedBehaviour = {
  "legacy/client-header": {
    origin: "silent",
    unknown: "what happens to a request without `X-Requested-With`, or with a value of another shape",
    accepted: ["refused in any way", "answered as if it had the header"],
    recorded: inTheHead,
    requirements: ["conversation-api#5.4-x-requested-with", "conversation-api#5.5-x-requested-with-shape"],
  },
  "legacy/other-scheme": {
    origin: "silent",
    unknown: "what happens to a valid token after another word than `token`",
    accepted: ["refused in any way", "answered as after the word `token`"],
    recorded: inTheHead,
    requirements: ["conversation-api#5.1-legacy-authorization"],
  },
  "legacy/processing-time": {
    origin: "silent",
    unknown: "how long a question may be processing",
    accepted: ["any time; a run stops waiting after a while and judges the reads until then"],
    recorded: "the time at which each question was first seen completed",
    requirements: ["conversation-api#1.9-polled-until-terminal"],
  },
  "legacy/cancel-of-finished": {
    origin: "silent",
    unknown: "what happens to a cancellation of a question that is no longer processing",
    accepted: ["refused in any way", "accepted without effect"],
    recorded: observed("with the status of the answer"),
    requirements: ["conversation-api#4.1.11-cancel"],
  },
  "legacy/read-after-delete": {
    origin: "silent",
    unknown: "the response for a deleted conversation",
    accepted: ["that it is not found", "any other refusal", "the conversation, for at most five seconds"],
    recorded: observed("with the status of the answer"),
    requirements: ["conversation-api#4.1.12-delete"],
  },
  "legacy/follow-up-while-processing": {
    origin: "silent",
    unknown: "what happens to a further question while the previous one is processing",
    accepted: ["refused in any way", "accepted, and processed now or later"],
    recorded: observed("with the status of the answer"),
    requirements: ["conversation-api#4.1.8-follow-up"],
  },
  "legacy/write-by-other-user": {
    origin: "silent",
    unknown: "the response to a follow-up, a cancellation or a deletion of another user",
    accepted: ["refused in any way", "answered with success and without effect"],
    recorded: observed("with the status of a success"),
    requirements: ["conversation-api#5.6-other-users"],
  },
  "legacy/follow-up-after-other-end": {
    origin: "silent",
    unknown: "what happens to a further question after the previous one was cancelled or failed",
    accepted: ["refused in any way", "accepted"],
    recorded: observed("with the status of a refusal"),
    requirements: ["conversation-api#4.1.8-follow-up", "conversation-api#3.1.9-after-cancellation"],
  },
  "legacy/undocumented-parameter-values": {
    origin: "silent",
    unknown: "what a list does with values outside the documented ones and with parameters that are not listed",
    accepted: ["ignored", "replaced by the default", "refused in any way"],
    recorded: inTheHead,
    requirements: ["conversation-api#4.1.13-optional-parameters", "conversation-api#4.1.21-sort"],
  },
} as const satisfies Readonly<Record<string, UnspecifiedRow>>;

/**
 * What the specification leaves open about the legacy interface: first what it says it does not show, then what it
 * does not mention.
 */
export const legacyUnspecified = { ...notShown, ...unmentionedForm, ...unmentionedBehaviour } as const;
