import { HarnessError, isRuleId, nearestName, ruleIds } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { visibleText } from "@assay/evidence";

/** Whether a text is the id of a rule, with or without its interface. */
export const isRuleName = (text: string): boolean => ruleIds.some((id) => id === text || id.endsWith(`/${text}`));

/** The rule with this id. The interface may be left out if only one rule matches. Fails with a `HarnessError`. */
export function namedRule(text: string): RuleId {
  const found = isRuleId(text) ? [text] : ruleIds.filter((id) => id.slice(id.indexOf("/") + 1) === text);
  const [rule, ...others] = found;
  if (rule === undefined) {
    const near = nearestName(text, ruleIds) ?? nearestName(`stream/${text}`, ruleIds);
    const hint = near === undefined ? "`assay list` shows all rules" : `did you mean \`${near}\`?`;
    throw new HarnessError("usage", `there is no rule \`${visibleText(text, 100)}\`; ${hint}`);
  }
  if (others.length > 0) {
    throw new HarnessError("usage", `several rules are called \`${text}\`; name one of ${found.join(", ")}`);
  }
  return rule;
}
