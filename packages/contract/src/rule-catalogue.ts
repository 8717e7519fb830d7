import type { RuleRecord } from "./rule-record.ts";
import { accessRules } from "./rules/access-rules.ts";
import { currentRules } from "./rules/current-rules.ts";
import { formRules } from "./rules/form-rules.ts";
import { legacyRules } from "./rules/legacy-rules.ts";
import { migrationRules } from "./rules/migration-rules.ts";
import { observedRules } from "./rules/observed-rules.ts";
import { parameterRules } from "./rules/parameter-rules.ts";
import { payloadRules } from "./rules/payload-rules.ts";
import { sequenceRules } from "./rules/sequence-rules.ts";

const streamRules = {
  ...formRules,
  ...payloadRules,
  ...sequenceRules,
  ...observedRules,
  ...accessRules,
  ...parameterRules,
} as const;

const conversationRules = { ...legacyRules, ...currentRules, ...migrationRules } as const;

const rules = { ...streamRules, ...conversationRules } as const;

/** Id of a rule about streams. */
export type StreamRuleId = keyof typeof streamRules;

/** Id of a rule about conversations. */
export type ConversationRuleId = keyof typeof conversationRules;

/** Id of a rule in the catalogue. */
export type RuleId = keyof typeof rules;

/** Whether `id` names a rule of the catalogue. Names every object has, such as `toString`, are not rules. */
export const isRuleId = (id: string): id is RuleId => Object.hasOwn(rules, id);

/** Whether a rule of the catalogue is about conversations. */
export const isConversationRuleId = (id: string): id is ConversationRuleId => Object.hasOwn(conversationRules, id);

/** Whether a rule of the catalogue is about streams. */
export const isStreamRuleId = (id: string): id is StreamRuleId => Object.hasOwn(streamRules, id);

const interfaceOf = (id: ConversationRuleId): RuleRecord["interface"] =>
  Object.hasOwn(legacyRules, id) ? "legacy" : Object.hasOwn(currentRules, id) ? "current" : "migration";

/** The record of a rule. Cannot fail: the type closes the list of ids (`isRuleId` tells for other strings). */
export const ruleRecord = (id: RuleId): RuleRecord =>
  isConversationRuleId(id)
    ? { id, ...conversationRules[id], interface: interfaceOf(id) }
    : { id, ...streamRules[id], interface: "stream", operation: "search" };

/** Ids of all rules, in the order of the catalogue. */
export const ruleIds: readonly RuleId[] = Object.keys(rules).filter(isRuleId);

/**
 * Every rule of both documents, in a fixed order: of the stream bytes, payloads, sequence, observed values, requests; then
 * the conversation API, its legacy interface, its current one, and how they go together.
 */
export const ruleCatalogue: readonly RuleRecord[] = ruleIds.map(ruleRecord);
