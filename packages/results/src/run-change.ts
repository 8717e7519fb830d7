import type { RuleStanding } from "./rule-standing.ts";

/** A rule on one operation that stands differently than before; absent where it was, or is, not judged at all. */
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
  /** Red now, and not red before. */
  readonly broken: readonly ChangedVerdict[];
  /** Red before, and passed now. */
  readonly mended: readonly ChangedVerdict[];
  /** Red in both. */
  readonly stillBroken: readonly ChangedVerdict[];
  /** Red before, and no longer red although it did not pass: a list of known failures, or a laxer run, accepts it. Absent without any. */
  readonly excused?: readonly ChangedVerdict[];
  /** Red in neither, but it passed in only one: in the other it warned, or is a known failure. Absent without any. */
  readonly shifted?: readonly ChangedVerdict[];
  /** Judged before, and not now. */
  readonly noLongerSeen: readonly ChangedVerdict[];
  /** Judged now, and not before. */
  readonly newlySeen: readonly ChangedVerdict[];
  /** Why the two can hardly be compared (another profile, another selection, incomplete), a sentence each. */
  readonly caveats: readonly string[];
}
