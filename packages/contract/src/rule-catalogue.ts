import type { RuleRecord } from "./rule-record.ts";
import { accessRules } from "./rules/access-rules.ts";
import { formRules } from "./rules/form-rules.ts";
import { observedRules } from "./rules/observed-rules.ts";
import { parameterRules } from "./rules/parameter-rules.ts";
import { payloadRules } from "./rules/payload-rules.ts";
import { sequenceRules } from "./rules/sequence-rules.ts";

const rules = {
  ...formRules,
  ...payloadRules,
  ...sequenceRules,
  ...observedRules,
  ...accessRules,
  ...parameterRules,
} as const;

/** Id of a rule in the catalogue. */
export type RuleId = keyof typeof rules;

/** Whether `id` names a rule of the catalogue. Names every object has, such as `toString`, are not rules. */
export const isRuleId = (id: string): id is RuleId => Object.hasOwn(rules, id);

/** The record of a rule. Cannot fail: the type closes the list of ids (`isRuleId` tells for other strings). */
export const ruleRecord = (id: RuleId): RuleRecord => ({ id, ...rules[id], interface: "stream", operation: "search" });

/** Ids of all rules, in the order of the catalogue. */
export const ruleIds: readonly RuleId[] = Object.keys(rules).filter(isRuleId);

/** Every rule of the streaming document, in a fixed order: bytes, payloads, sequence, observed values, requests. */
export const ruleCatalogue: readonly RuleRecord[] = ruleIds.map(ruleRecord);
