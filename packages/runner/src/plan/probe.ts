import type { SearchParameter, SearchPurpose } from "@assay/contract";

/** Who sends a probe: the credential the run was given first, or one in particular. */
export type ProbeCredential =
  | "main"
  | "oauth-token"
  | "unscoped-token"
  | "unscoped-oauth-token"
  | "invalid-token"
  | "shortened-token"
  | "lengthened-token"
  | "empty-token"
  | "none";

/** One search that is sent to see what comes back. A probe decides nothing. */
export interface Probe {
  readonly id: string;
  /** What it does, a few words for the progress line. */
  readonly title: string;
  readonly credential: ProbeCredential;
  readonly parameters: Readonly<Partial<Record<SearchParameter, string>>> & { readonly q: string };
  readonly purpose: SearchPurpose;
}
