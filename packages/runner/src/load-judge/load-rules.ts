import { ruleRecord } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import { allRules, conversationRules, judgeConversations } from "@assay/rules";
import type { ConversationRule, RecordedCall, Rule, RuleOutcome } from "@assay/rules";
import { findAnswerGroup, isSuccessWithoutStream } from "../judge/answer-group.ts";
import { isNotFromApi } from "../judge/root-reason.ts";
import { createCrashedOutcome, type JudgedEvidence, type EvidenceKind, judgeRules } from "../judge/rule-outcomes.ts";

/** Rules that need only a single exchange or a single conversation. */
export interface LoadRules {
  readonly streams: readonly Rule[];
  readonly calls: readonly ConversationRule[];
}

/** Access and sharing are not declared for targets under load. */
export const loadTarget = { access: "undeclared", sharing: "undeclared" } as const;

/** Reports whether a rule belongs to one of `interfaces`. */
export const isOfInterface = (id: RuleId, interfaces: ReadonlySet<string>): boolean =>
  interfaces.has(ruleRecord(id).interface);

/** Returns the rules of `interfaces` that can be judged in a load. */
export const selectLoadRules = (interfaces: ReadonlySet<string>): LoadRules => ({
  streams: allRules.filter(({ id, needs }) => needs !== "exchanges" && isOfInterface(id, interfaces)),
  calls: conversationRules.filter(({ id }) => isOfInterface(id, interfaces)),
});

/** Classifies an exchange of a load. Pages of logins and proxies do not come from the API. */
export const classifyLoadExchange = (exchange: RecordedExchange): EvidenceKind => {
  const kind = findAnswerGroup(exchange);
  if (isNotFromApi(kind)) {
    return "nothing";
  }
  return kind === "stream" || isSuccessWithoutStream(kind) ? "stream" : "answer";
};

/** Judges streams. A rule that throws does not affect the others. */
export const judgeLoadStreams = (rules: readonly Rule[], exchanges: readonly RecordedExchange[]): JudgedEvidence =>
  judgeRules(rules, { exchanges, classify: classifyLoadExchange, target: loadTarget, isFromLoad: true });

/** Judges the calls of complete conversations in order. A rule that throws does not affect the others. */
export function judgeLoadCalls(
  rules: readonly ConversationRule[],
  calls: readonly RecordedCall[],
): ReadonlyMap<RuleId, RuleOutcome> {
  try {
    return judgeConversations({ rules, target: loadTarget, calls }).outcomes;
  } catch (cause) {
    if (rules.length > 1) {
      return new Map(rules.flatMap((rule) => [...judgeLoadCalls([rule], calls)]));
    }
    const message = visibleText(cause instanceof Error ? cause.message : String(cause), 200);
    return new Map(rules.map(({ id }) => [id, createCrashedOutcome(`the rule ${id} failed: ${message}`)]));
  }
}
