import type { Finding } from "@assay/contract";

/** A finding as reported by a rule. The judge adds kind and exchange. */
export type FindingDraft = Omit<Finding, "kind" | "exchange">;

/** The reason a rule is blocked. */
export interface BlockedBy {
  readonly kind: "prerequisite" | "transport" | "limit";
  /** The missing prerequisite, as one clause. */
  readonly missing: string;
}

/** Receives everything that a rule reports about one exchange or one run. */
export interface Reporter {
  /** Records that the rule was checked `count` times (default 1). A rule without observations is not tested. */
  observation(count?: number): void;
  violation(finding: FindingDraft): void;
  note(finding: FindingDraft): void;
  blocked(blockedBy: BlockedBy): void;
  /**
   * Records why the rule could not be checked and what the user can do about it, as one clause. Keeps only the first
   * reason.
   */
  notTested(reason: string): void;
}

/** The prerequisite that is missing if the target refuses a token and never accepts it. */
export const acceptedTokenPrerequisite = "a token that the target accepts";
