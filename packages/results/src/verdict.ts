import type { Finding } from "@assay/contract";

declare const positive: unique symbol;
/** A count of at least one, made by `positiveCount`: a rule that was never checked cannot be `passed`. */
export type PositiveCount = number & { readonly [positive]: true };

/** The offending bytes (`marked`) and those around them, visibly escaped and capped. */
export interface Excerpt {
  /** Offset in the response body of the first byte of `before`. */
  readonly offset: number;
  readonly before: string;
  readonly marked: string;
  readonly after: string;
}

/** A reported finding: text visibly escaped, with the received bytes and a command that repeats the request. */
export interface ReportedFinding extends Finding {
  readonly excerpt?: Excerpt;
  readonly curl?: string;
}

/** What blocked a rule: a missing `prerequisite`, the `transport`, or a `limit` of Assay. */
export type BlockedBy = "prerequisite" | "transport" | "limit";

/** What blocked part of the evidence of a rule that failed on the rest. */
export interface PartlyBlocked {
  readonly blockedBy: Exclude<BlockedBy, "prerequisite">;
  readonly missing: string;
}

/**
 * Every way a rule can end. Findings are capped; `moreFindings` counts the rest. A failure outranks what blocked the rule, which is then
 * `partlyBlocked`; a warning does not have it.
 */
export type Verdict =
  | { readonly outcome: "passed"; readonly observations: PositiveCount }
  | {
      readonly outcome: "failed" | "warned";
      readonly findings: readonly [ReportedFinding, ...ReportedFinding[]];
      readonly moreFindings: number;
      /** Distinct exchanges of all findings; absent if no finding was left out, and in results of older versions. */
      readonly affectedExchanges?: number;
      readonly partlyBlocked?: PartlyBlocked;
    }
  | { readonly outcome: "not-tested"; readonly reason?: string }
  | { readonly outcome: "not-applicable"; readonly reason: string }
  | { readonly outcome: "blocked"; readonly blockedBy: BlockedBy; readonly missing: string };
export type VerdictOutcome = Verdict["outcome"];

/**
 * The entry of a rule in a list of known failures. `known-failure`: the rule failed or warned as listed. `fixed`: the rule passed although
 * it is listed. The verdict itself stays as it is.
 */
export interface KnownFailure {
  readonly status: "known-failure" | "fixed";
  /** Why the failure is accepted, in the words of the list. */
  readonly reason: string;
  readonly owner: string;
  /** Expiry date, such as `2027-01-31`; entries of Assay's own lists have none. */
  readonly expires?: string;
  /** The list, as the user named it. */
  readonly source: string;
  /** Line of the entry in the list, from 1. */
  readonly line: number;
}

/**
 * Whether a pass is confirmed for one mutation kind: the altered response that makes the rule fail, or what would be needed for one.
 */
export interface MutationProof {
  /** What a target with this mutation does, one clause: "leaves out `matchCount`". */
  readonly mutation: string;
  /** The mutation: what was changed in the response of which exchange, and at which offset of its body. */
  readonly confirmed?: { readonly what: string; readonly exchange: string; readonly offset?: number };
  /** If not confirmed: the evidence that is needed, one clause. */
  readonly needs?: string;
  /** True if the specifications allow responses in which there is nothing to alter: then the pass needs no confirmation. */
  readonly isOptional?: true;
  /** If not confirmed: the number of mutations that were tried. */
  readonly tried?: number;
}

/** The verdict of one rule on one operation of one interface. */
export interface RuleVerdict {
  readonly rule: string;
  readonly interface: string;
  readonly operation: string;
  readonly title: string;
  readonly basis: "stated" | "schema" | "derived" | "inferred" | "observed";
  /** Its requirements, in the project's own words. */
  readonly requirements: readonly {
    readonly id: string;
    readonly specification: string;
    readonly section: string;
    readonly text: string;
  }[];
  /** Whether the profile requires that this rule was tested. */
  readonly mustTest: boolean;
  readonly verdict: Verdict;
  /** The entry for this rule and target in a list of known failures. */
  readonly known?: KnownFailure;
  /**
   * One entry for each mutation kind of the rule. Absent if the rule did not pass, if confirmation was not requested, and for rules
   * without mutations.
   */
  readonly proof?: readonly MutationProof[];
  /** Permitted choices of the target, capped. */
  readonly notes?: readonly ReportedFinding[];
}
