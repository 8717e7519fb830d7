import { legacyMachine } from "@assay/contract";
import { isRecord, member } from "@assay/reading";
import type { ConversationRuleId, FieldGate } from "@assay/contract";
import type { QuestionView } from "@assay/reading";
import { findViolatedFacts, findGate } from "./gate-facts.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { defineQuestionCheck } from "../engine/define-question-check.ts";
import type { QuestionOccurrence } from "../engine/define-question-check.ts";
import type { FindingDraft, Reporter } from "../../engine/reporter.ts";

/** The JSON member for each gate fact. */
const membersByFact: Readonly<Record<string, string>> = {
  "stats-not-zero": "stats",
  followups: "suggested_followups",
};

const pointerTo = ({ pointer }: QuestionView, key: string): { readonly pointer: string } => ({
  pointer: `${pointer}/${key}`,
});

interface GateRule {
  readonly id: ConversationRuleId;
  readonly gate: string;
  /** Reports whether the gate applies to the question. Default: always. */
  readonly appliesTo?: (occurrence: QuestionOccurrence) => boolean;
  /** Reports violations and notes that the gate does not cover. */
  readonly checkFurther?: (occurrence: QuestionOccurrence, report: Reporter) => void;
}

/** Defines a rule about the members of a question with a given status. */
const defineGateRule = ({ id, gate: name, appliesTo = () => true, checkFurther }: GateRule): ConversationRule => {
  const gate = findGate(legacyMachine.gates, name);
  return defineQuestionCheck({
    id,
    interface: "legacy",
    check(occurrence, report) {
      const { question } = occurrence;
      if (question.status !== gate.state || isExempt(gate, occurrence) || !appliesTo(occurrence)) {
        return;
      }
      report.observation();
      for (const fact of findViolatedFacts(gate, question.facts)) {
        report.violation(describeViolation(question, fact));
      }
      checkFurther?.(occurrence, report);
    },
  });
};

const isExempt = ({ unless = [] }: FieldGate, { question, isCancelled }: QuestionOccurrence): boolean =>
  unless.some((fact) => question.facts.has(fact) || (isCancelled && fact === "cancelled"));

function describeViolation(question: QuestionView, fact: string): FindingDraft {
  const key = membersByFact[fact] ?? fact;
  const state = `a question that is \`${question.status ?? ""}\``;
  const hasStats = fact === "stats-not-zero" && question.facts.has("stats");
  const content = hasStats ? "stats that are not zero" : `\`${key}\``;
  const isPresent = question.facts.has(fact);
  const kind = { code: isPresent ? "has" : "lacks", argument: key };
  return { message: `${state} has ${isPresent ? content : `no ${content}`}`, ...kind, ...pointerTo(question, key) };
}

const isFromCreation = ({ isNew, call }: QuestionOccurrence): boolean => isNew && call.operation === "create";

/**
 * Stats are zero while a question is processing, and the response that creates a question contains them. Source:
 * conversation-api, sections 2.3 and 3.1.
 */
export const legacyStatsAreZeroWhileProcessing = defineGateRule({
  id: "legacy/stats-are-zero-while-processing",
  gate: "stats-are-zero-while-processing",
  appliesTo: (occurrence) => occurrence.question.facts.has("stats") || isFromCreation(occurrence),
  checkFurther(occurrence, report) {
    const { question } = occurrence;
    if (isFromCreation(occurrence) && !question.facts.has("stats")) {
      const message = "a new question has no `stats`";
      report.violation({ message, code: "lacks", argument: "stats", ...pointerTo(question, "stats") });
    }
  },
});

/**
 * The answer is absent while a question is processing. `legacy/question-fits-schema` reports a null answer. Source:
 * conversation-api, section 3.1.
 */
export const legacyNoAnswerWhileProcessing = defineGateRule({
  id: "legacy/no-answer-while-processing",
  gate: "no-answer-while-processing",
  checkFurther({ question }, report) {
    if (member(question.json, "answer") === "") {
      const message = `a question that is \`${question.status ?? ""}\` has an empty \`answer\`; it must be absent`;
      report.violation({ message, code: "has", argument: "answer", ...pointerTo(question, "answer") });
    }
  },
});

/**
 * Suggested follow-ups are null while a question is processing. They may also be absent. Source: conversation-api,
 * section 2.2.
 */
export const legacyFollowupsNullWhileProcessing = defineGateRule({
  id: "legacy/followups-null-while-processing",
  gate: "followups-null-while-processing",
  checkFurther({ question }, report) {
    if (isRecord(question.json) && !Object.hasOwn(question.json, "suggested_followups")) {
      report.note({
        code: "legacy/null-for-absent",
        message: "`suggested_followups` is absent while a question is processing",
        pointer: question.pointer,
      });
    }
  },
});

/**
 * A completed question has all members that belong to an answer. Lists may be empty, but null and all-zero stats are
 * missing values. Source: conversation-api, section 3.1.
 */
export const legacyCompletedQuestionIsFilled = defineGateRule({
  id: "legacy/completed-question-is-filled",
  gate: "completed-question-is-filled",
});
