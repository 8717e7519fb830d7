import { judgedBy, leftOpen, partlyJudgedBy, sentence } from "./sentence.ts";
import type { Sentence } from "./sentence.ts";

const legacy: readonly Sentence[] = [
  sentence(
    "conversation-api#5.1-legacy-authorization",
    "Every request of the old interface has an access token in `Authorization`, after the word `token`.",
    judgedBy("legacy/access-token-is-accepted", "legacy/missing-token-is-refused", "legacy/other-scheme-is-refused"),
  ),
  sentence(
    "conversation-api#5.2-legacy-token",
    "That token is one which users make in their settings.",
    partlyJudgedBy("how tokens are made, which is done before a run", "legacy/invalid-token-is-refused"),
  ),
  sentence(
    "conversation-api#5.3-any-access-token",
    "Every access token will do.",
    judgedBy("legacy/access-token-is-accepted", "legacy/any-access-token-is-accepted"),
  ),
  sentence(
    "conversation-api#5.4-x-requested-with",
    "Every request of the old interface has `X-Requested-With`.",
    judgedBy("legacy/x-requested-with-is-required"),
  ),
  sentence(
    "conversation-api#5.5-x-requested-with-shape",
    "That header holds the name of the client and, after a space, its version.",
    judgedBy("legacy/x-requested-with-has-its-shape", "legacy/x-requested-with-is-required"),
  ),
  sentence(
    "conversation-api#5.6-other-users",
    "What another user asked can be read by its read token and only while sharing is turned on.",
    judgedBy(
      "legacy/shared-conversation-is-readable",
      "legacy/unshared-conversation-is-hidden",
      "legacy/other-users-conversation-is-hidden",
    ),
  ),
];

const current: readonly Sentence[] = [
  sentence(
    "conversation-api#5.7-scope",
    "A token for the new interface has the scope externalapi:read or externalapi:write.",
    judgedBy(
      "current/access-token-is-accepted",
      "current/read-scope-may-read",
      "current/read-scope-may-not-write",
      "current/scope-is-required",
      "current/missing-token-is-refused",
      "current/invalid-token-is-refused",
    ),
  ),
  sentence(
    "conversation-api#5.8-no-x-requested-with",
    "The new interface does without `X-Requested-With`.",
    judgedBy("current/needs-no-x-requested-with"),
  ),
  sentence(
    "conversation-api#5.9-authorization-form",
    "How `Authorization` is written for the new interface is not given.",
    leftOpen("current/authorization-form"),
  ),
];

/** Section 5: credentials, first of the legacy interface, then of the current one. */
export const conversationAuthentication: readonly Sentence[] = [...legacy, ...current];
