import { defined, ruleRecord, ruleReason } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import type { ExplainedRule } from "@assay/report";
import { ruleExample } from "@assay/runner";
import { cataloguedRule } from "./catalogued-rule.ts";

/** The version of Assay that had the first rules. */
const firstVersion = "0.1.0";

/** A rule with all that its page says of it. */
export function explainedRule(id: RuleId): ExplainedRule {
  const record = ruleRecord(id);
  return {
    ...cataloguedRule(record),
    why: ruleReason(id),
    since: record.since ?? firstVersion,
    ...defined({ example: ruleExample(id) }),
  };
}
