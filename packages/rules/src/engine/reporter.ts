import type { Finding } from "@assay/contract";

/** A finding as a rule reports it; the judge adds kind and exchange. */
export type FindingDraft = Omit<Finding, "kind" | "exchange">;

/** What blocks a rule. */
export interface BlockedBy {
  readonly kind: "prerequisite" | "transport" | "limit";
  /** The missing prerequisite, one clause. */
  readonly missing: string;
}

/** Receives everything that a rule reports about one exchange or one run. */
export interface Reporter {
  /** The rule could be checked `count` times (default 1). Without any it is not tested. */
  observation(count?: number): void;
  violation(finding: FindingDraft): void;
  note(finding: FindingDraft): void;
  blocked(blockedBy: BlockedBy): void;
  /**
   * Why the rule could not be checked: one clause about what is missing, and what to do. Only the first one is kept.
   */
  notTested(reason: string): void;
}

/** The missing prerequisite if a token is refused and no success shows that it is valid. */
export const acceptedTokenMissing = "a token that the target accepts";
