import { defined, ruleReason, ruleRecord, ruleSince } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import type { ExplainedRule } from "@assay/report";
import { ruleExample } from "@assay/runner";
import { describeRule } from "./describe-rule.ts";

/** Describes a rule for its page: with the reason for it, its first version and an example. */
export function describeRulePage(id: RuleId): ExplainedRule {
  return {
    ...describeRule(ruleRecord(id)),
    why: ruleReason(id),
    since: ruleSince(id),
    ...defined({ example: ruleExample(id) }),
  };
}
