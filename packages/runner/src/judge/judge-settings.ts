import type { RuleId } from "@assay/contract";
import type { Manifest } from "@assay/evidence";

/** What judging depends on besides the exchanges. */
export interface JudgeSettings {
  readonly rules: readonly RuleId[];
  readonly mustTest: readonly RuleId[];
  readonly strict: boolean;
  readonly access: Manifest["target"]["access"];
  /** Whether conversations are shared by their read token [undeclared]. */
  readonly sharing?: Manifest["target"]["sharing"];
  /** Why the run asked no question, one clause; rules that only an answer shows then do not apply. Absent when it did. */
  readonly asksNothing?: string;
  /** Interfaces of which every rule of the profile was selected, so that its floor holds for them [none]. */
  readonly whole?: ReadonlySet<string>;
}
