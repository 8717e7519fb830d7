import type { RuleId, SearchParameter } from "@assay/contract";

/** Who sends a probe: the credential the run was given first, or one in particular. */
export type ProbeCredential = "main" | "oauth-token" | "invalid-token" | "none";

/** One search that is sent to see what comes back. A probe decides nothing. */
export interface Probe {
  readonly id: string;
  /** What it does, a few words for the progress line. */
  readonly title: string;
  readonly credential: ProbeCredential;
  readonly parameters: Readonly<Partial<Record<SearchParameter, string>>> & { readonly q: string };
  /** What it is good for: the streams themselves, parameters, or who may search. */
  readonly purpose: "stream" | "parameters" | "access";
}

/** Which kinds of probes a rule needs; every rule needs the first search. */
export function purposesOf(rule: RuleId): readonly Probe["purpose"][] {
  if (rule === "stream/documented-parameters-are-accepted" || rule === "stream/display-bounds-matches") {
    return ["parameters"];
  }
  return /-token-is-|anonymous-/u.test(rule) ? ["access"] : ["stream"];
}
