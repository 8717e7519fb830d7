import type { InterfaceName, OperationName } from "@assay/contract";

/** One header line as it stood on the wire, in order; values of secrets are replaced when written. */
export type HeaderField = readonly [name: string, value: string];

/** How a request identified itself. `invalid` is a token that the target never issued. */
export type CredentialKind = "access-token" | "oauth-token" | "invalid-token" | "none";

/** Raw bytes of a body, stored once under their digest. */
export interface BodyRecord {
  /** Lower-case hex digest of the stored (redacted) bytes; the file name in `bodies/`. */
  readonly sha256: string;
  readonly bytes: number;
  /** Arrival of the bytes: length in bytes and monotonic time of each chunk, in order; the lengths add up to `bytes`. */
  readonly chunks: readonly (readonly [bytes: number, atMicros: number])[];
}

export interface RequestRecord {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HeaderField[];
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

/** How an exchange ended. A failed one keeps whatever arrived before; it never counts as a stream that ended. */
export type ExchangeEnd =
  | { readonly kind: "complete" }
  | { readonly kind: "failed"; readonly code: FailureCode; readonly message: string };

/** Monotonic times in microseconds since the start of the run. */
export interface ExchangeTimes {
  readonly sentAtMicros: number;
  readonly headersAtMicros?: number;
  readonly endedAtMicros: number;
}

/** What was sent and what came back: one line of `exchanges.ndjson`. */
export interface ExchangeRecord {
  readonly id: string;
  /** Id of the probe that sent it; `import` for recordings made elsewhere. */
  readonly probe: string;
  readonly interface: InterfaceName;
  readonly operation: OperationName;
  readonly credential: CredentialKind;
  readonly request: RequestRecord;
  /** Absent when no response head arrived. */
  readonly response?: ResponseRecord;
  readonly end: ExchangeEnd;
  readonly times: ExchangeTimes;
}
