import type { ConversationRuleId } from "@assay/contract";
import type { Reporter } from "../../engine/reporter.ts";
import type { TargetFacts } from "../../engine/rule.ts";
import type { ConversationEvidence } from "./conversation-evidence.ts";
import type { ConversationInterface } from "./conversation-operation.ts";

/** A rule about conversations: it sees all calls of a run at once. */
export interface ConversationRule {
  readonly needs: "conversations";
  readonly id: ConversationRuleId;
  /** Why the rule does not apply to this target, or `undefined` if it does. */
  excludes?(target: TargetFacts): string | undefined;
  /** Judges; a pure function of the evidence. Must not throw, whatever the target sent. */
  check(evidence: ConversationEvidence, reportFor: (exchange: string) => Reporter): void;
}

/** A rule about conversations. */
export const defineConversationRule = (rule: Omit<ConversationRule, "needs">): ConversationRule => ({
  needs: "conversations",
  ...rule,
});

/** One definition whose record is for both interfaces: a rule for each, under the id of that interface. */
export const inBothInterfaces = (
  define: (name: ConversationInterface) => ConversationRule,
): readonly ConversationRule[] => (["legacy", "current"] as const).map(define);
