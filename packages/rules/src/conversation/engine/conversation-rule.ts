import type { ConversationRuleId } from "@assay/contract";
import type { Reporter } from "../../engine/reporter.ts";
import type { TargetFacts } from "../../engine/rule.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import type { ConversationInterface } from "./conversation-operation.ts";

/** A rule about conversations. It checks all calls of a run together. */
export interface ConversationRule {
  readonly needs: "conversations";
  readonly id: ConversationRuleId;
  /**
   * Returns the reason the rule does not apply to this target, or undefined if it does. A rule without this function
   * always applies.
   */
  exclusionReason?(target: TargetFacts): string | undefined;
  /** Reports findings through `reportFor`. Must be deterministic, do no I/O, and not throw for any response. */
  check(evidence: ConversationEvidence, reportFor: (exchange: string) => Reporter): void;
}

export const defineConversationRule = (rule: Omit<ConversationRule, "needs">): ConversationRule => ({
  needs: "conversations",
  ...rule,
});

/** Defines one rule for each interface. */
export const defineForBothInterfaces = (
  define: (interfaceName: ConversationInterface) => ConversationRule,
): readonly ConversationRule[] => (["legacy", "current"] as const).map(define);
