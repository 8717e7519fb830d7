import type { CredentialKind, ExchangeDraft } from "@assay/evidence";

/** Ids of the doctor's probes. */
export const doctorProbes = {
  search: "doctor-search",
  list: "doctor-list",
  sample: "doctor-sample",
  /** A sample over the HTTP version that the others do not use. */
  otherSample: "doctor-other-sample",
  shared: "doctor-shared",
  reference: "openapi",
} as const;

/** The result of resolving the host of a target. */
export type AddressLook =
  | { readonly kind: "addresses"; readonly addresses: readonly string[] }
  | { readonly kind: "failed"; readonly code: string }
  /** The host is an IP address, or a proxy resolves it. */
  | { readonly kind: "not-asked" };

/** A problem of a certificate; `other` comes with the error code of Node. */
export type CertificateProblem =
  | "expired"
  | "not-yet-valid"
  | "self-signed"
  | "unknown-authority"
  | "other-name"
  | "other";

/** The result of a TLS handshake, whether or not the certificate is trusted. */
export type CertificateLook =
  | {
      readonly kind: "certificate";
      /** Subject names of the certificate, at most ten. */
      readonly names: readonly string[];
      readonly issuer: string;
      /** Milliseconds since 1970. */
      readonly validFromMs: number;
      readonly validToMs: number;
      readonly problem?: CertificateProblem;
      /** Error code of Node. */
      readonly code?: string;
      /** The protocol that the server selected from `h2` and `http/1.1`; absent if it selected none. */
      readonly protocol?: string;
    }
  /** The handshake failed. */
  | { readonly kind: "failed"; readonly code: string }
  /** The target uses http, or there is a proxy in between. */
  | { readonly kind: "not-asked"; readonly why: "http" | "proxy" };

/** An environment variable that sets the proxy for a target. */
export interface ProxyLook {
  readonly variable: string;
  /** Host and port; never a password. */
  readonly address: string;
  /** Whether `NO_PROXY` exempts the target. */
  readonly isExempt: boolean;
}

/** The evidence of a doctor. */
export interface DoctorEvidence {
  /** Base URL without a trailing slash. */
  readonly target: string;
  readonly access: "private" | "public" | "undeclared";
  readonly sharing: "on" | "off" | "undeclared";
  /** Kinds of the given tokens. */
  readonly given: readonly CredentialKind[];
  /** Credential of ordinary requests. */
  readonly mainCredential: CredentialKind;
  /** Lower-case names of the extra headers of every request. */
  readonly extraHeaders: readonly string[];
  readonly query: string;
  /** Wall clock at time 0 of the exchanges, in milliseconds since 1970. */
  readonly clockStartedAtMs: number;
  /** Maximum duration of a stream sample. */
  readonly sampleMs: number;
  readonly proxy?: ProxyLook;
  readonly addresses: AddressLook;
  readonly certificate: CertificateLook;
  /** In the order of sending; the probes are those of `doctorProbes`. */
  readonly exchanges: readonly ExchangeDraft[];
  /** Why it ended early; absent if it was complete. */
  readonly stopped?: "deadline" | "interrupted";
}
