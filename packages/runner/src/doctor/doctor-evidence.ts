import type { CredentialKind, ExchangeDraft } from "@assay/evidence";

/** Ids of the doctor's probes. */
export const doctorProbes = {
  search: "doctor-search",
  list: "doctor-list",
  sample: "doctor-sample",
  /** A sample over the HTTP version that the other requests do not use. */
  otherSample: "doctor-other-sample",
  shared: "doctor-shared",
  reference: "openapi",
} as const;

/** The result of resolving the host of a target. */
export type AddressResult =
  | { readonly kind: "addresses"; readonly addresses: readonly string[] }
  | { readonly kind: "failed"; readonly code: string }
  /** The host is an IP address, or a proxy resolves it. */
  | { readonly kind: "not-checked" };

/** A problem with a certificate. `other` is accompanied by the error code from Node.js. */
export type CertificateProblem =
  | "expired"
  | "not-yet-valid"
  | "self-signed"
  | "unknown-authority"
  | "other-name"
  | "other";

/** The result of a TLS handshake with a trusted or untrusted certificate. */
export type CertificateResult =
  | {
      readonly kind: "certificate";
      /** At most ten subject names of the certificate. */
      readonly names: readonly string[];
      readonly issuer: string;
      /** Milliseconds since 1970. */
      readonly validFromMs: number;
      readonly validToMs: number;
      readonly problem?: CertificateProblem;
      /** Error code from Node.js. */
      readonly code?: string;
      /** The protocol that the server selected from `h2` and `http/1.1`. Absent if it did not select one. */
      readonly protocol?: string;
    }
  /** The handshake failed. */
  | { readonly kind: "failed"; readonly code: string }
  /** The target uses http, or requests go through a proxy. */
  | { readonly kind: "not-checked"; readonly reason: "http" | "proxy" };

/** An environment variable that sets the proxy for a target. */
export interface ProxySetting {
  readonly variable: string;
  /** Host and port, without credentials. */
  readonly address: string;
  /** Whether `NO_PROXY` exempts the target. */
  readonly isExempt: boolean;
}

/** The evidence that doctor collects. */
export interface DoctorEvidence {
  /** Base URL without a trailing slash. */
  readonly target: string;
  readonly access: "private" | "public" | "undeclared";
  readonly sharing: "on" | "off" | "undeclared";
  /** Kinds of the configured tokens. */
  readonly configuredCredentials: readonly CredentialKind[];
  /** Credential of ordinary requests. */
  readonly mainCredential: CredentialKind;
  /** Lower-case names of the extra headers of every request. */
  readonly extraHeaders: readonly string[];
  readonly query: string;
  /** Wall-clock time at time 0 of the exchanges, in milliseconds since 1970. */
  readonly clockStartedAtMs: number;
  /** Maximum duration of a stream sample. */
  readonly maxStreamMs: number;
  readonly proxy?: ProxySetting;
  readonly addresses: AddressResult;
  readonly certificate: CertificateResult;
  /** In sending order. Their probes are those in `doctorProbes`. */
  readonly exchanges: readonly ExchangeDraft[];
  /** The reason why collection ended early. Absent if it is complete. */
  readonly stopped?: "deadline" | "interrupted";
}
