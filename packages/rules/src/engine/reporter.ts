import type { Finding } from "@assay/contract";

/** What a rule says of a finding; kind and exchange are filled in by the judge. */
export type FindingDraft = Omit<Finding, "kind" | "exchange">;

/** What stands between a rule and its evidence. */
export interface RuleObstacle {
  readonly kind: "prerequisite" | "transport" | "limit";
  /** What is missing, one clause. */
  readonly missing: string;
}

/** How a rule speaks. All it says about one exchange or one run goes through here. */
export interface Reporter {
  /** The rule met `count` observations (default 1) to be broken: without any it is not observed. */
  observation(count?: number): void;
  violation(finding: FindingDraft): void;
  note(finding: FindingDraft): void;
  blocked(blockedBy: RuleObstacle): void;
  /** Why something was no observation: one clause about what is missing, and what to do. The first one is kept. */
  notTested(reason: string): void;
}
