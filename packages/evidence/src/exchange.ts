import type { InterfaceName, OperationName } from "@assay/contract";

/** One header line as it stood on the wire, in order; values of secrets are replaced when written. */
export type HeaderField = readonly [name: string, value: string];

/**
 * How a request identified itself. `access-token` and `oauth-token` are the run's own; `other-token` is an access token of a
 * second user; `read-token` may only read the conversation API; `quota-token` and `entitlement-token` are of users whose
 * quota or entitlement is used up; `unscoped-token` is a valid token that lacks the scopes for searching and for the
 * conversation API, `unscoped-oauth-token` an OAuth token without that for searching; `write-token` may only write the
 * conversation API; `access-token-as-bearer` is the access token in the scheme of OAuth tokens; `invalid-token` one that the target never issued, which goes as an access token, `invalid-oauth-token` the same as an OAuth token; `shortened-token` the first eight characters of the access token, `lengthened-token` the access token with one more, `empty-token` the word of its scheme alone, which are no tokens either; `other-scheme` the access token after a word that is no
 * scheme. `unknown` is a recording made elsewhere (cookies and headers may have been removed from it), so nothing about
 * credentials may be concluded from it.
 */
export const credentialKinds = [
  "access-token",
  "oauth-token",
  "other-token",
  "read-token",
  "quota-token",
  "entitlement-token",
  "unscoped-token",
  "unscoped-oauth-token",
  "write-token",
  "access-token-as-bearer",
  "invalid-token",
  "invalid-oauth-token",
  "shortened-token",
  "lengthened-token",
  "empty-token",
  "other-scheme",
  "none",
  "unknown",
] as const;
export type CredentialKind = (typeof credentialKinds)[number];

/** Credentials that are made of the access token, and are none. */
export const nearTokens = [
  "shortened-token",
  "lengthened-token",
  "empty-token",
] as const satisfies readonly CredentialKind[];

/** Credentials that are nobody's, as no target issued them. */
export const neverIssued = [
  "invalid-token",
  "invalid-oauth-token",
  ...nearTokens,
] as const satisfies readonly CredentialKind[];

/** Credentials with which a target need not carry out a search: none, those that were never issued, and those without the scope. */
export const refusableCredentials: ReadonlySet<CredentialKind> = new Set([
  "none",
  ...neverIssued,
  "unscoped-token",
  "unscoped-oauth-token",
]);

/** Versions of HTTP that are spoken. */
export const httpVersions = ["1.1", "2"] as const;
export type HttpVersion = (typeof httpVersions)[number];

/**
 * Files that a connection over TLS was made with, besides what comes with Node: the client certificate, its key where that has a
 * file of its own, and the authorities that two variables name. Where they are is not kept.
 */
export const tlsFiles = ["client-cert", "client-key", "node-extra-ca-certs", "ssl-cert-file"] as const;
export type TlsFile = (typeof tlsFiles)[number];

/** Raw bytes of a body, stored once under their digest. */
export interface BodyRecord {
  /** Lower-case hex digest of the stored (redacted) bytes; the file name in `bodies/`. */
  readonly sha256: string;
  readonly bytes: number;
  /** Arrival of the bytes: length in bytes and monotonic time of each chunk, in order; the lengths add up to `bytes`. */
  readonly chunks: readonly (readonly [bytes: number, atMicros: number])[];
  /** How many more chunks there were, each recorded as part of the one it stands in [0]; that has the time of its last part. */
  readonly mergedChunks?: number;
}

export interface RequestRecord {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HeaderField[];
  /** Text that was sent, at most 1 MiB; secrets are replaced when written. Absent where nothing was. */
  readonly body?: string;
}

export interface ResponseRecord {
  readonly status: number;
  readonly headers: readonly HeaderField[];
  readonly body: BodyRecord;
}

/** Closed codes of exchanges that did not end as HTTP says. */
export const failureCodes = [
  "dns",
  "refused",
  "unreachable",
  "tls",
  "connect-timeout",
  "first-byte-timeout",
  "total-timeout",
  "reset",
  "truncated",
  "protocol",
  "headers-overflow",
  "body-limit",
  "decompression-limit",
  "decompression",
  "aborted",
] as const;
export type FailureCode = (typeof failureCodes)[number];

/**
 * How an exchange ended. A failed one keeps whatever arrived before; it never counts as a stream that ended. `closedBy` is
 * set where the server said all there was to say, kept the connection open, and nothing more came for a while: then we
 * closed it.
 */
export type ExchangeEnd =
  | { readonly kind: "complete"; readonly closedBy?: "client" }
  | { readonly kind: "failed"; readonly code: FailureCode; readonly message: string };

/** Whether the server closed or reset the connection before the end of the HTTP response. */
export const isClosedEarly = (end: ExchangeEnd): boolean =>
  end.kind === "failed" && (end.code === "truncated" || end.code === "reset");

/** A time in which the recording process could not read, in microseconds since the start of the run. */
export type Stall = readonly [fromMicros: number, toMicros: number];

/**
 * How long the recording process could not read in a window of time, in milliseconds: whole stalls, of which a part lies in it.
 * What was recorded at the end of the window was there no earlier than this before, if nothing was there at its start.
 */
export function stalledMsIn(
  stalls: readonly Stall[] = [],
  fromMicros = 0,
  toMicros = Number.POSITIVE_INFINITY,
): number {
  const those = stalls.filter(([from, to]) => to >= fromMicros && from <= toMicros);
  return those.reduce((sum, [from, to]) => sum + to - from, 0) / 1000;
}

/** Monotonic times in microseconds since the start of the run. */
export interface ExchangeTimes {
  readonly sentAtMicros: number;
  /** When the connection, TLS included, was there. Absent when it never was, or in recordings made elsewhere. */
  readonly connectedAtMicros?: number;
  readonly headersAtMicros?: number;
  readonly endedAtMicros: number;
  /** When the recording process was too busy to read, in order. Absent where nobody looked. */
  readonly stalls?: readonly Stall[];
}

/** What was sent and what came back: one line of `exchanges.ndjson`. */
export interface ExchangeRecord {
  readonly id: string;
  /** Id of the probe that sent it; `import` for recordings made elsewhere. */
  readonly probe: string;
  /** Id of the exchange that the target refused for being busy and that this one repeats. Only searches have it. */
  readonly retryOf?: string;
  /**
   * Who asked: requests of one session were sent by one user and poller in turn, so what they see may not go back [the
   * credential].
   */
  readonly session?: string;
  readonly interface: InterfaceName;
  readonly operation: OperationName;
  readonly credential: CredentialKind;
  readonly request: RequestRecord;
  /** What was spoken, or was to be. Absent where it is not known: in older runs and some recordings made elsewhere. */
  readonly httpVersion?: HttpVersion;
  /** What whoever repeats the request needs [none]. */
  readonly tlsFiles?: readonly TlsFile[];
  /** Names of the headers among those of the request that the user gave, as they were sent: their values are replaced, whatever they are called [none]. */
  readonly givenHeaders?: readonly string[];
  /** Whether the body is made of events that a browser read: their form and their bytes are not known. Of recordings made elsewhere alone. */
  readonly eventsOnly?: boolean;
  /** Absent when no response head arrived. */
  readonly response?: ResponseRecord;
  readonly end: ExchangeEnd;
  readonly times: ExchangeTimes;
}

/** Bytes of a body as they arrived together, and when. */
export interface Chunk {
  readonly bytes: Uint8Array;
  /** Monotonic time in microseconds since the start of the run. */
  readonly atMicros: number;
}

/** A response whose body is still in memory. */
export interface ResponseDraft {
  readonly status: number;
  readonly headers: readonly HeaderField[];
  /** Of a body with a content encoding, what could be decoded and nothing else. */
  readonly chunks: readonly Chunk[];
  /** How many more chunks arrived, each now a part of one of these [0]. */
  readonly mergedChunks?: number;
}

/** An exchange on its way into a bundle: like its record, but with the body in memory and secrets not yet replaced. */
export interface ExchangeDraft extends Omit<ExchangeRecord, "response"> {
  readonly response?: ResponseDraft;
}
