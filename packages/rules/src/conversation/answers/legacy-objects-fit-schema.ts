import { isRecord, member, arrayMember } from "@assay/reading";
import type { ConversationRuleId } from "@assay/contract";
import { legacyValidators } from "@assay/openapi";
import type { LegacyValidators } from "@assay/openapi";
import { reportSchemaErrors } from "./report-schema-errors.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { defineConversationCheck } from "../engine/define-conversation-check.ts";
import { defineQuestionCheck } from "../engine/define-question-check.ts";

interface Part {
  readonly id: ConversationRuleId;
  readonly schema: keyof LegacyValidators;
  readonly label: string;
  /** The member of the question that contains one object of this kind, or a list of them. */
  readonly key: string;
  readonly isList: boolean;
}

interface PlacedPart {
  readonly value: unknown;
  readonly pointer: string;
}

/** The objects under one member of a question. A value of a different type fails the schema of the question itself. */
function findParts(question: unknown, { key, isList }: Part): readonly PlacedPart[] {
  if (isList) {
    return arrayMember(question, key).map((value, index) => ({ value, pointer: `/${key}/${index}` }));
  }
  const value = member(question, key);
  return isRecord(value) ? [{ value, pointer: `/${key}` }] : [];
}

const definePartRule = (part: Part): ConversationRule =>
  defineQuestionCheck({
    id: part.id,
    interface: "legacy",
    check({ question }, report) {
      for (const { value, pointer } of findParts(question.json, part)) {
        reportSchemaErrors(
          legacyValidators()[part.schema],
          { label: part.label, value, pointer: question.pointer + pointer },
          report,
        );
      }
    },
  });

/** Each source has its members, and a link below the base URL. Source: conversation-api, section 2.2. */
export const legacySourceFitsSchema = definePartRule({
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
export const legacyTurnFitsSchema = definePartRule({
  id: "legacy/turn-fits-schema",
  schema: "LegacyTurn",
  label: "a turn",
  key: "turns",
  isList: true,
});

/** Stats are nine counts. Source: conversation-api, section 2.3. */
export const legacyStatsAreCounts = definePartRule({
  id: "legacy/stats-are-counts",
  schema: "LegacyStats",
  label: "the stats",
  key: "stats",
  isList: false,
});

/** The error of a question has four string members. Source: conversation-api, section 7. */
export const legacyErrorFitsSchema = definePartRule({
  id: "legacy/error-fits-schema",
  schema: "LegacyError",
  label: "the error of a question",
  key: "error",
  isList: false,
});

/**
 * The conversation object itself. Other rules check the objects in it. The members of list entries are unspecified.
 * Source: conversation-api, section 2.1.
 */
export const legacyConversationFitsSchema = defineConversationCheck({
  id: "legacy/conversation-fits-schema",
  interface: "legacy",
  operations: ["create", "get", "follow-up", "list"],
  check({ json, pointer }, report, { operation }) {
    // Another rule checks that the response to a creation has an id.
    if (operation !== "create" || member(json, "id") !== undefined) {
      const label = operation === "list" ? "a listed conversation" : "the conversation";
      const subject = { label, value: json, pointer, isPartial: operation === "list" };
      reportSchemaErrors(legacyValidators().LegacyConversation, subject, report);
    }
  },
});

/** The question object itself. Other rules check the objects in it. Source: conversation-api, section 2.2. */
export const legacyQuestionFitsSchema = defineQuestionCheck({
  id: "legacy/question-fits-schema",
  interface: "legacy",
  check({ question: { json, pointer } }, report) {
    reportSchemaErrors(legacyValidators().LegacyQuestion, { label: "a question", value: json, pointer }, report);
  },
});
