import type { SentenceRows } from "./sentence-row.ts";

const limits = {
  "conversation-api#8.1-token-limit": {
    text: "A search for which too many tokens are needed ends in the error for that.",
    partly: "that a search which is too large has this error and no other, as no number of tokens is named",
  },
  "conversation-api#8.2-quota": {
    text: "Who goes beyond the quota gets the error for that.",
    partly: "whose quota is used up, for which the operator has to name a user",
  },
  "conversation-api#8.3-entitlement": {
    text: "Who goes beyond the entitlement gets the error for that.",
    partly: "whose entitlement is used up, for which the operator has to name a user",
  },
  "conversation-api#8.4-quota-usage": {
    text: "A retrieved conversation tells in `quota_usage` how much is used, what the limit is and when it starts again.",
    partly: "that the numbers are right",
  },
  "conversation-api#8.5-rate-limits": "How many requests are permitted in which time is not given.",
  "conversation-api#8.6-page-size": "How large a page of a list can get is not given.",
  "conversation-api#8.7-quota-limit": "What the values of `quota_limit` mean is not given.",
} as const satisfies SentenceRows;

const interfaces = {
  "conversation-api#9.1-legacy-version": "The old interface is version `v1`, as its path says.",
  "conversation-api#9.2-deprecated": {
    text: "The old interface counts as deprecated since release 7.0.",
    notObservable: "it tells about the plans of the vendor; no answer has to say it",
  },
  "conversation-api#9.3-remains-available": "The old interface goes on working all the same.",
  "conversation-api#9.4-current-version":
    "The new interface has its version in the package `deepsearch.v1`, below `/api/`.",
  "conversation-api#9.5-interactive-reference": {
    text: "A page for people to try the interface is served at `/api-reference`.",
    notObservable: "it is a page for people; a run takes from it nothing but the address of the schema",
  },
  "conversation-api#9.6-openapi-schema": {
    text: "An OpenAPI schema can be downloaded there.",
    partly:
      "that there is one behind a sign-in or behind scripts; where none is found, answers are held to the schema of this project",
  },
} as const satisfies SentenceRows;

const migration = {
  "conversation-api#9.7-base-url": "Who moves to the new interface changes the base address.",
  "conversation-api#9.8-token-scope": "Who moves needs a token with other scopes.",
  "conversation-api#9.9-ids-become-names": "Who moves has resource names for the numbers.",
  "conversation-api#9.10-requests-are-nested": "Who moves writes the flat request as a nested one.",
  "conversation-api#9.11-status-becomes-state":
    "Who moves finds the string of the status as the only key of the state.",
  "conversation-api#9.12-error-becomes-state":
    "What the old interface shows as completed with an error, the new one shows as the state error.",
  "conversation-api#9.13-removal-date": "When the old interface will be removed is not given.",
} as const satisfies SentenceRows;

/** Sections 8 and 9: limits and versions. */
export const conversationLimitsVersions = {
  ...limits,
  ...interfaces,
  ...migration,
} as const satisfies SentenceRows;
