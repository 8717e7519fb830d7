import type { Finding } from "@assay/contract";

declare const positive: unique symbol;
/** A count of at least one, made by `positiveCount`: a verdict `passed` with nothing seen cannot be written down. */
export type PositiveCount = number & { readonly [positive]: true };

/** Bytes around the offending ones, visibly escaped and capped. */
export interface Excerpt {
  /** Offset in the response body of the first byte of `before`. */
  readonly offset: number;
  readonly before: string;
  readonly marked: string;
  readonly after: string;
}

/** A finding as it is reported: text visibly escaped, with the bytes seen and a way to repeat the request. */
export interface ReportedFinding extends Finding {
  readonly excerpt?: Excerpt;
  readonly curl?: string;
}

/** What stood in the way: a `prerequisite` nobody gave, the `transport`, or a `limit` of the harness. */
export type BlockedBy = "prerequisite" | "transport" | "limit";

/** What kept part of the evidence from a rule that was violated by the rest. */
export interface PartlyBlocked {
  readonly blockedBy: Exclude<BlockedBy, "prerequisite">;
  readonly missing: string;
}

/**
 * Every way a rule can end. Findings are capped; `moreFindings` counts the ones left out. A violation outranks what was
 * kept from the rule, which is then `unseen`; a verdict that warns never has it.
 */
export type Verdict =
  | { readonly outcome: "passed"; readonly observations: PositiveCount }
  | {
      readonly outcome: "failed" | "warned";
      readonly findings: readonly [ReportedFinding, ...ReportedFinding[]];
      readonly moreFindings: number;
      /** Distinct exchanges of all findings; absent where none was left out, and in results of older versions. */
      readonly affectedExchanges?: number;
      readonly partlyBlocked?: PartlyBlocked;
    }
  | { readonly outcome: "not-tested"; readonly reason?: string }
  | { readonly outcome: "not-applicable"; readonly reason: string }
  | { readonly outcome: "blocked"; readonly blockedBy: BlockedBy; readonly missing: string };
export type VerdictOutcome = Verdict["outcome"];

/**
 * What an entry in a list of known failures makes of a verdict, which stays as it is: `known-failure` where the rule fails
 * or warns as the entry says, `fixed` where the rule holds although the entry says that it fails.
 */
export interface KnownFailure {
  readonly status: "known-failure" | "fixed";
  /** Why the failure is put up with, in the words of the list. */
  readonly reason: string;
  readonly owner: string;
  /** The last day on which the entry holds, such as `2027-01-31`; an entry of a list that comes with the tool has none. */
  readonly expires?: string;
  /** The list, as the user named it. */
  readonly source: string;
  /** Line of the entry in the list, from 1. */
  readonly line: number;
}

/**
 * Whether a rule that holds could have failed on this very evidence, had the target ignored its sentences in one way: the
 * edit of what came that makes it fail, or what evidence would have been needed.
 */
export interface MutationProof {
  /** What such a target does, one clause: "leaves out `matchCount`". */
  readonly mutation: string;
  /** The edit: what was done to the answer of which exchange, and at which offset of its body. */
  readonly confirmed?: { readonly what: string; readonly exchange: string; readonly offset?: number };
  /** Where nothing was proven: what evidence would have given power, one clause. */
  readonly needs?: string;
  /** Whether the specifications let a target answer so that there is nothing to edit: then no power costs nothing. */
  readonly isOptional?: true;
  /** Where nothing was proven: how many edits were tried. */
  readonly tried?: number;
}

/** The verdict of one rule on one operation of one interface. */
export interface RuleVerdict {
  readonly rule: string;
  readonly interface: string;
  readonly operation: string;
  readonly title: string;
  readonly basis: "stated" | "schema" | "derived" | "inferred" | "observed";
  /** The requirements the rule comes from, in the project's own words. */
  readonly requirements: readonly {
    readonly id: string;
    readonly specification: string;
    readonly section: string;
    readonly text: string;
  }[];
  /** Whether the profile demands that this rule was observed. */
  readonly mustTest: boolean;
  readonly verdict: Verdict;
  /** The entry in a list of known failures that speaks of this rule and target. */
  readonly known?: KnownFailure;
  /**
   * What of the rule was proven to be able to fail here, one entry for each way to ignore its sentences. Absent where the
   * rule did not hold, where nobody asked, and for rules that have no counterexamples.
   */
  readonly proof?: readonly MutationProof[];
  /** Permitted choices that were seen while judging, capped. */
  readonly notes?: readonly ReportedFinding[];
}
