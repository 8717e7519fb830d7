import type { RuleStanding } from "./rule-standing.ts";

/** A rule on one operation whose verdict changed. `before` or `after` is absent if that run did not select the rule. */
export interface ChangedVerdict {
  readonly rule: string;
  readonly interface: string;
  readonly operation: string;
  readonly title: string;
  readonly before?: RuleStanding;
  readonly after?: RuleStanding;
}

/** Changes between two runs. Lists keep the order of the catalogue. */
export interface RunChange {
  /** The earlier run. */
  readonly baseline: { readonly id: string; readonly target: string; readonly startedAt: string };
  /** One sentence, such as `2 rules fail that passed in run X; 1 passes again; 3 are no longer tested`. */
  readonly sentence: string;
  /** Rules that make this run fail, but not the baseline. */
  readonly broken: readonly ChangedVerdict[];
  /** Rules that failed before and passed now. */
  readonly fixed: readonly ChangedVerdict[];
  /** Rules that failed in both runs. */
  readonly stillBroken: readonly ChangedVerdict[];
  /** Rules that failed before and are accepted now: as known failures, or because the run is not strict. Absent if empty. */
  readonly accepted?: readonly ChangedVerdict[];
  /** Rules that passed in only one run, and warned or were known failures in the other. Absent if empty. */
  readonly changedOther?: readonly ChangedVerdict[];
  /** Rules that were judged before but not now. */
  readonly noLongerSeen: readonly ChangedVerdict[];
  /** Rules that were judged now but not before. */
  readonly newlySeen: readonly ChangedVerdict[];
  /** Reasons to compare with care, such as a different profile or an incomplete run, each as one sentence. */
  readonly caveats: readonly string[];
}
