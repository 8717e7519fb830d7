import { defined } from "@assay/contract";
import type { ConversationRuleId, Finding } from "@assay/contract";
import type { ApiDescription } from "@assay/openapi";
import type { RuleOutcome } from "../../engine/rule-outcome.ts";
import type { TargetFacts } from "../../engine/rule.ts";
import { conversationRules } from "../../all-rules.ts";
import { withNamedFindings } from "../../testing/named-findings.ts";
import { judgeConversations } from "../engine/judge-conversations.ts";
import { recordedCalls } from "./recorded-calls.ts";
import type { CallSketch } from "./recorded-calls.ts";

const undeclaredTarget: TargetFacts = { access: "undeclared", sharing: "undeclared" };

const emptyOutcome: RuleOutcome = { observations: 0, findings: [], droppedViolations: 0 };

/** Returns the outcome of one rule for these calls. */
export function outcomeOf(id: ConversationRuleId, sketches: readonly CallSketch[], api?: ApiDescription): RuleOutcome {
  const { outcomes } = judgeConversations({
    rules: conversationRules.filter((rule) => rule.id === id),
    target: undeclaredTarget,
    calls: recordedCalls(sketches),
    ...defined({ api }),
  });
  return withNamedFindings(outcomes).get(id) ?? emptyOutcome;
}

/** Describes the report of a rule about calls in one word. A violation without an observation is a bug of the rule. */
export function describeReport(id: ConversationRuleId, sketches: readonly CallSketch[]): string {
  const { observations, findings, blockedBy } = outcomeOf(id, sketches);
  const hasViolation = findings.some(({ kind }) => kind === "violation");
  const hasNote = findings.some(({ kind }) => kind === "note");
  const words: readonly (readonly [string, boolean])[] = [
    ["a violation without an observation", hasViolation && observations === 0],
    ["broken", hasViolation],
    [`missing: ${blockedBy?.missing}`, blockedBy !== undefined],
    ["holds with a note", hasNote && observations > 0],
    ["a note", hasNote],
    ["holds", observations > 0],
  ];
  return words.find(([, applies]) => applies)?.[0] ?? "not observed";
}

/** Returns the ids of the rules that report a violation for these calls, in the order of the catalogue. */
export function failedRuleIds(sketches: readonly CallSketch[]): readonly string[] {
  const calls = recordedCalls(sketches);
  const { outcomes } = judgeConversations({ rules: conversationRules, target: undeclaredTarget, calls });
  return [...withNamedFindings(outcomes)]
    .filter(([, { findings }]) => findings.some(({ kind }) => kind === "violation"))
    .map(([id]) => id);
}

/** Returns the notes that a rule reports, each with its code. */
export const notesOf = (id: ConversationRuleId, sketches: readonly CallSketch[]): readonly string[] =>
  outcomeOf(id, sketches)
    .findings.filter(({ kind }) => kind === "note")
    .map(({ code, message }: Finding) => `${code ?? "no code"}: ${message}`);
