import type { ConversationRuleRow, RuleInterface, RuleRecord, RuleRow } from "./rule-record.ts";
import { currentAccessRules } from "./rules/current/access.ts";
import { currentAnswerRules } from "./rules/current/answers.ts";
import { currentHistoryRules } from "./rules/current/history.ts";
import { currentListRules } from "./rules/current/lists.ts";
import { currentOperationRules } from "./rules/current/operations.ts";
import { currentSchemaRules } from "./rules/current/schema.ts";
import { legacyAccessRules } from "./rules/legacy/access.ts";
import { legacyAnswerRules } from "./rules/legacy/answers.ts";
import { legacyHistoryRules } from "./rules/legacy/history.ts";
import { legacyListRules } from "./rules/legacy/lists.ts";
import { legacyOperationRules } from "./rules/legacy/operations.ts";
import { legacySchemaRules } from "./rules/legacy/schema.ts";
import { migrationRules } from "./rules/migration.ts";
import { accessRules } from "./rules/stream/access.ts";
import { framingRules } from "./rules/stream/framing.ts";
import { observedRules } from "./rules/stream/observed.ts";
import { orderRules } from "./rules/stream/order.ts";
import { parameterRules } from "./rules/stream/parameters.ts";
import { schemaRules } from "./rules/stream/schema.ts";

/** The chapters of each interface; their order, and that of the records in them, is the order of the catalogue. */
const chapters = {
  stream: {
    framing: framingRules,
    schema: schemaRules,
    order: orderRules,
    observed: observedRules,
    access: accessRules,
    parameters: parameterRules,
  },
  legacy: {
    answers: legacyAnswerRules,
    history: legacyHistoryRules,
    operations: legacyOperationRules,
    lists: legacyListRules,
    access: legacyAccessRules,
    schema: legacySchemaRules,
  },
  current: {
    answers: currentAnswerRules,
    history: currentHistoryRules,
    operations: currentOperationRules,
    lists: currentListRules,
    access: currentAccessRules,
    schema: currentSchemaRules,
  },
  migration: { migration: migrationRules },
} as const satisfies Record<RuleInterface, object>;

/** Ids of the rules in the chapters of an interface. */
type IdsIn<Interface> = Interface extends unknown
  ? { [Chapter in keyof Interface]: keyof Interface[Chapter] }[keyof Interface]
  : never;

/** Id of a rule about streams. */
export type StreamRuleId = IdsIn<(typeof chapters)["stream"]>;

/** Id of a rule about conversations. */
export type ConversationRuleId = IdsIn<(typeof chapters)["legacy" | "current" | "migration"]>;

/** Id of a rule in the catalogue. */
export type RuleId = StreamRuleId | ConversationRuleId;

type Chapter = Readonly<Record<string, RuleRow | ConversationRuleRow>>;

function recordsOf(name: RuleInterface): readonly RuleRecord[] {
  return Object.entries<Chapter>(chapters[name]).flatMap(([chapter, rows]) =>
    Object.entries(rows).map(([id, row]) =>
      "operation" in row
        ? { id, ...row, interface: name, chapter, searches: [] }
        : { id, ...row, interface: name, operation: "search", chapter, searches: row.searches ?? ["stream"] },
    ),
  );
}

/**
 * Every rule of both specifications, in a fixed order: the streaming search by chapter, then the conversation API, its legacy
 * interface, its current one, and how they go together.
 */
export const ruleCatalogue: readonly RuleRecord[] = (["stream", "legacy", "current", "migration"] as const).flatMap(
  recordsOf,
);

const records: ReadonlyMap<string, RuleRecord> = new Map(ruleCatalogue.map((record) => [record.id, record]));

/** Whether `id` names a rule of the catalogue. Names every object has, such as `toString`, are not rules. */
export const isRuleId = (id: string): id is RuleId => records.has(id);

/** Whether a rule of the catalogue is about streams. */
export const isStreamRuleId = (id: string): id is StreamRuleId => records.get(id)?.interface === "stream";

/** Whether a rule of the catalogue is about conversations. */
export const isConversationRuleId = (id: string): id is ConversationRuleId => records.has(id) && !isStreamRuleId(id);

/** The record of a rule. The type closes the list of ids (`isRuleId` tells for other strings); any other one is a bug of the caller. */
export function ruleRecord(id: RuleId): RuleRecord {
  const record = records.get(id);
  if (record === undefined) {
    throw new Error(`There is no rule ${id}.`);
  }
  return record;
}

/** Ids of all rules, in the order of the catalogue. */
export const ruleIds: readonly RuleId[] = ruleCatalogue.map(({ id }) => id).filter(isRuleId);
