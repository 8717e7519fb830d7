import type { ReportFor } from "../engine/choices-once.ts";
import type { ConversationEvidence } from "../engine/conversation-evidence.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import type { ConversationRule } from "../engine/conversation-rule.ts";
import { reportObstacles } from "../engine/each-conversation.ts";

/** A rule about one conversation through both interfaces. Where one of them was not read at all, nothing stands in its way. */
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
      const legacy = reads.filter((call) => call.interface === "legacy");
      const current = reads.filter((call) => call.interface === "current");
      if (legacy.length > 0 && current.length > 0) {
        reportObstacles(legacy, reportFor);
        reportObstacles(current, reportFor);
      }
    },
  });
