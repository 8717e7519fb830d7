import { isRecord, member, arrayMember } from "@assay/reading";
import type { ConversationRuleId } from "@assay/contract";
import { legacyValidators } from "@assay/openapi";
import type { LegacyValidators } from "@assay/openapi";
import { reportSchemaErrors } from "./report-schema-errors.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { defineConversationCheck } from "../engine/define-conversation-check.ts";
import { defineQuestionCheck } from "../engine/define-question-check.ts";

interface ObjectRule {
  readonly id: ConversationRuleId;
  readonly schema: keyof LegacyValidators;
  readonly label: string;
  /** The member of the question that contains one object of this kind, or a list of them. */
  readonly key: string;
  readonly isList: boolean;
}

interface LocatedObject {
  readonly value: unknown;
  readonly pointer: string;
}

/**
 * Returns the objects under one member of a question. A value of a different type fails the schema of the question
 * itself.
 */
function findObjects(question: unknown, { key, isList }: ObjectRule): readonly LocatedObject[] {
  if (isList) {
    return arrayMember(question, key).map((value, index) => ({ value, pointer: `/${key}/${index}` }));
  }
  const value = member(question, key);
  return isRecord(value) ? [{ value, pointer: `/${key}` }] : [];
}

const defineObjectRule = (rule: ObjectRule): ConversationRule =>
  defineQuestionCheck({
    id: rule.id,
    interface: "legacy",
    check({ question }, report) {
      for (const { value, pointer } of findObjects(question.json, rule)) {
        reportSchemaErrors(
          legacyValidators()[rule.schema],
          { label: rule.label, value, pointer: question.pointer + pointer },
          report,
        );
      }
    },
  });

/** Each source has its members, and a link below the base URL. Source: conversation-api, section 2.2. */
export const legacySourceFitsSchema = defineObjectRule({
  id: "legacy/source-fits-schema",
  schema: "LegacySource",
  label: "a source",
  key: "sources",
  isList: true,
});

/**
 * Each turn has its members. A timestamp in milliseconds fails, because it must be in seconds. Source:
 * conversation-api, section 2.2.
 */
export const legacyTurnFitsSchema = defineObjectRule({
  id: "legacy/turn-fits-schema",
  schema: "LegacyTurn",
  label: "a turn",
  key: "turns",
  isList: true,
});

/** Stats are nine counts. Source: conversation-api, section 2.3. */
export const legacyStatsAreCounts = defineObjectRule({
  id: "legacy/stats-are-counts",
  schema: "LegacyStats",
  label: "the stats",
  key: "stats",
  isList: false,
});

/** The error of a question has four string members. Source: conversation-api, section 7. */
export const legacyErrorFitsSchema = defineObjectRule({
  id: "legacy/error-fits-schema",
  schema: "LegacyError",
  label: "the error of a question",
  key: "error",
  isList: false,
});

/**
 * Checks the members of a conversation. The objects in it have separate rules. The members of list entries are
 * unspecified. Source: conversation-api, section 2.1.
 */
export const legacyConversationFitsSchema = defineConversationCheck({
  id: "legacy/conversation-fits-schema",
  interface: "legacy",
  operations: ["create", "get", "follow-up", "list"],
  check({ json, pointer }, report, { operation }) {
    // `legacy/create-is-accepted` reports a creation without an id.
    if (operation !== "create" || member(json, "id") !== undefined) {
      const label = operation === "list" ? "a listed conversation" : "the conversation";
      const subject = { label, value: json, pointer, mayLackMembers: operation === "list" };
      reportSchemaErrors(legacyValidators().LegacyConversation, subject, report);
    }
  },
});

/** Checks the members of a question. The objects in it have separate rules. Source: conversation-api, section 2.2. */
export const legacyQuestionFitsSchema = defineQuestionCheck({
  id: "legacy/question-fits-schema",
  interface: "legacy",
  check({ question: { json, pointer } }, report) {
    reportSchemaErrors(legacyValidators().LegacyQuestion, { label: "a question", value: json, pointer }, report);
  },
});
