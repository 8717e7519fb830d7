import { defined, ruleReason, ruleRecord, ruleSince } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import type { ExplainedRule } from "@assay/report";
import { ruleExample } from "@assay/runner";
import { describeRule } from "./describe-rule.ts";

/** Returns the data of a rule's page: description, rationale, first version and example. */
export function describeRulePage(id: RuleId): ExplainedRule {
  return {
    ...describeRule(ruleRecord(id)),
    why: ruleReason(id),
    since: ruleSince(id),
    ...defined({ example: ruleExample(id) }),
  };
}
