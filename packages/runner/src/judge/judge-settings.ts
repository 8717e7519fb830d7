import type { RuleId } from "@assay/contract";
import type { Manifest } from "@assay/evidence";

/** Settings for judging. */
export interface JudgeSettings {
  readonly rules: readonly RuleId[];
  readonly mustTest: readonly RuleId[];
  readonly strict: boolean;
  readonly access: Manifest["target"]["access"];
  /** Whether read tokens share conversations [undeclared]. */
  readonly sharing?: Manifest["target"]["sharing"];
  /** A clause about why the run asked no question. Rules that need an answer then do not apply. Absent if it asked one. */
  readonly asksNothing?: string;
  /** Interfaces with every rule of the profile selected, to which its minimum share of tested rules applies [none]. */
  readonly whole?: ReadonlySet<string>;
}
