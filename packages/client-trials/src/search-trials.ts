import type { Trial } from "./trial.ts";

/** A public server also answers a client that forgot its token, so only the check for the token fails. */
const search = { task: "search", interface: "stream", token: "access" } as const;
const access = "public";

const oneEventBytes = 10_000_000;

/** A query that cannot run, and its alert. */
const badQuery = { asks: "fille:x", alert: "Unable To Process Query" } as const;

/** Trials of searches, the ordinary one first. */
export const searchTrials: readonly Trial[] = [
  {
    ...search,
    name: "ordinary-search",
    title: "a search with a few results, sent as real instances send them",
    expects: "asks once, reads to `done`, and ends with 0",
    ending: "complete",
    readingCheck: "user/success-is-told",
    server: { access },
  },
  {
    ...search,
    name: "odd-chunks",
    title: "a stream that arrives byte by byte, with characters of several bytes",
    expects: "joins pieces before it reads them",
    ending: "complete",
    readingCheck: "reading/any-chunks",
    server: { access, fault: { id: "one-byte-chunks", params: { bytes: 200_000 } } },
  },
  {
    ...search,
    name: "large-event",
    title: "an event of 10 MB, the largest that instances send",
    expects: "reads it like any other",
    ending: "complete",
    readingCheck: "reading/large-events",
    needsReadingTime: true,
    server: { access, fault: { id: "large-event", params: { bytes: oneEventBytes } } },
  },
  {
    ...search,
    name: "slow-first-match",
    title: "a stream that starts at once and sends its first matches after 2 s",
    expects: "waits",
    ending: "complete",
    readingCheck: "reading/late-matches",
    server: { access, fault: { id: "slow-first-match", params: { delayMs: 2000 } } },
  },
  {
    ...search,
    name: "open-after-done",
    title: "a response that stays open for 5 s after `done`",
    expects: "treats `done` as the end, and closes or ends",
    ending: "complete",
    readingCheck: "user/success-is-told",
    server: { access, fault: { id: "late-end", params: { ms: 5000 } } },
  },
  {
    ...search,
    name: "new-fields",
    title: "objects with a field that no specification lists",
    expects: "ignores it",
    ending: "complete",
    readingCheck: "reading/new-fields",
    server: { access, fault: { id: "new-fields" } },
  },
  {
    ...search,
    name: "unusual-form",
    title: "a stream in unusual but permitted form: order, optional fields, new values and events",
    expects: "reads it like any other",
    ending: "complete",
    readingCheck: "reading/any-form",
    server: { access, variations: true },
  },
  {
    ...search,
    ...badQuery,
    name: "alert",
    title: "a query that cannot run: an alert instead of results",
    expects: "shows the alert to its user",
    ending: "alert",
    server: { access },
  },
  {
    ...search,
    name: "error-event",
    title: "results, then an `error`: part of the search failed",
    expects: "reports that the result is incomplete",
    ending: "cut-off",
    server: { access, fault: { id: "error-event" } },
  },
  {
    ...search,
    name: "missing-done",
    title: "a response that ends normally, but without `done`",
    expects: "reports that the result is incomplete",
    ending: "cut-off",
    server: { access, fault: { id: "no-done" } },
  },
  {
    ...search,
    name: "dropped-connection",
    title: "a connection that closes in the middle of the first matches",
    expects: "reports that the result is incomplete",
    ending: "cut-off",
    server: { access, fault: { id: "truncate" } },
  },
  {
    ...search,
    name: "refused-token",
    title: "an unissued token: status 401",
    expects: "reports the failure, and does not retry",
    ending: "refused",
    token: "invalid",
    server: { access: "private" },
  },
  {
    ...search,
    name: "too-many-requests",
    title: "status 429 with `Retry-After: 2` for the first search",
    expects: "waits that long before it retries, or reports the failure",
    ending: "put-off",
    retryAfterSeconds: 2,
    server: { access, fault: { id: "busy", params: { status: "429", seconds: 2, times: 1 } } },
  },
  {
    ...search,
    name: "unavailable",
    title: "status 503 with `Retry-After: 2` for the first search",
    expects: "waits that long before it retries, or reports the failure",
    ending: "put-off",
    retryAfterSeconds: 2,
    server: { access, fault: { id: "busy", params: { status: "503", seconds: 2, times: 1 } } },
  },
  {
    ...search,
    name: "redirect",
    title: "a redirect to another host",
    expects: "does not send its token there",
    ending: "refused",
    redirects: true,
    server: { access, fault: { id: "redirect-elsewhere" } },
  },
];
