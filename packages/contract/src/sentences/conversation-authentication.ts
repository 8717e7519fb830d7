import type { SentenceRows } from "./sentence-row.ts";

const legacy = {
  "conversation-api#5.1-legacy-authorization":
    "Every request of the old interface has an access token in `Authorization`, after the word `token`.",
  "conversation-api#5.2-legacy-token": {
    text: "That token is one which users make in their settings.",
    partly: "how tokens are made, which is done before a run",
  },
  "conversation-api#5.3-any-access-token": "Every access token will do.",
  "conversation-api#5.4-x-requested-with": {
    text: "Every request of the old interface has `X-Requested-With`.",
    notObservable: "it tells what callers send; that a request without it is refused is not said",
  },
  "conversation-api#5.5-x-requested-with-shape": {
    text: "That header holds the name of the client and, after a space, its version.",
    notObservable: "it tells what callers send; that a request with another value is refused is not said",
  },
  "conversation-api#5.6-other-users":
    "What another user asked can be read by its read token and only while sharing is turned on.",
} as const satisfies SentenceRows;

const current = {
  "conversation-api#5.7-scope": "A token for the new interface has the scope externalapi:read or externalapi:write.",
  "conversation-api#5.8-no-x-requested-with": "The new interface does without `X-Requested-With`.",
  "conversation-api#5.9-authorization-form": "How `Authorization` is written for the new interface is not given.",
} as const satisfies SentenceRows;

/** Section 5: credentials, first of the legacy interface, then of the current one. */
export const conversationAuthentication = {
  ...legacy,
  ...current,
} as const satisfies SentenceRows;
