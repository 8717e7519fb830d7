import type { RuleStanding } from "./rule-standing.ts";

/** A rule on one operation whose verdict changed; a side is absent if that run did not select the rule. */
export interface ChangedVerdict {
  readonly rule: string;
  readonly interface: string;
  readonly operation: string;
  readonly title: string;
  readonly before?: RuleStanding;
  readonly after?: RuleStanding;
}

/** What changed between two runs. Lists keep the order of the catalogue. */
export interface RunChange {
  /** The earlier run. */
  readonly baseline: { readonly id: string; readonly target: string; readonly startedAt: string };
  /** One sentence, such as `2 rules fail that passed in run X; 1 passes again; 3 are no longer tested`. */
  readonly sentence: string;
  /** Fails now, and did not before. "Fails" means: makes the run fail. */
  readonly broken: readonly ChangedVerdict[];
  /** Failed before, passed now. */
  readonly fixed: readonly ChangedVerdict[];
  /** Failed in both runs. */
  readonly stillBroken: readonly ChangedVerdict[];
  /** Failed before and is accepted now: as a known failure, or because the run is not strict. Absent if empty. */
  readonly accepted?: readonly ChangedVerdict[];
  /** Failed in neither run, and passed in only one: in the other it warned or was a known failure. Absent if empty. */
  readonly changedOther?: readonly ChangedVerdict[];
  /** Judged before, not now. */
  readonly noLongerSeen: readonly ChangedVerdict[];
  /** Judged now, not before. */
  readonly newlySeen: readonly ChangedVerdict[];
  /** Reasons to compare with care, such as another profile or an incomplete run, one sentence each. */
  readonly caveats: readonly string[];
}
