import type { CredentialKind, ExchangeDraft } from "@assay/evidence";

/** Ids of the probes of a doctor, by what is asked. */
export const doctorProbes = {
  search: "doctor-search",
  list: "doctor-list",
  sample: "doctor-sample",
  /** A sample over the version of HTTP that the others do not speak. */
  otherSample: "doctor-other-sample",
  shared: "doctor-shared",
  reference: "openapi",
} as const;

/** What name resolution says of the host of a target. */
export type AddressLook =
  | { readonly kind: "addresses"; readonly addresses: readonly string[] }
  | { readonly kind: "failed"; readonly code: string }
  /** The host is an address already, or a proxy resolves it. */
  | { readonly kind: "not-asked" };

/** What is wrong with a certificate; `other` is named by the code that Node has for it. */
export type CertificateProblem =
  | "expired"
  | "not-yet-valid"
  | "self-signed"
  | "unknown-authority"
  | "other-name"
  | "other";

/** What a handshake of TLS shows, whether the certificate is trusted or not. */
export type CertificateLook =
  | {
      readonly kind: "certificate";
      /** Names the certificate is for, as it writes them, at most ten. */
      readonly names: readonly string[];
      readonly issuer: string;
      /** Milliseconds since 1970. */
      readonly validFromMs: number;
      readonly validToMs: number;
      readonly problem?: CertificateProblem;
      /** Code of Node for the problem. */
      readonly code?: string;
      /** What the server chose of `h2` and `http/1.1`; absent when it did not choose. */
      readonly protocol?: string;
    }
  /** No handshake came about. */
  | { readonly kind: "failed"; readonly code: string }
  /** The target is not asked by https, or a proxy is in between. */
  | { readonly kind: "not-asked"; readonly why: "http" | "proxy" };

/** A variable of this machine that decides by which proxy a target is reached. */
export interface ProxyLook {
  readonly variable: string;
  /** Host and port; never a password. */
  readonly address: string;
  /** Whether `NO_PROXY` keeps the target out of it. */
  readonly isExempt: boolean;
}

/** Everything a doctor has seen. */
export interface DoctorEvidence {
  /** Base URL without a slash at its end. */
  readonly target: string;
  readonly access: "private" | "public" | "undeclared";
  readonly sharing: "on" | "off" | "undeclared";
  /** Tokens that were given. */
  readonly given: readonly CredentialKind[];
  /** Credential of ordinary requests. */
  readonly mainCredential: CredentialKind;
  /** Names, in lower case, of extra headers that every request has. */
  readonly extraHeaders: readonly string[];
  readonly query: string;
  /** Wall clock when the clock of the exchanges began, in milliseconds since 1970. */
  readonly clockStartedAtMs: number;
  /** Longest time a sample of a stream was waited for. */
  readonly sampleMs: number;
  readonly proxy?: ProxyLook;
  readonly addresses: AddressLook;
  readonly certificate: CertificateLook;
  /** In the order of sending; the probes are those of `doctorProbes`. */
  readonly exchanges: readonly ExchangeDraft[];
  /** What ended it early; absent when everything was asked. */
  readonly stopped?: "deadline" | "interrupted";
}
