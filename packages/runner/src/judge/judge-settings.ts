import type { RuleId } from "@assay/contract";
import type { Manifest } from "@assay/evidence";

/** What judging depends on besides the exchanges. */
export interface JudgeSettings {
  readonly rules: readonly RuleId[];
  readonly mustObserve: readonly RuleId[];
  readonly strict: boolean;
  readonly access: Manifest["target"]["access"];
}
