import { isStreamRuleId } from "@assay/contract";
import type { RuleId, SearchParameter } from "@assay/contract";

/** Who sends a probe: the credential the run was given first, or one in particular. */
export type ProbeCredential = "main" | "oauth-token" | "unscoped-token" | "invalid-token" | "none";

/** One search that is sent to see what comes back. A probe decides nothing. */
export interface Probe {
  readonly id: string;
  /** What it does, a few words for the progress line. */
  readonly title: string;
  readonly credential: ProbeCredential;
  readonly parameters: Readonly<Partial<Record<SearchParameter, string>>> & { readonly q: string };
  /** What it is good for: the streams themselves, parameters, comparing searches of one file, or who may search. */
  readonly purpose: "stream" | "parameters" | "comparison" | "access";
}

type Purposes = readonly Probe["purpose"][];

const access: Purposes = ["access"];
const parameters: Purposes = ["parameters"];
const comparison: Purposes = ["comparison"];

/** Rules that need more than what any search shows. */
const purposes: Readonly<Partial<Record<RuleId, Purposes>>> = {
  "stream/access-token-is-accepted": access,
  "stream/oauth-token-is-accepted": access,
  "stream/missing-token-is-refused": access,
  "stream/invalid-token-is-refused": access,
  "stream/anonymous-search-is-accepted": access,
  "stream/scope-is-required": access,
  "stream/documented-parameters-are-accepted": parameters,
  "stream/display-bounds-matches": parameters,
  "stream/display-keeps-counting": parameters,
  "stream/no-display-no-limit": parameters,
  "stream/chunk-match-has-context": parameters,
  "stream/cm-enables-chunk-matches": parameters,
  "stream/chunk-matches-need-cm": parameters,
  "stream/count-stops-search": ["stream", "comparison"],
  "stream/count-all-finds-everything": comparison,
  "stream/cut-results-are-named": ["stream", "comparison"],
  "stream/chunk-lines-are-whole": comparison,
  "stream/max-line-len-cuts-lines": comparison,
  "stream/cl-gives-context-lines": comparison,
  "stream/cl-needs-cm": comparison,
  "stream/omitted-v-is-v3": comparison,
  "stream/omitted-t-is-standard": comparison,
  "stream/pattern-type-filter-wins": comparison,
};

/** Which kinds of searches a rule about streams needs; each needs the first one. Rules about conversations need none. */
export const purposesOf = (rule: RuleId): Purposes => purposes[rule] ?? (isStreamRuleId(rule) ? ["stream"] : []);
