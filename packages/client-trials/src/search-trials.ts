import type { Trial } from "./trial.ts";

/**
 * A public server answers also a client that forgot its token, so that this is found by the check about it and by nothing
 * else.
 */
const search = { task: "search", interface: "stream", token: "access" } as const;
const access = "public";

const oneEventBytes = 10_000_000;

/** An alert that the server sends about a query it cannot run. */
const badQuery = { asks: "fille:x", alert: "Unable To Process Query" } as const;

/** Trials about searches, the ordinary one first. */
export const searchTrials: readonly Trial[] = [
  {
    ...search,
    name: "ordinary-search",
    title: "a search with a handful of results, sent as instances send them",
    expects: "asks once, reads to `done`, and ends with 0",
    ending: "complete",
    reading: "user/success-is-told",
    server: { access },
  },
  {
    ...search,
    name: "odd-chunks",
    title: "a stream that comes byte by byte, characters of several bytes included",
    expects: "puts pieces together before it reads them",
    ending: "complete",
    reading: "reading/any-chunks",
    server: { access, fault: { id: "one-byte-chunks", params: { bytes: 200_000 } } },
  },
  {
    ...search,
    name: "large-event",
    title: "an event of 10 MB, the largest that instances send",
    expects: "reads it as any other",
    ending: "complete",
    reading: "reading/large-events",
    takesReading: true,
    server: { access, fault: { id: "large-event", params: { bytes: oneEventBytes } } },
  },
  {
    ...search,
    name: "slow-first-match",
    title: "a stream that begins at once and has its first matches after 2 s",
    expects: "waits",
    ending: "complete",
    reading: "reading/late-matches",
    server: { access, fault: { id: "slow-first-match", params: { delayMs: 2000 } } },
  },
  {
    ...search,
    name: "open-after-done",
    title: "a response that stays open for 5 s after `done`",
    expects: "takes `done` for the end, and closes or ends",
    ending: "complete",
    reading: "user/success-is-told",
    server: { access, fault: { id: "late-end", params: { ms: 5000 } } },
  },
  {
    ...search,
    name: "new-fields",
    title: "objects with a field that no specification lists",
    expects: "does without it",
    ending: "complete",
    reading: "reading/new-fields",
    server: { access, fault: { id: "new-fields" } },
  },
  {
    ...search,
    name: "unusual-form",
    title: "a stream that uses every freedom the specifications leave: order, optional fields, new values and events",
    expects: "reads it as any other",
    ending: "complete",
    reading: "reading/any-form",
    server: { access, variations: true },
  },
  {
    ...search,
    ...badQuery,
    name: "alert",
    title: "a query that cannot be run: an alert instead of results",
    expects: "tells its user",
    ending: "alert",
    server: { access },
  },
  {
    ...search,
    name: "error-event",
    title: "results, and then an `error`: a part of the search failed",
    expects: "tells its user that the result is not whole",
    ending: "cut-off",
    server: { access, fault: { id: "error-event" } },
  },
  {
    ...search,
    name: "missing-done",
    title: "a response that ends in good order, but without `done`",
    expects: "tells its user that the result is not whole",
    ending: "cut-off",
    server: { access, fault: { id: "no-done" } },
  },
  {
    ...search,
    name: "dropped-connection",
    title: "a connection that closes in the middle of the first matches",
    expects: "tells its user that the result is not whole",
    ending: "cut-off",
    server: { access, fault: { id: "truncate" } },
  },
  {
    ...search,
    name: "refused-token",
    title: "a token that nobody issued: status 401",
    expects: "tells its user, and does not insist",
    ending: "refused",
    token: "invalid",
    server: { access: "private" },
  },
  {
    ...search,
    name: "too-many-requests",
    title: "status 429 and the wish to wait 2 s, for the first search",
    expects: "waits that long before it tries again, or tells its user",
    ending: "put-off",
    retryAfterSeconds: 2,
    server: { access, fault: { id: "busy", params: { status: "429", seconds: 2, times: 1 } } },
  },
  {
    ...search,
    name: "unavailable",
    title: "status 503 and the wish to wait 2 s, for the first search",
    expects: "waits that long before it tries again, or tells its user",
    ending: "put-off",
    retryAfterSeconds: 2,
    server: { access, fault: { id: "busy", params: { status: "503", seconds: 2, times: 1 } } },
  },
  {
    ...search,
    name: "redirect",
    title: "a redirect to another host",
    expects: "does not take its token there",
    ending: "refused",
    redirects: true,
    server: { access, fault: { id: "redirect-elsewhere" } },
  },
];
