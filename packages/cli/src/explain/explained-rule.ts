import { defined, ruleReason, ruleRecord, ruleSince } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import type { ExplainedRule } from "@assay/report";
import { ruleExample } from "@assay/runner";
import { cataloguedRule } from "./catalogued-rule.ts";

/** A rule with all facts of its page. */
export function explainedRule(id: RuleId): ExplainedRule {
  return {
    ...cataloguedRule(ruleRecord(id)),
    why: ruleReason(id),
    since: ruleSince(id),
    ...defined({ example: ruleExample(id) }),
  };
}
