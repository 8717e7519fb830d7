import type { ConversationRuleId } from "@assay/contract";
import type { Reporter } from "../../engine/reporter.ts";
import type { TargetFacts } from "../../engine/rule.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import type { ConversationInterface } from "./conversation-operation.ts";

/** A rule about conversations. It receives all calls of a run at once. */
export interface ConversationRule {
  readonly needs: "conversations";
  readonly id: ConversationRuleId;
  /** Why the rule does not apply to this target; undefined if it does. */
  excludes?(target: TargetFacts): string | undefined;
  /** Judges the evidence; a pure function. Must not throw, whatever the target sent. */
  check(evidence: ConversationEvidence, reportFor: (exchange: string) => Reporter): void;
}

/** Defines a rule about conversations. */
export const defineConversationRule = (rule: Omit<ConversationRule, "needs">): ConversationRule => ({
  needs: "conversations",
  ...rule,
});

/** Defines a rule for each interface, under the id of that interface. */
export const inBothInterfaces = (
  define: (name: ConversationInterface) => ConversationRule,
): readonly ConversationRule[] => (["legacy", "current"] as const).map(define);
