import { checkPastRetryTimes } from "./past-retry-times.ts";
import { checkShiftedTimes } from "./shifted-times.ts";
import { defineConversationRule } from "../engine/conversation-rule.ts";
import { reportObstacles, showingOperations } from "../engine/each-conversation.ts";

/**
 * Times of a conversation are not those of another zone than the clock of the target, and a time to retry does not lie before the
 * question. The messages of this interface are not shown, so
 * that no requirement says what its times mean. Source: conversation-api, section 2.4.
 */
export const currentTimesAreUtc = defineConversationRule({
  id: "current/times-are-utc",
  check(evidence, reportFor) {
    checkShiftedTimes(evidence, "current", reportFor);
    checkPastRetryTimes(evidence, reportFor);
    reportObstacles(
      evidence.calls.filter((call) => call.interface === "current" && showingOperations.includes(call.operation)),
      reportFor,
    );
  },
});
