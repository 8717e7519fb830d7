import type { SearchParameter, SearchPurpose } from "@assay/contract";

/** The credential of a probe: the main credential of the run, or a specific kind. */
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

/** A search to send. Rules judge the response later. */
export interface Probe {
  readonly id: string;
  /** A short description for the progress line. */
  readonly title: string;
  readonly credential: ProbeCredential;
  readonly parameters: Readonly<Partial<Record<SearchParameter, string>>> & { readonly q: string };
  readonly purpose: SearchPurpose;
  /** `kept`: one connection carries these searches, one after the other. Default: the search has its own connection. */
  readonly connection?: "kept";
}
