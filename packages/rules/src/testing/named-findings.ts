import { ruleRecord } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import type { RuleOutcome } from "../engine/rule-outcome.ts";

/**
 * Returns the outcomes if each violation of a rule with several kinds of findings has one of its codes. Throws
 * otherwise, because a list of known failures could not name the violation.
 */
export function withNamedFindings<Id extends RuleId>(
  outcomes: ReadonlyMap<Id, RuleOutcome>,
): ReadonlyMap<Id, RuleOutcome> {
  for (const [id, { findings }] of outcomes) {
    const { codes } = ruleRecord(id);
    const namelessFinding = findings.find(({ kind, code = "" }) => kind === "violation" && !codes.includes(code));
    if (codes.length > 0 && namelessFinding !== undefined) {
      throw new Error(`${id} has no finding of the code ${namelessFinding.code}: ${namelessFinding.message}`);
    }
  }
  return outcomes;
}
