import type { RuleId } from "@assay/contract";
import type { Manifest } from "@assay/evidence";

/** Settings for judging. */
export interface JudgeSettings {
  readonly rules: readonly RuleId[];
  readonly mustTest: readonly RuleId[];
  readonly strict: boolean;
  readonly access: Manifest["target"]["access"];
  /** Whether read tokens share conversations. Default: undeclared. */
  readonly sharing?: Manifest["target"]["sharing"];
  /** The reason, as a clause, why the run asked no questions. Rules that need an answer then do not apply. Absent if it asked any. */
  readonly noQuestionsReason?: string;
  /** Interfaces for which every rule of the profile is selected. The minimum share of tested rules applies to them. Default: none. */
  readonly completeInterfaces?: ReadonlySet<string>;
}
