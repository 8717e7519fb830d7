import { legacyMachine } from "@assay/contract";
import { isRecord, member } from "@assay/reading";
import type { ConversationRuleId, FieldGate } from "@assay/contract";
import type { QuestionView } from "@assay/reading";
import { violatedFacts, gateNamed } from "./gate-facts.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { eachQuestion } from "../engine/each-question.ts";
import type { SeenQuestion } from "../engine/each-question.ts";
import type { FindingDraft, Reporter } from "../../engine/reporter.ts";

/** The member of each fact of a gate. */
const memberOf: Readonly<Record<string, string>> = {
  "stats-not-zero": "stats",
  followups: "suggested_followups",
};

const memberPlace = ({ pointer }: QuestionView, key: string): { readonly pointer: string } => ({
  pointer: `${pointer}/${key}`,
});

interface Gated {
  readonly id: ConversationRuleId;
  readonly gate: string;
  /** Whether the gate applies to the question [always]. */
  readonly isAbout?: (seen: SeenQuestion) => boolean;
  /** Additional reports. */
  readonly also?: (seen: SeenQuestion, report: Reporter) => void;
}

/** Defines a rule about the members of a question in a status. */
const fieldGate = ({ id, gate: name, isAbout = () => true, also }: Gated): ConversationRule => {
  const gate = gateNamed(legacyMachine.gates, name);
  return eachQuestion({
    id,
    interface: "legacy",
    check(seen, report) {
      const { question } = seen;
      if (question.status !== gate.state || isLifted(gate, seen) || !isAbout(seen)) {
        return;
      }
      report.observation();
      for (const fact of violatedFacts(gate, question.facts)) {
        report.violation(departure(question, fact));
      }
      also?.(seen, report);
    },
  });
};

const isLifted = ({ unless = [] }: FieldGate, { question, isCancelled }: SeenQuestion): boolean =>
  unless.some((fact) => question.facts.has(fact) || (isCancelled && fact === "cancelled"));

function departure(question: QuestionView, fact: string): FindingDraft {
  const key = memberOf[fact] ?? fact;
  const state = `a question that is \`${question.status ?? ""}\``;
  const hasStats = fact === "stats-not-zero" && question.facts.has("stats");
  const what = hasStats ? "stats that are not zero" : `\`${key}\``;
  const hasIt = question.facts.has(fact);
  const kind = { code: hasIt ? "has" : "lacks", argument: key };
  return { message: `${state} has ${hasIt ? what : `no ${what}`}`, ...kind, ...memberPlace(question, key) };
}

const isFromCreation = ({ isNew, call }: SeenQuestion): boolean => isNew && call.operation === "create";

/**
 * Stats are zero, and the response that creates a question has them. Source: conversation-api, sections 2.3 and 3.1.
 */
export const legacyStatsAreZeroWhileProcessing = fieldGate({
  id: "legacy/stats-are-zero-while-processing",
  gate: "stats-are-zero-while-processing",
  isAbout: (seen) => seen.question.facts.has("stats") || isFromCreation(seen),
  also(seen, report) {
    const { question } = seen;
    if (isFromCreation(seen) && !question.facts.has("stats")) {
      const message = "a new question has no `stats`";
      report.violation({ message, code: "lacks", argument: "stats", ...memberPlace(question, "stats") });
    }
  },
});

/** There is no answer yet: it is absent. A null answer fails another rule. Source: conversation-api, section 3.1. */
export const legacyNoAnswerWhileProcessing = fieldGate({
  id: "legacy/no-answer-while-processing",
  gate: "no-answer-while-processing",
  also({ question }, report) {
    if (member(question.json, "answer") === "") {
      const message = `a question that is \`${question.status ?? ""}\` has an empty \`answer\`; it must be absent`;
      report.violation({ message, code: "has", argument: "answer", ...memberPlace(question, "answer") });
    }
  },
});

/** Suggested follow-ups are null; leaving them out is accepted. Source: conversation-api, section 2.2. */
export const legacyFollowupsNullWhileProcessing = fieldGate({
  id: "legacy/followups-null-while-processing",
  gate: "followups-null-while-processing",
  also({ question }, report) {
    if (isRecord(question.json) && !Object.hasOwn(question.json, "suggested_followups")) {
      report.note({
        code: "legacy/null-for-absent",
        message: "`suggested_followups` is left out while a question is processing",
        pointer: question.pointer,
      });
    }
  },
});

/**
 * Everything that comes with an answer: lists may be empty, but null or all-zero stats are missing values. Source:
 * conversation-api, section 3.1.
 */
export const legacyCompletedQuestionIsFilled = fieldGate({
  id: "legacy/completed-question-is-filled",
  gate: "completed-question-is-filled",
});
