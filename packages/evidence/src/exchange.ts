import { interfaceNames, operationNames } from "@assay/contract";
import { closedObject, taggedUnion, type Stored } from "@assay/reading";
import * as Type from "typebox";
import { maxBodyBytes } from "./bundle/bundle-limits.ts";

/** An integer from 0 that a number holds exactly. */
export const exactCount = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });
/** Microseconds since the start of the run, on a monotonic clock. */
const micros = (description: string) => Type.Number({ minimum: 0, description });
/** Printable ASCII without spaces. */
const nameOptions = { pattern: String.raw`^[\x21-\x7e]{1,200}$` };
export const NameShape = Type.String(nameOptions);
export const digestOptions = { pattern: "^[0-9a-f]{64}$" };

/** One header line as sent, in order. Secret values are replaced before writing. */
export type HeaderField = readonly [name: string, value: string];
const HeadersShape = Type.Array(
  Type.Unsafe<HeaderField>({
    type: "array",
    prefixItems: [Type.String(), Type.String()],
    minItems: 2,
    maxItems: 2,
  }),
);

/**
 * The authentication of a request.
 * - `access-token`, `oauth-token`: the tokens of the run
 * - `other-token`: an access token of a second user
 * - `read-token`: may only read the conversation API
 * - `write-token`: may only write the conversation API
 * - `quota-token`, `entitlement-token`: tokens of users whose quota or entitlement is exhausted
 * - `unscoped-token`: a valid token without the scopes for searching and for the conversation API
 * - `unscoped-oauth-token`: an OAuth token without the scope for searching
 * - `access-token-as-bearer`: the access token in the scheme of OAuth tokens
 * - `invalid-token`, `invalid-oauth-token`: tokens that the target never issued
 * - `shortened-token`: the first eight characters of the access token
 * - `lengthened-token`: the access token with one more character
 * - `empty-token`: the scheme without a token
 * - `other-scheme`: the access token after a word that is not a scheme
 * - `unknown`: recorded by a different tool. Cookies and headers may have been removed, so it shows nothing about credentials.
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

/** Invalid credentials derived from the access token. */
export const malformedTokens = [
  "shortened-token",
  "lengthened-token",
  "empty-token",
] as const satisfies readonly CredentialKind[];

/** Credentials that no target ever issued. */
export const unissuedTokens = [
  "invalid-token",
  "invalid-oauth-token",
  ...malformedTokens,
] as const satisfies readonly CredentialKind[];

/** Credentials with which a target may refuse a search: no credential, unissued ones and those without the scope. */
export const refusableCredentials: ReadonlySet<CredentialKind> = new Set([
  "none",
  ...unissuedTokens,
  "unscoped-token",
  "unscoped-oauth-token",
]);

/** Supported HTTP versions. */
export const httpVersions = ["1.1", "2"] as const;
export type HttpVersion = (typeof httpVersions)[number];

/**
 * Files used for a TLS connection in addition to Node's defaults: the client certificate, its key if in a separate file, and the CA files
 * of two environment variables. Their paths are not recorded.
 */
export const tlsFiles = ["client-cert", "client-key", "node-extra-ca-certs", "ssl-cert-file"] as const;
export type TlsFile = (typeof tlsFiles)[number];

const BodyRecordShape = closedObject({
  sha256: Type.String({
    ...digestOptions,
    description: "SHA-256 of the stored (redacted) bytes, lower-case hex; the file name in `bodies/`.",
  }),
  bytes: Type.Integer({ minimum: 0, maximum: maxBodyBytes }),
  chunks: Type.Array(
    Type.Unsafe<readonly [bytes: number, atMicros: number]>({
      type: "array",
      prefixItems: [Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.Number({ minimum: 0 })],
      minItems: 2,
      maxItems: 2,
    }),
    {
      description: "Length in bytes and monotonic arrival time of each chunk, in order. The lengths add up to `bytes`.",
    },
  ),
  mergedChunks: Type.Optional(
    exactCount(
      "Number of additional chunks that were merged into these. Default: 0. A merged chunk has the time of its last part.",
    ),
  ),
});
/** The raw bytes of a body, stored once under their digest. */
export interface BodyRecord extends Stored<typeof BodyRecordShape> {}

const RequestRecordShape = closedObject({
  method: NameShape,
  url: Type.String(),
  headers: HeadersShape,
  body: Type.Optional(
    Type.String({
      description: "The text sent, at most 1 MiB. Secrets are replaced before writing. Absent if there was no body.",
    }),
  ),
});
export interface RequestRecord extends Stored<typeof RequestRecordShape> {}

const ResponseRecordShape = closedObject({
  status: exactCount("HTTP status."),
  headers: HeadersShape,
  body: BodyRecordShape,
});
export interface ResponseRecord extends Stored<typeof ResponseRecordShape> {}

/** Closed codes of exchanges that did not end as HTTP specifies. */
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

const ExchangeEndShape = taggedUnion("kind", [
  closedObject({ kind: Type.Literal("complete"), closedBy: Type.Optional(Type.Literal("client")) }),
  closedObject({ kind: Type.Literal("failed"), code: Type.Enum(failureCodes), message: Type.String() }),
]);
/**
 * The end of an exchange. A failed exchange keeps everything received so far, but its stream is never treated as ended. `closedBy` is set
 * if the server had sent everything and then kept the idle connection open, so that we closed it.
 */
export type ExchangeEnd = Stored<typeof ExchangeEndShape>;

/** Reports whether the server closed or reset the connection before the end of the HTTP response. */
export const isClosedEarly = (end: ExchangeEnd): boolean =>
  end.kind === "failed" && (end.code === "truncated" || end.code === "reset");

/** A period in which the recording process could not read, in microseconds since the start of the run. */
export type Stall = readonly [fromMicros: number, toMicros: number];

/**
 * Returns the total duration of the stalls that overlap a window, in milliseconds. Each one is included in full. If nothing had arrived at
 * the start of the window, then data recorded at its end arrived at most this much earlier.
 */
export function measureStalledMs(
  stalls: readonly Stall[] = [],
  fromMicros = 0,
  toMicros = Number.POSITIVE_INFINITY,
): number {
  const overlapping = stalls.filter(([from, to]) => to >= fromMicros && from <= toMicros);
  return overlapping.reduce((sum, [from, to]) => sum + to - from, 0) / 1000;
}

const ExchangeTimesShape = closedObject({
  sentAtMicros: micros("The time when sending began."),
  connectedAtMicros: Type.Optional(
    micros(
      "The time when the connection was established, including TLS. Absent if it never was, and in recordings of other tools.",
    ),
  ),
  headersAtMicros: Type.Optional(micros("The arrival of the response head.")),
  endedAtMicros: micros("The end of the exchange."),
  stalls: Type.Optional(
    Type.Array(
      Type.Unsafe<Stall>({
        type: "array",
        prefixItems: [Type.Number({ minimum: 0 }), Type.Number({ minimum: 0 })],
        minItems: 2,
        maxItems: 2,
      }),
      {
        description:
          "Periods in which the recording process was too busy to read, in order. Absent if they were not measured.",
      },
    ),
  ),
});
/** Monotonic times in microseconds since the start of the run. */
export interface ExchangeTimes extends Stored<typeof ExchangeTimesShape> {}

export const ExchangeRecordShape = closedObject({
  id: NameShape,
  probe: Type.String({
    ...nameOptions,
    description: "Id of the probe that sent it; `import` for recordings of other tools.",
  }),
  retryOf: Type.Optional(
    Type.String({
      ...nameOptions,
      description: "Id of the exchange that this one retries because the target was too busy. Searches only.",
    }),
  ),
  session: Type.Optional(
    Type.String({
      ...nameOptions,
      description:
        "Session of the request. Default: the credential. One user and poller sends all requests of a session in turn, so the state they read must not go back.",
    }),
  ),
  interface: Type.Enum(interfaceNames),
  operation: Type.Enum(operationNames),
  credential: Type.Enum(credentialKinds),
  request: RequestRecordShape,
  httpVersion: Type.Optional(
    Type.Enum(httpVersions, {
      description: "HTTP version of the request. Absent if unknown: in older runs and some recordings of other tools.",
    }),
  ),
  tlsFiles: Type.Optional(
    Type.Array(Type.Enum(tlsFiles), { description: "Files needed to repeat the request. Default: none." }),
  ),
  givenHeaders: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "Names of the request headers given by the user, verbatim. Their values are redacted regardless of their names. Default: none.",
    }),
  ),
  reusesConnection: Type.Optional(
    Type.Literal(true, {
      description: "An earlier request used the same connection. Default: the connection was new, or it is not known.",
    }),
  ),
  eventsOnly: Type.Optional(
    Type.Boolean({
      description:
        "The body was rebuilt from events that a browser had parsed, so its form and bytes are unknown. Only in recordings of other tools.",
    }),
  ),
  response: Type.Optional(ResponseRecordShape),
  end: ExchangeEndShape,
  times: ExchangeTimesShape,
});
/** One request and its response: one line of `exchanges.ndjson`. The response is absent if no response head arrived. */
export interface ExchangeRecord extends Stored<typeof ExchangeRecordShape> {}

/** Bytes of a body that arrived together, with their time. */
export interface Chunk {
  readonly bytes: Uint8Array;
  /** Monotonic time in microseconds since the start of the run. */
  readonly atMicros: number;
}

/** A response whose body is still in memory. */
export interface ResponseDraft {
  readonly status: number;
  readonly headers: readonly HeaderField[];
  /** For a body with a content encoding: only the part that could be decoded. */
  readonly chunks: readonly Chunk[];
  /** Number of additional chunks that were merged into these. Default: 0. */
  readonly mergedChunks?: number;
}

/** An exchange before it is written: like its record, but with the body in memory and secrets not yet replaced. */
export interface ExchangeDraft extends Omit<ExchangeRecord, "response"> {
  readonly response?: ResponseDraft;
}
