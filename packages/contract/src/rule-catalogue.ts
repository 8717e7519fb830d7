import { isConversationProbeId } from "./conversation-probes.ts";
import type { ConversationProbeId } from "./conversation-probes.ts";
import { findGrammarCodes } from "./grammar-codes.ts";
import type { ConversationRow, ConversationRuleRow, RuleInterface, RuleRecord, RuleRow } from "./rule-record.ts";
import { conversationAccessRules } from "./rules/conversation/access.ts";
import { answerRules } from "./rules/conversation/answers.ts";
import { historyRules } from "./rules/conversation/history.ts";
import { listRules } from "./rules/conversation/lists.ts";
import { operationRules } from "./rules/conversation/operations.ts";
import { conversationSchemaRules } from "./rules/conversation/schema.ts";
import { migrationRules } from "./rules/migration.ts";
import { probesOfOperation } from "./rules/probe-groups.ts";
import { accessRules } from "./rules/stream/access.ts";
import { framingRules } from "./rules/stream/framing.ts";
import { observedRules } from "./rules/stream/observed.ts";
import { orderRules } from "./rules/stream/order.ts";
import { parameterRules } from "./rules/stream/parameters.ts";
import { schemaRules } from "./rules/stream/schema.ts";
import { notTestedReason } from "./rules/not-tested-reasons.ts";

/** The order of the chapters, and of the records in them, is the order of the catalogue. */
const streamChapters = {
  framing: framingRules,
  schema: schemaRules,
  order: orderRules,
  observed: observedRules,
  access: accessRules,
  parameters: parameterRules,
} as const;

/** The chapters of both conversation interfaces; the legacy one comes first in the catalogue. */
const conversationChapters = {
  answers: answerRules,
  history: historyRules,
  operations: operationRules,
  lists: listRules,
  access: conversationAccessRules,
  schema: conversationSchemaRules,
} as const;

/**
 * Ids in the chapters of one kind: the keys of their records. The key of a record for both interfaces has no
 * interface.
 */
type IdsIn<Chapters> = { [Name in keyof Chapters]: IdsOf<Chapters[Name]> }[keyof Chapters];
type IdsOf<Records> = {
  [Key in keyof Records & string]: Records[Key] extends { readonly interfaces: readonly (infer Name extends string)[] }
    ? `${Name}/${Key}`
    : Key;
}[keyof Records & string];

/** Id of a rule about streams. */
export type StreamRuleId = IdsIn<typeof streamChapters>;

/** Id of a rule about conversations. */
export type ConversationRuleId = IdsIn<typeof conversationChapters> | keyof typeof migrationRules;

/** Id of a rule in the catalogue. */
export type RuleId = StreamRuleId | ConversationRuleId;

type Rows<Row> = Readonly<Record<string, Row>>;

const complete = (
  record: Omit<RuleRecord, "codes" | "notTested"> & Pick<RuleRow, "codes" | "notTested">,
): RuleRecord => ({
  ...record,
  codes: record.codes ?? findGrammarCodes(record.id),
  notTested: record.notTested ?? notTestedReason(record),
});

const ofStream = Object.entries<Rows<RuleRow>>(streamChapters).flatMap(([chapter, rows]) =>
  Object.entries(rows).map(([id, row]) =>
    complete({ id, searches: ["stream"], probes: [], ...row, interface: "stream", operation: "search", chapter }),
  ),
);

const ofConversations = (
  name: Exclude<RuleInterface, "stream">,
  chapters: Readonly<Record<string, Rows<ConversationRow>>>,
): readonly RuleRecord[] =>
  Object.entries(chapters).flatMap(([chapter, rows]) =>
    Object.entries(rows).flatMap(([key, row]) =>
      inInterface(name, key, row).map(([id, own]) =>
        complete({ id, probes: probesOfOperation[own.operation], ...own, interface: name, chapter, searches: [] }),
      ),
    ),
  );

/** Returns the record for one interface, if there is one. Members for one interface replace those for both. */
function inInterface(
  name: Exclude<RuleInterface, "stream">,
  key: string,
  row: ConversationRow,
): readonly (readonly [id: string, row: ConversationRuleRow])[] {
  if (!("interfaces" in row)) {
    return key.startsWith(`${name}/`) ? [[key, row]] : [];
  }
  const { interfaces, legacy, current, ...both } = row;
  return interfaces.flatMap((candidate) =>
    candidate === name ? [[`${name}/${key}`, { ...both, ...{ legacy, current }[name] }] as const] : [],
  );
}

/**
 * Every rule of both specifications, in a fixed order: the streaming search by chapter, then the conversation API:
 * its legacy interface, its current one, and the migration between them.
 */
export const ruleCatalogue: readonly RuleRecord[] = [
  ...ofStream,
  ...ofConversations("legacy", conversationChapters),
  ...ofConversations("current", conversationChapters),
  ...ofConversations("migration", { migration: migrationRules }),
];

const records: ReadonlyMap<string, RuleRecord> = new Map(ruleCatalogue.map((record) => [record.id, record]));

/** Reports whether `id` is a rule of the catalogue. Members of every object, such as `toString`, are not. */
export const isRuleId = (id: string): id is RuleId => records.has(id);

/** Reports whether a rule of the catalogue is about streams. */
export const isStreamRuleId = (id: string): id is StreamRuleId => records.get(id)?.interface === "stream";

/** Reports whether a rule of the catalogue is about conversations. */
export const isConversationRuleId = (id: string): id is ConversationRuleId => records.has(id) && !isStreamRuleId(id);

/** Returns the record of a rule. Check other strings with `isRuleId` first. Throws for an unknown id, which is a bug in the caller. */
export function ruleRecord(id: RuleId): RuleRecord {
  const record = records.get(id);
  if (record === undefined) {
    throw new Error(`There is no rule ${id}.`);
  }
  return record;
}

/** Ids of all rules, in the order of the catalogue. */
export const ruleIds: readonly RuleId[] = ruleCatalogue.map(({ id }) => id).filter(isRuleId);

/** Returns the probes that rules need in one conversation interface. Unknown ids and rules about streams need none. */
export const findNeededProbes = (
  rules: Iterable<string>,
  name: "legacy" | "current",
): ReadonlySet<ConversationProbeId> =>
  new Set(
    [...rules].flatMap((id) => {
      const record = records.get(id);
      return record?.interface === name || record?.interface === "migration"
        ? record.probes.filter(isConversationProbeId)
        : [];
    }),
  );
