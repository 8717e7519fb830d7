import { HarnessError, isRuleId, nearestName, ruleIds } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { visibleText } from "@assay/evidence";

/** Reports whether text is a rule id, with or without the interface prefix. */
export const isRuleName = (name: string): boolean => ruleIds.some((id) => id === name || id.endsWith(`/${name}`));

/** Returns the id of a rule. The interface prefix is optional. Throws a `HarnessError` if no rule or several rules match. */
export function findRule(ruleName: string): RuleId {
  const matches = isRuleId(ruleName) ? [ruleName] : ruleIds.filter((id) => id.slice(id.indexOf("/") + 1) === ruleName);
  const [rule, ...moreRules] = matches;
  if (rule === undefined) {
    const suggestion = nearestName(ruleName, ruleIds) ?? nearestName(`stream/${ruleName}`, ruleIds);
    const hint = suggestion === undefined ? "`assay list` shows all rules" : `did you mean \`${suggestion}\`?`;
    throw new HarnessError("usage", `unknown rule \`${visibleText(ruleName, 100)}\`; ${hint}`);
  }
  if (moreRules.length > 0) {
    throw new HarnessError("usage", `\`${ruleName}\` is ambiguous; use one of ${matches.join(", ")}`);
  }
  return rule;
}
