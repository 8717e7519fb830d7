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
export type Obstacle = "prerequisite" | "transport" | "limit";

/** Every way a rule can end. Findings are capped; `moreFindings` counts the ones left out. */
export type Verdict =
  | { readonly outcome: "passed"; readonly observations: PositiveCount }
  | {
      readonly outcome: "failed" | "warned";
      readonly findings: readonly [ReportedFinding, ...ReportedFinding[]];
      readonly moreFindings: number;
    }
  | { readonly outcome: "not-observed" }
  | { readonly outcome: "not-applicable"; readonly reason: string }
  | { readonly outcome: "could-not-run"; readonly obstacle: Obstacle; readonly missing: string };
export type VerdictOutcome = Verdict["outcome"];

/** The verdict of one rule on one operation of one interface. */
export interface RuleVerdict {
  readonly rule: string;
  readonly interface: string;
  readonly operation: string;
  readonly title: string;
  readonly basis: "stated" | "schema" | "derived" | "inferred" | "observed";
  /** The sentences the rule comes from, in the project's own words. */
  readonly sentences: readonly {
    readonly id: string;
    readonly document: string;
    readonly section: string;
    readonly text: string;
  }[];
  /** Whether the profile demands that this rule was observed. */
  readonly mustObserve: boolean;
  readonly verdict: Verdict;
  /** Permitted choices that were seen while judging, capped. */
  readonly notes?: readonly ReportedFinding[];
}
