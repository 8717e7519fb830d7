import { isRecord, member, arrayMember } from "@assay/reading";
import type { ConversationRuleId } from "@assay/contract";
import { legacyValidators } from "@assay/openapi";
import type { LegacyValidators } from "@assay/openapi";
import { reportSchemaErrors } from "./report-schema-errors.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { eachConversation } from "../engine/each-conversation.ts";
import { eachQuestion } from "../engine/each-question.ts";

interface Part {
  readonly id: ConversationRuleId;
  readonly schema: keyof LegacyValidators;
  readonly what: string;
  /** Member of the question with one such object, or a list of them. */
  readonly key: string;
  readonly isList: boolean;
}

interface PlacedPart {
  readonly value: unknown;
  readonly pointer: string;
}

/** The objects of a question under one member. A value of another type fails the schema of the question itself. */
function partsOf(question: unknown, { key, isList }: Part): readonly PlacedPart[] {
  if (isList) {
    return arrayMember(question, key).map((value, index) => ({ value, pointer: `/${key}/${index}` }));
  }
  const value = member(question, key);
  return isRecord(value) ? [{ value, pointer: `/${key}` }] : [];
}

const partFitsSchema = (part: Part): ConversationRule =>
  eachQuestion({
    id: part.id,
    interface: "legacy",
    check({ question }, report) {
      for (const { value, pointer } of partsOf(question.json, part)) {
        reportSchemaErrors(
          legacyValidators()[part.schema],
          { what: part.what, value, pointer: question.pointer + pointer },
          report,
        );
      }
    },
  });

/** Each source has its members, and a link below the base address. Source: conversation-api, section 2.2. */
export const legacySourceFitsSchema = partFitsSchema({
  id: "legacy/source-fits-schema",
  schema: "LegacySource",
  what: "a source",
  key: "sources",
  isList: true,
});

/**
 * Each turn has its members; a timestamp in milliseconds is not one in seconds. Source: conversation-api, section
 * 2.2.
 */
export const legacyTurnFitsSchema = partFitsSchema({
  id: "legacy/turn-fits-schema",
  schema: "LegacyTurn",
  what: "a turn",
  key: "turns",
  isList: true,
});

/** Stats are nine counts. Source: conversation-api, section 2.3. */
export const legacyStatsAreCounts = partFitsSchema({
  id: "legacy/stats-are-counts",
  schema: "LegacyStats",
  what: "the stats",
  key: "stats",
  isList: false,
});

/** The error of a question has four text members. Source: conversation-api, section 7. */
export const legacyErrorFitsSchema = partFitsSchema({
  id: "legacy/error-fits-schema",
  schema: "LegacyError",
  what: "the error of a question",
  key: "error",
  isList: false,
});

/**
 * The conversation object itself; objects in it have separate rules. The members that a list shows are unspecified.
 * Source: conversation-api, section 2.1.
 */
export const legacyConversationFitsSchema = eachConversation({
  id: "legacy/conversation-fits-schema",
  interface: "legacy",
  operations: ["create", "get", "follow-up", "list"],
  check({ json, pointer }, report, { operation }) {
    // A response to a creation without an id is not a conversation, which is another rule.
    if (operation !== "create" || member(json, "id") !== undefined) {
      const what = operation === "list" ? "a listed conversation" : "the conversation";
      const fitting = { what, value: json, pointer, mayLack: operation === "list" };
      reportSchemaErrors(legacyValidators().LegacyConversation, fitting, report);
    }
  },
});

/** The question object itself; objects in it have separate rules. Source: conversation-api, section 2.2. */
export const legacyQuestionFitsSchema = eachQuestion({
  id: "legacy/question-fits-schema",
  interface: "legacy",
  check({ question: { json, pointer } }, report) {
    reportSchemaErrors(legacyValidators().LegacyQuestion, { what: "a question", value: json, pointer }, report);
  },
});
