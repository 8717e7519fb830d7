import { judgedBy, leftOpen, notObservable, partlyJudgedBy, sentence } from "./sentence.ts";
import type { Sentence } from "./sentence.ts";

const limits: readonly Sentence[] = [
  sentence(
    "conversation-api#8.1-token-limit",
    "A search for which too many tokens are needed ends in the error for that.",
    partlyJudgedBy(
      "that a search which is too large has this error and no other, as no number of tokens is named",
      "legacy/error-kind-is-known",
      "current/error-code-is-listed",
    ),
  ),
  sentence(
    "conversation-api#8.2-quota",
    "Who goes beyond the quota gets the error for that.",
    partlyJudgedBy(
      "that the error is this one, as a caller cannot see that the quota is used up",
      "current/error-code-is-listed",
    ),
  ),
  sentence(
    "conversation-api#8.3-entitlement",
    "Who goes beyond the entitlement gets the error for that.",
    partlyJudgedBy(
      "that the error is this one, as a caller cannot see the entitlement",
      "current/error-code-is-listed",
    ),
  ),
  sentence(
    "conversation-api#8.4-quota-usage",
    "A retrieved conversation tells in `quota_usage` how much is used, what the limit is and when it starts again.",
    partlyJudgedBy("that the numbers are right", "legacy/quota-usage-on-retrieval"),
  ),
  sentence(
    "conversation-api#8.5-rate-limits",
    "How many requests are permitted in which time is not given.",
    leftOpen("legacy/rate-limit"),
  ),
  sentence(
    "conversation-api#8.6-page-size",
    "How large a page of a list can get is not given.",
    leftOpen("legacy/page-size"),
  ),
  sentence(
    "conversation-api#8.7-quota-limit",
    "What the values of `quota_limit` mean is not given.",
    leftOpen("legacy/quota-limit"),
  ),
];

const interfaces: readonly Sentence[] = [
  sentence(
    "conversation-api#9.1-legacy-version",
    "The old interface is version `v1`, as its path says.",
    judgedBy("legacy/create-is-accepted", "legacy/get-returns-the-conversation"),
  ),
  sentence(
    "conversation-api#9.2-deprecated",
    "The old interface counts as deprecated since release 7.0.",
    notObservable("it tells about the plans of the vendor; no answer has to say it"),
  ),
  sentence(
    "conversation-api#9.3-remains-available",
    "The old interface goes on working all the same.",
    judgedBy("legacy/create-is-accepted", "legacy/get-returns-the-conversation"),
  ),
  sentence(
    "conversation-api#9.4-current-version",
    "The new interface has its version in the package `deepsearch.v1`, below `/api/`.",
    judgedBy("current/create-is-accepted", "current/get-returns-the-conversation"),
  ),
  sentence(
    "conversation-api#9.5-interactive-reference",
    "A page for people to try the interface is served at `/api-reference`.",
    notObservable("it is a page for people; a run takes from it nothing but the address of the schema"),
  ),
  sentence(
    "conversation-api#9.6-openapi-schema",
    "An OpenAPI schema can be downloaded there.",
    partlyJudgedBy(
      "that there is one; where none is found, answers are held to the schema of this project",
      "legacy/responses-fit-openapi",
      "current/responses-fit-openapi",
    ),
  ),
];

const migration: readonly Sentence[] = [
  sentence(
    "conversation-api#9.7-base-url",
    "Who moves to the new interface changes the base address.",
    judgedBy("current/create-is-accepted", "migration/questions-agree"),
  ),
  sentence(
    "conversation-api#9.8-token-scope",
    "Who moves needs a token with other scopes.",
    judgedBy("legacy/any-access-token-is-accepted", "current/scope-is-required"),
  ),
  sentence(
    "conversation-api#9.9-ids-become-names",
    "Who moves has resource names for the numbers.",
    judgedBy("current/name-is-a-resource-name", "migration/id-becomes-name"),
  ),
  sentence(
    "conversation-api#9.10-requests-are-nested",
    "Who moves writes the flat request as a nested one.",
    judgedBy("current/create-is-accepted", "migration/questions-agree"),
  ),
  sentence(
    "conversation-api#9.11-status-becomes-state",
    "Who moves finds the string of the status as the only key of the state.",
    judgedBy("current/state-has-one-key", "migration/state-follows-status"),
  ),
  sentence(
    "conversation-api#9.12-error-becomes-state",
    "What the old interface shows as completed with an error, the new one shows as the state error.",
    judgedBy("migration/error-becomes-state"),
  ),
  sentence(
    "conversation-api#9.13-removal-date",
    "When the old interface will be removed is not given.",
    leftOpen("legacy/removal-date"),
  ),
];

/** Sections 8 and 9: limits and versions. */
export const conversationLimitsVersions: readonly Sentence[] = [...limits, ...interfaces, ...migration];
