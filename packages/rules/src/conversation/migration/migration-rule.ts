import type { ReportFor } from "../engine/dedupe-notes.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { reportBlocked } from "../engine/define-conversation-check.ts";

/**
 * Defines a rule about one conversation seen through both interfaces. The rule is never blocked if only one of them was
 * read.
 */
export const defineMigrationRule = ({
  id,
  check,
}: {
  readonly id: ConversationRule["id"];
  readonly check: (evidence: ConversationEvidence, reportFor: ReportFor) => void;
}): ConversationRule =>
  defineConversationRule({
    id,
    check(evidence, reportFor) {
      check(evidence, reportFor);
      const reads = evidence.calls.filter(({ operation }) => operation === "get");
      const legacyReads = reads.filter((call) => call.interface === "legacy");
      const currentReads = reads.filter((call) => call.interface === "current");
      if (legacyReads.length > 0 && currentReads.length > 0) {
        reportBlocked(legacyReads, reportFor);
        reportBlocked(currentReads, reportFor);
      }
    },
  });
