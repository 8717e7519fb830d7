import { defined } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import type { ApiDescription } from "@assay/openapi";
import { createOutcomeBuilder } from "../../engine/rule-outcome.ts";
import type { RuleOutcome } from "../../engine/rule-outcome.ts";
import type { TargetFacts } from "../../engine/rule.ts";
import type { RecordedCall } from "./conversation-call.ts";
import { readConversations } from "./conversation-evidence.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import type { HistoryCache } from "../history/check-history.ts";
import type { ConversationRule } from "./conversation-rule.ts";
import type { ReferenceResponse } from "./reference-response.ts";

/** The input of rules about conversations. */
export interface ConversationsToJudge {
  readonly rules: readonly ConversationRule[];
  readonly target: TargetFacts;
  /** Exchanges in any order. Exchanges that are not about conversations are ignored. */
  readonly calls: readonly RecordedCall[];
  /** The OpenAPI document that the target serves. Default: the bundled document. */
  readonly api?: ApiDescription;
  /** The responses to requests for that document, sorted by sending time. Empty if it was not requested. */
  readonly reference?: readonly ReferenceResponse[];
  /** Results for conversations whose calls were judged before. Default: none. */
  readonly historyCache?: HistoryCache;
}

/** Judges the conversations of a run. A pure function. */
export function judgeConversations({ rules, target, calls, api, reference, historyCache }: ConversationsToJudge): {
  readonly outcomes: ReadonlyMap<RuleId, RuleOutcome>;
  readonly evidence: ConversationEvidence;
} {
  const evidence = readConversations(calls, { api, reference, historyCache });
  return { outcomes: new Map(rules.map((rule) => [rule.id, judgeRule(rule, target, evidence)])), evidence };
}

function judgeRule(rule: ConversationRule, target: TargetFacts, evidence: ConversationEvidence): RuleOutcome {
  const builder = createOutcomeBuilder();
  const notApplicable = rule.exclusionReason?.(target);
  if (notApplicable === undefined) {
    rule.check(evidence, (exchange) => builder.reporterFor(exchange));
  }
  return { ...builder.build(), ...defined({ notApplicable }) };
}
